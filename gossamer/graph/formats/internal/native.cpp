#include "gossamer/graph/formats/internal/native.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/formats/internal/native_layout.hpp"
#include "gossamer/graph/formats/internal/row_check.hpp"
#include "gossamer/graph/formats/internal/shared_load.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

using namespace native;

constexpr std::uint64_t k_most_items = std::uint64_t{1}
                                       << 48;  // vertices or arcs: products below do not wrap

// The sections of the rows in one direction.
struct row_sections {
  std::size_t number;  // in arrays by direction
  section offsets, targets, weights;
};
constexpr std::array k_directions{row_sections{0, out_offsets, out_targets, out_weights},
                                  row_sections{1, in_offsets, in_targets, in_weights}};

// What a process has found in its blocks. The smallest position wins, so the message is always the same.
struct findings {
  std::uint64_t block = ~std::uint64_t{0};  // whose checksum is wrong
  bool offsets = false, targets = false, weights = false, order = false, names = false;  // wrong
  std::array<arc_sums, 2> sums;  // by direction

  findings& operator+=(const findings& more) {
    block = std::min(block, more.block);
    offsets |= more.offsets;
    targets |= more.targets;
    weights |= more.weights;
    order |= more.order;
    names |= more.names;
    for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += more.sums[d];
    return *this;
  }
};

class opener {
 public:
  opener(std::span<const std::byte> file, const std::string& name, storage keep,
         const machine::mapped_file* mapped)
      : file_(file), name_(name), keep_(std::move(keep)), mapped_(mapped) {}

  graph open(const progress_hook& progress) {
    const std::uint64_t start = machine::now_ns();
    check_offsets(0, 1, progress);
    check_contents(0, 1, found().offsets);
    report_fault(found());
    graph g = make();
    g.statistics().load_seconds = machine::seconds_since(start);
    report(progress, "opening", file_.size(), file_.size());
    return g;
  }

  // Checks the header, and the part of process `one` of `of` of the offsets.
  void check_offsets(std::uint64_t one, std::uint64_t of, const progress_hook& progress) {
    read_header();
    check_extents();
    check_table();
    report(progress, "opening", 0, file_.size());
    for (const row_sections& d : k_directions) {
      const extent& x = h_.section[d.offsets];
      local::forall_chunks(block_begin(x.bytes, one, of), block_begin(x.bytes, one + 1, of), k_block_bytes,
                           [this, d, at = x.begin](std::uint64_t b, std::uint64_t e) {
                             populate(at + b, at + e);
                             if (!ascending(d.offsets, at + b, at + e, false)) found_.here().offsets = true;
                           });
    }
  }

  // Checks the blocks of process `one` of `of`. `bad_offsets`: any process found wrong ones, which lead to no
  // rows.
  void check_contents(std::uint64_t one, std::uint64_t of, bool bad_offsets) {
    has_rows_ = !bad_offsets && offsets_end_well();
    local::forall_chunks(block_begin(blocks(), one, of), block_begin(blocks(), one + 1, of), 4,
                         [this](std::uint64_t b, std::uint64_t e) { check_blocks(b, e); });
  }

  // Returns what all cores of this process have found. After a loop.
  findings found() const {
    return found_.fold(findings{}, [](findings all, const findings& each) { return all += each; });
  }
  const header& head() const { return h_; }

  // Throws gossamer::error if the file is damaged. `all`: of all processes.
  void report_fault(const findings& all) {
    if (all.block != ~std::uint64_t{0})
      fail(fmt::format("damaged: wrong checksum of the {} at byte {}", format_bytes(k_block_bytes),
                       k_data_begin + all.block * k_block_bytes));
    if (all.offsets || !offsets_end_well()) fail("damaged: row offsets are not ascending");
    if (all.targets) fail(fmt::format("damaged: expected vertices below {}", h_.vertices));
    if (all.weights) fail("damaged: expected finite weights");
    if (all.order) fail("damaged: expected ascending rows without duplicates and self-loops");
    check_reverse(all.sums[0], all.sums[h_.in_is_out == 0 ? 1 : 0], h_.directed == 1, name_);
    if (all.names || !names_good()) fail("damaged: the table of names is wrong");
  }

