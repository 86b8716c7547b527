#include "studies/uts_reads.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer::studies {

namespace {

using kernels::uts_memory;
using kernels::uts_size;
using kernels::uts_vertex;

/// Adjacent siblings and cousins of one depth that have not been read.
struct siblings {
  std::uint64_t place, count;
  std::uint64_t depth;
};

/// A vertex packed into one word, for answers. Not for the root, which may have any number of children.
class packed_vertex {
 public:
  packed_vertex() = default;
  explicit packed_vertex(const uts_vertex& v) : word_(v.place << k_children_bits | v.children) {}

  uts_vertex vertex() const {
    return {word_ >> k_children_bits, word_ & ((std::uint64_t{1} << k_children_bits) - 1)};
  }

  static constexpr unsigned k_children_bits = 8;
  static_assert(kernels::k_most_children >> k_children_bits == 0);

 private:
  std::uint64_t word_ = 0;
};

/// The state of one core in the traversal. Its functions run in tasks.
class reader {
 public:
  void open(const array<uts_vertex>& vertices, std::uint64_t block, const uts_reads_options& o) {
    vertices_ = vertices;
    block_ = block;
    cache_ = o.children_cache;
    stealable_ = o.stealable;
    found_ = {};
  }
  const uts_size& found() const { return found_; }

  /// Visits siblings, and continues with the first run of adjacent children. Starts tasks for the other runs.
  void visit(per_core<reader> all, siblings some) {
    while (some.count != 0) {
      check_interrupt();
      for (; some.count > k_longest; some.count -= some.count / 2)
        start(all, {some.place + some.count - some.count / 2, some.count / 2, some.depth});
      found_ += {some.count, some.depth, 0};
      charge_work(some.count * k_visit_ns);
      some = visit_all(all, some);
    }
  }

 private:
  static constexpr std::uint64_t k_visit_ns =
      10;  // what a simulation charges for a vertex, as uts_memory does
  static constexpr std::uint64_t k_longest = 64;  // siblings that a task reads one after the other
  using cache = std::array<uts_vertex, uts_reads_options::k_largest_cache>;

  void start(per_core<reader> all, const siblings& some) const {
    const auto task = [all, some] { all.here().visit(all, some); };
    stealable_ ? spawn_stealable(task) : spawn(task);
  }
  /// Reads some siblings. Returns the first run of their adjacent children; empty if all are leaves.
  siblings visit_all(per_core<reader> all, const siblings& some) {
    siblings next{}, open{};  // open: the run that the next family may extend
    const auto close = [&] {
      if (next.count == 0)
        next = open;
      else
        start(all, open);
    };
    cache read;
    for (std::uint64_t done = 0, count = 0; done < some.count; done += count) {
      const std::uint64_t place = some.place + done;
      count = std::min({some.count - done, cache_, block_ - place % block_});
      fill(read, place, count);
      for (const uts_vertex& v : std::span(read).first(count)) {
        if (v.children == 0) {
          ++found_.leaves;
        } else if (open.count != 0 && open.place + open.count == v.place) {
          open.count += v.children;
        } else {
          if (open.count != 0) close();
          open = {v.place, v.children, some.depth + 1};
        }
      }
    }
    if (open.count != 0) close();
    return next;
  }

  /// Reads adjacent vertices. Suspends.
  void fill(cache& into, std::uint64_t place, std::uint64_t count) const {
    const global_ptr<uts_vertex> first = vertices_.pointer(place);
    if (process_of(first.owner()) != process()) return fetch(into, place, count);
    const uts_vertex* const at = first.address();
    for (std::uint64_t i = 0; i < count; i += k_line_bytes / sizeof *at) __builtin_prefetch(at + i);
    __builtin_prefetch(at + (count - 1));
    yield();
    std::copy_n(at, count, into.begin());
  }
  void fetch(cache& into, std::uint64_t place, std::uint64_t count) const {
    // All answers have the size of the cache, rounded up to one that is instantiated.
    if (cache_ == 1) return fetch_up_to<1>(into, place, count);
    if (cache_ == 2) return fetch_up_to<2>(into, place, count);
    if (cache_ <= 4) return fetch_up_to<4>(into, place, count);
    if (cache_ <= 8) return fetch_up_to<8>(into, place, count);
    if (cache_ <= 16) return fetch_up_to<16>(into, place, count);
    fetch_up_to<uts_reads_options::k_largest_cache>(into, place, count);
  }
  template <std::size_t Most>
  void fetch_up_to(cache& into, std::uint64_t place, std::uint64_t count) const {
    const auto found = vertices_.call(place, [count](uts_vertex& first) {
      std::array<packed_vertex, Most> copy{};
      std::transform(&first, &first + count, copy.begin(),
                     [](const uts_vertex& v) { return packed_vertex(v); });
      return copy;
    });
    for (std::uint64_t i = 0; i < count; ++i) into[i] = found[i].vertex();
  }

  array<uts_vertex> vertices_;
  std::uint64_t block_ = 1, cache_ = 1;
  bool stealable_ = true;
  uts_size found_;
};

}  // namespace

kernels::uts_result traverse_by_reads(const uts_memory& memory, const uts_reads_options& options) {
  GOSSAMER_ASSERT(options.children_cache >= 1 &&
                  options.children_cache <= uts_reads_options::k_largest_cache);
  const array<uts_vertex> vertices = memory.vertices();
  GOSSAMER_ASSERT(vertices.size() >> (64 - packed_vertex::k_children_bits) == 0,
                  "places fit a packed vertex");
  GOSSAMER_ASSERT(process_of(vertices.owner(memory.root())) == process(), "the root is read in place");
  const scoped_per_core<reader> readers;
  const per_core<reader> all = readers.handle();
  on_all_cores(
      [all, vertices, block = memory.block(), options] { all.here().open(vertices, block, options); });
  const std::uint64_t start = machine::now_ns();
  on_core(here(), [all, root = memory.root()] { all.here().visit(all, {root, 1, 0}); });
  kernels::uts_result r;
  for (const uts_size& one : collect(all, [](reader& mine) { return mine.found(); })) r.size += one;
  r.seconds = machine::seconds_since(start);
  return r;
}

}  // namespace gossamer::studies
