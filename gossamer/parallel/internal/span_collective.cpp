#include "gossamer/parallel/internal/span_collective.hpp"

#include <bit>
#include <memory>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"

namespace gossamer::parallel {

namespace {

constexpr std::uint16_t k_space = 0xfffd;
constexpr message_tag k_broadcast = tag_in(k_space, 0), k_gather = tag_in(k_space, 1),
                      k_all_gather = tag_in(k_space, 2), k_count = tag_in(k_space, 3),
                      k_data = tag_in(k_space, 4);

bool local(core_id c) { return process_of(c) == process(); }

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

/// A set of requests to wait for.
class requests {
 public:
  explicit requests(std::size_t most) : all_(std::make_unique<request[]>(most)) {}
  request& next() { return all_[used_++]; }
  void wait() {
    for (std::size_t i = 0; i < used_; ++i) all_[i].wait();
  }

 private:
  std::unique_ptr<request[]> all_;
  std::size_t used_ = 0;
};

}  // namespace

std::vector<published_span> publish_to_all(std::span<const std::byte> mine) {
  return all_gather(published_span{mine.data(), mine.size()});
}

// --- broadcast ------------------------------------------------------------------------------------

namespace {

/// Forwards the root's data along a binomial tree of the processes, relative to the root's. The first core of
/// each process takes part; in the root's process, the root.
void pass_on(std::span<std::byte> data, core_id root) {
  const unsigned n = processes(), origin = process_of(root), me = (process() + n - origin) % n;
  const auto speaker = [&](unsigned relative) {
    return relative == 0 ? root : first_core((origin + relative) % n);
  };
  unsigned d = me != 0 ? me & -me : std::bit_ceil(n);
  if (me != 0) (void)message::receive(speaker(me - d), k_broadcast, data);
  while ((d /= 2) != 0)
    if (me + d < n) message::send(speaker(me + d), k_broadcast, data);
}

}  // namespace

void broadcast_bytes(std::span<std::byte> data, core_id root) {
  const std::vector<published_span> all = publish_to_all(data);
  for (core_id c = 0; c < cores(); ++c)
    if (all[c].bytes != all[root].bytes)
      throw error(
          fmt::format("broadcast: expected {} bytes on every core, as on core {}, found {} on core {}",
                      all[root].bytes, root, all[c].bytes, c));
  if (data.empty()) return;
  const core_id source = local(root) ? root : first_core(process());
  if (processes() > 1) {
    if (here() == source) pass_on(data, root);
    barrier();  // the sources have it
  }
  if (here() != source) copy(data.data(), all[source].data, data.size());
  barrier();  // and may change it afterwards
}

// --- gather ---------------------------------------------------------------------------------------

void gather_bytes(const std::vector<published_span>& all, core_id root, std::span<std::byte> into) {
  if (here() == root) {
    requests receives(cores());
    std::byte* at = into.data();
    for (core_id c = 0; c < cores(); at += all[c++].bytes)
      if (!local(c) && all[c].bytes != 0) message::ireceive(receives.next(), c, k_gather, {at, all[c].bytes});
    at = into.data();
    for (core_id c = 0; c < cores(); at += all[c++].bytes)
      if (local(c)) copy(at, all[c].data, all[c].bytes);
    receives.wait();
  } else if (const published_span& mine = all[here()]; !local(root) && mine.bytes != 0) {
    message::send(root, k_gather, {mine.data, mine.bytes});
  }
  barrier();  // the published data may be changed now
}

namespace {

/// Returns the offset of the bytes of each process, and the end of the last ones.
std::vector<std::size_t> begins_of_processes(const std::vector<published_span>& all) {
  std::vector<std::size_t> begin(1, 0);
  for (unsigned p = 0; p < processes(); ++p) {
    std::size_t sum = 0;
    for (core_id c = first_core(p); c < first_core(p + 1); ++c) sum += all[c].bytes;
    begin.push_back(begin.back() + sum);
  }
  return begin;
}

/// Exchanges the blocks of all processes. First cores only. Sends the bytes of its own process, which are in
/// place, to all others and receives theirs.
void trade_blocks(const std::vector<std::size_t>& begin, std::span<std::byte> into) {
  const unsigned n = processes(), me = process();
  const auto block = [&](unsigned p) { return into.subspan(begin[p], begin[p + 1] - begin[p]); };
  requests open(2 * std::size_t{n});
  for (unsigned step = 1; step < n; ++step) {
    const unsigned from = (me + n - step) % n;
    if (!block(from).empty()) message::ireceive(open.next(), first_core(from), k_all_gather, block(from));
  }
  for (unsigned step = 1; step < n && !block(me).empty(); ++step)
    message::isend(open.next(), first_core((me + step) % n), k_all_gather, block(me));
  open.wait();
}

}  // namespace

void all_gather_bytes(const std::vector<published_span>& all, std::span<std::byte> into) {
  std::byte* at = into.data();
  for (core_id c = 0; c < cores(); at += all[c++].bytes)
    if (local(c)) copy(at, all[c].data, all[c].bytes);
  if (processes() > 1) {
    const core_id first = first_core(process());
    const std::vector<std::size_t> begin = begins_of_processes(all);
    if (here() == first) trade_blocks(begin, into);
    const auto wholes = all_gather(static_cast<const std::byte*>(into.data()));
    const std::byte* const whole = wholes[first];
    for (unsigned p = 0; p < processes() && here() != first; ++p)
      if (p != process()) copy(into.data() + begin[p], whole + begin[p], begin[p + 1] - begin[p]);
  }
  barrier();  // the published data may be changed now
}

// --- all to all -----------------------------------------------------------------------------------

std::vector<outgoing> publish_chunks(const outgoing& mine) {
  std::vector<outgoing> all = all_gather(mine);
  for (core_id c = 0; c < cores(); ++c)
    if (!all[c].fits)
      throw error(
          fmt::format("all_to_all: expected {} counts that add up to the elements given, found others "
                      "on core {}",
                      cores(), c));
  return all;
}

std::vector<std::size_t> exchange_counts(const std::vector<outgoing>& all) {
  const core_id me = here();
  std::vector<std::size_t> counts(cores());
  for (unsigned step = 1; step < cores(); ++step) {
    const core_id to = (me + step) % cores();
    if (!local(to)) message::send_value(to, k_count, all[me].begin[to + 1] - all[me].begin[to]);
  }
  for (unsigned step = 0; step < cores(); ++step) {
    const core_id from = (me + cores() - step) % cores();
    counts[from] = local(from) ? all[from].begin[me + 1] - all[from].begin[me]
                               : message::receive_value<std::size_t>(from, k_count);
  }
  return counts;
}

void exchange_bytes(const std::vector<outgoing>& all, std::size_t element,
                    std::span<const std::size_t> counts, std::byte* into) {
  const core_id me = here();
  std::vector<std::byte*> at(cores());
  for (core_id c = 0; c < cores(); into += counts[c++] * element) at[c] = into;
  requests open(2 * std::size_t{cores()});
  for (unsigned step = 1; step < cores(); ++step) {
    const core_id from = (me + cores() - step) % cores();
    if (!local(from) && counts[from] != 0)
      message::ireceive(open.next(), from, k_data, {at[from], counts[from] * element});
  }
  for (unsigned step = 1; step < cores(); ++step) {
    const core_id to = (me + step) % cores();
    const std::size_t* const begin = all[me].begin + to;
    if (!local(to) && begin[0] != begin[1])
      message::isend(open.next(), to, k_data,
                     {all[me].data + begin[0] * element, (begin[1] - begin[0]) * element});
  }
  for (unsigned step = 0; step < cores(); ++step) {
    const core_id from = (me + cores() - step) % cores();
    if (local(from)) copy(at[from], all[from].data + all[from].begin[me] * element, counts[from] * element);
  }
  open.wait();
  barrier();  // the published data may be changed now
}

}  // namespace gossamer::parallel