  labels make_labels() const {
    switch (static_cast<labels::kind>(h_.label_form)) {
      case labels::kind::range:
        return labels::range(h_.vertices, h_.first_label);
      case labels::kind::integers:
        return labels::integers(values<std::uint64_t>(label_values), keep_);
      case labels::kind::strings:
        break;
    }
    return labels::strings(values<std::uint64_t>(label_values), values<char>(label_bytes), keep_);
  }

  graph_statistics statistics() const {
    graph_statistics s;
    s.format = "native";
    s.edges_read = h_.edges_read;
    s.duplicates = h_.duplicates;
    s.self_loops = h_.self_loops;
    s.negative_loops = std::min(h_.negative_loops, h_.self_loops);  // earlier writers counted some twice
    s.weights = h_.weights;
    return s;
  }

  // Returns the work in blocks of k_vertex_alignment vertices: their arcs, in both directions.
  std::vector<std::uint64_t> work() const {
    std::vector<std::uint64_t> all;
    for (std::uint64_t v = 0; v < h_.vertices; v += k_vertex_alignment) {
      const std::uint64_t end = std::min(v + k_vertex_alignment, h_.vertices);
      const auto out = values<std::uint64_t>(out_offsets), in = values<std::uint64_t>(in_offsets);
      all.push_back(out[end] - out[v] + (in.empty() ? 0 : in[end] - in[v]));
    }
    return all;
  }

  // Copies the rows of [first, last) to their places in `to`.
  void copy_rows(section offsets, section targets, section weights, std::uint64_t first, std::uint64_t last,
                 const adjacency& to) const {
    const std::uint64_t* const from = values<std::uint64_t>(offsets).data();
    auto* const ends = const_cast<std::uint64_t*>(to.offsets);
    auto* const ids = const_cast<vertex_id*>(to.targets);
    local::forall_chunks(first, last + 1, 1 << 16,
                         [=](std::uint64_t b, std::uint64_t e) { std::copy(from + b, from + e, ends + b); });
    const auto copy = [&](const auto* all) {
      local::forall_chunks(from[first], from[last], 1 << 16, [=](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) ids[b] = static_cast<vertex_id>(all[b]);
      });
    };
    if (h_.id_bytes == 4)
      copy(values<std::uint32_t>(targets).data());
    else
      copy(values<std::uint64_t>(targets).data());
    const std::uint64_t bytes = weight_bytes(weighted());
    if (bytes == 0) return;
    local::forall_chunks(from[first] * bytes, from[last] * bytes, 1 << 18,
                         [all = weights_of(weights), to = const_cast<std::byte*>(to.weights)](
                             auto b, auto e) { std::memcpy(to + b, all + b, e - b); });
  }
  void check_width() const {
    if (h_.vertices >= k_no_vertex) fail("has 64-bit vertex ids: build with GOSSAMER_VERTEX_BITS=64");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw error(name_ + ": " + what); }

  // Returns the header of this version, after verifying its checksum.
  template <class Header>
  Header checked_header() const {
    Header h;
    if (file_.size() < sizeof h)
      fail(fmt::format("truncated: expected a header of {} bytes, found {}", sizeof h, file_.size()));
    std::memcpy(&h, file_.data(), sizeof h);
    const std::uint64_t sum = io::checksum(file_.first(offsetof(Header, header_checksum)));
    if (h.byte_order != k_byte_order || h.header_bytes != sizeof h || sum != h.header_checksum)
      fail("damaged: the checksum of the header is wrong");
    return h;
  }

  void read_header() {
    header_1 first;
    if (file_.size() < sizeof first)
      fail(fmt::format("truncated: expected a header of {} bytes, found {}", sizeof first, file_.size()));
    std::memcpy(&first, file_.data(), sizeof first);
    if (first.magic != k_magic) fail("expected a gossamer graph, found other bytes");
    if (first.byte_order == __builtin_bswap32(k_byte_order))
      fail("written on a computer of the other byte order; convert it there to an edge list");
    if (first.version == 0 || first.version > k_native_version)
      fail(fmt::format("expected version 1 to {} of the native form, found {}", k_native_version,
                       first.version));
    h_ = first.version == 1 ? widened(checked_header<header_1>()) : checked_header<header>();
    if (h_.file_bytes > file_.size())
      fail(fmt::format("truncated: expected {} bytes, found {}", h_.file_bytes, file_.size()));
    if (h_.file_bytes < file_.size())
      fail(fmt::format("damaged: expected {} bytes, found {} more", h_.file_bytes,
                       file_.size() - h_.file_bytes));
  }

  void need(bool condition) const {
    if (!condition) fail("damaged: the header contradicts itself");
  }

  // Checks that all extents are inside the file. Nothing outside the extents is read.
  void check_extents() const {
    need(h_.vertices < k_most_items && h_.arcs < k_most_items && h_.block_bytes == k_block_bytes);
    need((h_.id_bytes == 4 || h_.id_bytes == 8) && h_.directed <= 1 && h_.in_is_out <= 1 &&
         h_.label_form <= 2 && h_.weight_form <= static_cast<std::uint64_t>(weight_type::float64));
    need(h_.version > 1 || h_.weight_form == 0);
    need(h_.directed == 1 || h_.in_is_out == 1);
    // History, which leads to nothing. No bound by each other: earlier writers counted some twice, and a graph
    // read as directed and back has more duplicates each time.
    need(h_.edges_read < k_most_items && h_.duplicates < k_most_items && h_.self_loops < k_most_items &&
         h_.negative_loops < k_most_items);
    need(h_.id_bytes == 8 || h_.vertices < ~std::uint32_t{0});
    const std::uint64_t offsets = (h_.vertices + 1) * 8, targets = h_.arcs * h_.id_bytes;
    const auto form = static_cast<labels::kind>(h_.label_form);
    const std::uint64_t values = form == labels::kind::range      ? 0
                                 : form == labels::kind::integers ? h_.vertices * 8
                                                                  : (h_.vertices + 1) * 8;
    const bool both = h_.in_is_out == 0;
    const std::uint64_t weights = h_.arcs * weight_bytes(weighted());
    const std::array<std::uint64_t, sections> sizes{
        offsets, targets, both ? offsets : 0, both ? targets : 0, values, 0, weights, both ? weights : 0};
    std::uint64_t end = k_data_begin;
    for (std::size_t s = 0; s < sections; ++s) {
      const extent& x = h_.section[s];
      need(s == label_bytes || x.bytes == sizes[s]);
      need(x.begin >= end && x.begin % k_align == 0 && x.begin <= file_.size() &&
           x.bytes <= file_.size() - x.begin);
      end = x.begin + x.bytes;
    }
    need(form == labels::kind::strings || h_.section[label_bytes].bytes == 0);
    need(form != labels::kind::range || h_.first_label <= ~std::uint64_t{0} - h_.vertices);
    const extent& sums = h_.checksums;
    need(sums.begin >= end && sums.begin % k_align == 0 && sums.begin <= file_.size());
    need(sums.bytes == blocks() * 8 && sums.bytes == file_.size() - sums.begin);
  }

  bool is_labelled_by(labels::kind form) const { return h_.label_form == static_cast<std::uint8_t>(form); }
  weight_type weighted() const { return static_cast<weight_type>(h_.weight_form); }
  std::uint64_t blocks() const {
    return (h_.checksums.begin - k_data_begin + k_block_bytes - 1) / k_block_bytes;
  }
  std::span<const std::byte> section_bytes(const extent& x) const { return file_.subspan(x.begin, x.bytes); }
  template <class T>
  std::span<const T> values(section s) const {
    const auto bytes = section_bytes(h_.section[s]);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  void check_table() const {
    if (io::checksum(section_bytes(h_.checksums)) != h_.checksums_checksum)
      fail("damaged: the table of checksums is wrong");
    const auto padding = file_.subspan(h_.header_bytes, k_data_begin - h_.header_bytes);
    need(std::all_of(padding.begin(), padding.end(), [](std::byte b) { return b == std::byte{0}; }));
  }

  void populate(std::uint64_t begin, std::uint64_t end) const {
    if (mapped_) mapped_->populate(begin, end - begin);
  }

  void check_blocks(std::uint64_t first, std::uint64_t last) {
    populate(k_data_begin + first * k_block_bytes,
             std::min(k_data_begin + last * k_block_bytes, h_.checksums.begin));
    for (std::uint64_t b = first; b < last; ++b) check_block(b);
  }

  // Hashes a block, and checks its contents while they are in the cache.
  void check_block(std::uint64_t b) {
    const std::uint64_t begin = k_data_begin + b * k_block_bytes;
    const std::uint64_t end = std::min(begin + k_block_bytes, h_.checksums.begin);
    std::uint64_t expected;
    std::memcpy(&expected, file_.data() + h_.checksums.begin + b * 8, 8);
    findings& mine = found_.here();
    if (io::checksum(file_.subspan(begin, end - begin)) != expected) {
      mine.block = std::min(mine.block, b);
      return;
    }
    const bool narrow = h_.id_bytes == 4;
    for (const row_sections& d : k_directions)
      narrow ? check_arcs<std::uint32_t>(d, begin, end, mine)
             : check_arcs<std::uint64_t>(d, begin, end, mine);
    mine.names |= !ascending(label_values, begin, end, is_labelled_by(labels::kind::integers));
  }

  template <class Id>
  void check_arcs(const row_sections& d, std::uint64_t begin, std::uint64_t end, findings& mine) const {
    mine.targets |= !in_range<Id>(d.targets, begin, end);
    switch (weighted()) {
      case weight_type::none:
        return check_rows<Id, Id>(d, d.targets, begin, end, mine);
      case weight_type::float32:
        mine.weights |= !finite<std::uint32_t>(d.weights, begin, end, 0x7f800000);
        [[fallthrough]];
      case weight_type::int32:
      case weight_type::uint32:
        return check_rows<Id, std::uint32_t>(d, d.weights, begin, end, mine);
      case weight_type::float64:
        mine.weights |= !finite<std::uint64_t>(d.weights, begin, end, 0x7ff0000000000000);
        return check_rows<Id, std::uint64_t>(d, d.weights, begin, end, mine);
    }
  }

  // Checks the order of the arcs whose values of section `last` are in [begin, end) of the file, and adds them
  // up. The targets of arcs with weights were in the cache earlier; they are read again, in order.
  template <class Id, class Last>
  void check_rows(const row_sections& d, section last, std::uint64_t begin, std::uint64_t end,
                  findings& mine) const {
    auto [at, to] = clip<Last>(last, begin, end);
    if (at == to || !has_rows_) return;
    const auto offsets = values<std::uint64_t>(d.offsets);
    const Id* const ids = values<Id>(d.targets).data();
    const Last* const weights = last == d.weights ? values<Last>(last).data() : nullptr;
    auto v =
        static_cast<std::uint64_t>(std::upper_bound(offsets.begin(), offsets.end(), at) - offsets.begin()) -
        1;
    row_check check;
    for (; at < to; ++v) {
      check.begin(v, at > offsets[v] ? std::uint64_t{ids[at - 1]} + 1 : 0);
      const std::uint64_t row_end = std::min(offsets[v + 1], to);
      if (weights == nullptr)
        for (; at < row_end; ++at) check.add(ids[at]);
      else
        for (; at < row_end; ++at) check.add(ids[at], times_of(weights[at]));
      check.end();
    }
    mine.order |= !check.tidy();
    mine.sums[d.number] += check.sums();
  }

  // Returns the range of values of a section that begin in [begin, end) of the file.
  template <class T>
  std::pair<std::uint64_t, std::uint64_t> clip(section s, std::uint64_t begin, std::uint64_t end) const {
    const extent& x = h_.section[s];
    const std::uint64_t from = std::max(begin, x.begin), to = std::min(end, x.begin + x.bytes);
    if (from >= to) return {0, 0};
    return {(from - x.begin) / sizeof(T), (to - x.begin) / sizeof(T)};
  }

  bool ascending(section s, std::uint64_t begin, std::uint64_t end, bool strictly) const {
    const auto all = values<std::uint64_t>(s);
    auto [from, to] = clip<std::uint64_t>(s, begin, end);
    from = std::max<std::uint64_t>(from, 1);
    bool good = true;
    for (std::uint64_t i = from; i < to; ++i) good &= strictly ? all[i - 1] < all[i] : all[i - 1] <= all[i];
    return good;
  }

  template <class T>
  bool in_range(section s, std::uint64_t begin, std::uint64_t end) const {
    const auto all = values<T>(s);
    const auto [from, to] = clip<T>(s, begin, end);
    T highest = 0;
    for (std::uint64_t i = from; i < to; ++i) highest = std::max(highest, all[i]);
    return from == to || highest < h_.vertices;
  }

  // Returns whether no weight is infinite or not a number: their exponents have all bits set.
  template <class Bits>
  bool finite(section s, std::uint64_t begin, std::uint64_t end, Bits exponent) const {
    const auto all = values<Bits>(s);
    const auto [from, to] = clip<Bits>(s, begin, end);
    bool good = true;
    for (std::uint64_t i = from; i < to; ++i) good &= (all[i] & exponent) != exponent;
    return good;
  }

  bool offsets_end_well() const {
    return ends_match(out_offsets, h_.arcs) && ends_match(in_offsets, h_.arcs);
  }

  bool ends_match(section offsets, std::uint64_t total) const {
    const auto all = values<std::uint64_t>(offsets);
    return all.empty() || (all.front() == 0 && all.back() == total);
  }

  bool names_good() {
    if (!is_labelled_by(labels::kind::strings)) return true;
    if (!ends_match(label_values, h_.section[label_bytes].bytes)) return false;
    local::forall_chunks(0, h_.vertices, 4096, [this](std::uint64_t b, std::uint64_t e) {
      const auto offsets = values<std::uint64_t>(label_values);
      const auto bytes = values<char>(label_bytes);
      for (; b < e; ++b)
        found_.here().names |= !is_clean_name({bytes.data() + offsets[b], offsets[b + 1] - offsets[b]});
    });
    return !found().names;
  }

  graph make() {
    std::vector<storage> keep{keep_};
    graph_view g;
    g.vertices = h_.vertices;
    g.arcs = h_.arcs;
    g.directed = h_.directed == 1;
    g.weights = weighted();
    const auto make_rows = [&](section offsets, section ids, section weights) {
      return adjacency{values<std::uint64_t>(offsets).data(), targets(ids, keep), weights_of(weights)};
    };
    g.out = g.in = make_rows(out_offsets, out_targets, out_weights);
    if (h_.in_is_out == 0) g.in = make_rows(in_offsets, in_targets, in_weights);
    return {g, make_labels(), statistics(), std::move(keep)};
  }

  const std::byte* weights_of(section s) const {
    return weighted() == weight_type::none ? nullptr : section_bytes(h_.section[s]).data();
  }

  // Returns the targets in place, or a copy if their width is not that of this build.
  const vertex_id* targets(section s, std::vector<storage>& keep) const {
    if (h_.id_bytes == sizeof(vertex_id)) return values<vertex_id>(s).data();
    check_width();
    machine::require_memory(h_.arcs * sizeof(vertex_id), "reading " + name_);
    using other = std::conditional_t<sizeof(vertex_id) == 4, std::uint64_t, std::uint32_t>;
    const other* const from = values<other>(s).data();
    buffer<vertex_id> copy(h_.arcs);
    vertex_id* const to = copy.data();
    local::forall_chunks(0, h_.arcs, 1 << 16, [from, to](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) to[b] = static_cast<vertex_id>(from[b]);
    });
    keep.push_back(std::move(copy).share());
    return to;
  }

  std::span<const std::byte> file_;
  std::string name_;
  storage keep_;
  const machine::mapped_file* mapped_;
  header h_;
  bool has_rows_ = false;  // the offsets are good
  local::scoped_per_core<findings> found_;
};

}  // namespace

bool is_native(std::span<const std::byte> file) {
  return file.size() >= k_magic.size() && std::memcmp(file.data(), k_magic.data(), k_magic.size()) == 0;
}

graph open_native(std::shared_ptr<const machine::mapped_file> file, const progress_hook& progress) {
  const auto bytes = file->bytes();
  const std::string name = file->path();
  const machine::mapped_file* const mapped = file.get();
  return std::make_unique<opener>(bytes, name, std::move(file), mapped)->open(progress);
}

graph open_native_bytes(std::span<const std::byte> bytes, const std::string& name, storage keep,
                        const progress_hook& progress) {
  return std::make_unique<opener>(bytes, name, std::move(keep), nullptr)->open(progress);
}

namespace {

// The state of a process that opens a native file.
struct native_state {
  std::string path;
  progress_hook progress;  // process 0 only
  std::shared_ptr<const machine::mapped_file> file;
  std::unique_ptr<opener> it;
  findings found;  // of all processes
};

// Adds up what all processes have found, in each of them. Collective.
void gather_findings(native_state& mine) {
  mine.found = {};
  for (const findings& each : all_gather_processes(mine.it->found())) mine.found += each;
}

}  // namespace

graph open_native_over_processes(const std::string& path, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  scoped_per_process<native_state> owner;
  const auto state = owner.handle();
  native_state& here = state.here();
  here.path = path;
  here.progress = progress;
  share_text(state, &native_state::path);
  on_all_processes([state] {
    native_state& mine = state.here();
    mine.file = std::make_shared<const machine::mapped_file>(mine.path);
    mine.it = std::make_unique<opener>(mine.file->bytes(), mine.path, mine.file, mine.file.get());
    mine.it->check_offsets(process(), processes(), mine.progress);
  });
  on_all_processes([state] { gather_findings(state.here()); });
  on_all_processes([state] {
    native_state& mine = state.here();
    mine.it->check_contents(process(), processes(), mine.found.offsets);
  });
  on_all_processes([state] { gather_findings(state.here()); });
  here.it->report_fault(here.found);
  here.it->check_width();

  const header& h = here.it->head();
  machine::require_memory(here.file->bytes().size() / processes(), "reading " + here.path);
  const symmetric_bounds bounds = make_symmetric_bounds();
  const auto weighted = static_cast<weight_type>(h.weight_form);
  const symmetric_rows out(h.vertices, h.arcs, weighted, bounds.data());
  std::vector<storage> keep{bounds.memory};
  out.keep(keep);
  graph_view g;
  g.vertices = h.vertices;
  g.arcs = h.arcs;
  g.directed = h.directed == 1;
  g.weights = weighted;
  g.out = g.in = out.view();
  g.process_bounds = bounds.data();
  if (h.in_is_out == 0) {
    const symmetric_rows in(h.vertices, h.arcs, weighted, bounds.data());
    in.keep(keep);
    g.in = in.view();
  }
  on_all_processes([state, g, to = bounds.data()] {
    const opener& mine = *state.here().it;
    std::ranges::copy(process_bounds_of(mine.work(), k_vertex_alignment, g.vertices), to);
    const vertex_range own = own_vertices(g);
    mine.copy_rows(out_offsets, out_targets, out_weights, own.begin, own.end, g.out);
    if (g.in.targets != g.out.targets)
      mine.copy_rows(in_offsets, in_targets, in_weights, own.begin, own.end, g.in);
  });
  graph_statistics statistics = here.it->statistics();
  statistics.load_seconds = machine::seconds_since(start);
  report(progress, "opening", h.file_bytes, h.file_bytes);
  return {g, here.it->make_labels(), std::move(statistics), std::move(keep)};
}

namespace {

template <class Header>
void reseal(std::span<std::byte> bytes) {
  Header h;
  if (bytes.size() < sizeof h) return;
  std::memcpy(&h, bytes.data(), sizeof h);
  const std::uint64_t end = h.checksums.begin;
  if (end >= k_data_begin && end <= bytes.size()) {
    for (std::uint64_t at = k_data_begin; at < end; at += k_block_bytes) {
      const std::uint64_t sum = io::checksum(bytes.subspan(at, std::min(k_block_bytes, end - at)));
      const std::uint64_t to = end + (at - k_data_begin) / k_block_bytes * 8;
      if (to + 8 <= bytes.size()) std::memcpy(bytes.data() + to, &sum, 8);
    }
    if (h.checksums.bytes <= bytes.size() - end)
      h.checksums_checksum = io::checksum(bytes.subspan(end, h.checksums.bytes));
  }
  std::memcpy(bytes.data(), &h, sizeof h);
  h.header_checksum = io::checksum(bytes.first(offsetof(Header, header_checksum)));
  std::memcpy(bytes.data(), &h, sizeof h);
}

}  // namespace

void reseal_native(std::span<std::byte> bytes) {
  std::uint32_t version = 0;
  if (bytes.size() >= sizeof(header_1))
    std::memcpy(&version, bytes.data() + offsetof(header_1, version), sizeof version);
  if (version == 1)
    reseal<header_1>(bytes);
  else
    reseal<header>(bytes);
}

}  // namespace gossamer::graph
