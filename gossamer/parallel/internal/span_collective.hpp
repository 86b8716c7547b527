#pragma once
// Collectives of spans of any size with trivially copyable elements: a part of collective.hpp (include that
// header), with the same rules of use. Inside a process all cores copy directly from the source spans,
// between two barriers. Processes send and receive, in a separate tag space. The caller may change its spans
// when the call returns.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/message/core_id.hpp"

namespace gossamer {

/// The data of every core, concatenated in core order: [c] is the chunk of core c.
template <class U>
class by_core {
 public:
  by_core() = default;
  /// Allocates counts[c] elements for each core c.
  explicit by_core(std::span<const std::size_t> counts) : begin_(1, 0) {
    begin_.reserve(counts.size() + 1);
    for (const std::size_t n : counts) begin_.push_back(begin_.back() + n);
    data_.resize(begin_.back());
  }

  /// Returns the number of chunks: one for each core, or 0 if nothing was to be received.
  std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::span<const U> operator[](core_id c) const {
    return std::span(data_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }
  std::span<U> operator[](core_id c) {
    return std::span(data_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }
  const std::vector<U>& flat() const { return data_; }
  std::vector<U>& flat() { return data_; }

 private:
  std::vector<U> data_;
  std::vector<std::size_t> begin_;
};

namespace parallel {

template <class U>
concept span_element = std::is_trivially_copyable_v<U> && std::is_default_constructible_v<U>;

/// The bytes that a core contributes. They stay in place until the last barrier of the collective.
struct published_span {
  const std::byte* data;
  std::size_t bytes;
};

/// Publishes the span of this core and returns those of all cores. Collective.
std::vector<published_span> publish_to_all(std::span<const std::byte> mine);

void broadcast_bytes(std::span<std::byte> data, core_id root);
/// Gathers the bytes of all cores on the root, concatenated in `into`. On other cores `into` is empty.
void gather_bytes(const std::vector<published_span>& all, core_id root, std::span<std::byte> into);
void all_gather_bytes(const std::vector<published_span>& all, std::span<std::byte> into);

/// One core's part of an all-to-all: the data that it sends, concatenated, as is the data it receives.
struct outgoing {
  const std::byte* data;
  const std::size_t* begin;  // cores + 1 entries, in elements
  bool fits;  // the counts match the data
};
/// Publishes the chunks of this core. Throws on every core if the counts of one core do not match its data.
std::vector<outgoing> publish_chunks(const outgoing& mine);
std::vector<std::size_t> exchange_counts(const std::vector<outgoing>& all);
void exchange_bytes(const std::vector<outgoing>& all, std::size_t element,
                    std::span<const std::size_t> counts, std::byte* into);

template <class U>
std::vector<std::size_t> counts_of(const std::vector<published_span>& all) {
  std::vector<std::size_t> counts;
  counts.reserve(all.size());
  for (const published_span& s : all) counts.push_back(s.bytes / sizeof(U));
  return counts;
}

}  // namespace parallel

/// Copies the elements of core `root` to `data` of every core. Collective. Throws gossamer::error on every
/// core if the spans differ in length. Costs three barriers at most. Each process receives the data once, by
/// a binomial tree (log2 P sends in sequence). Each other core copies it once.
template <class U, std::size_t N>
void broadcast(std::span<U, N> data, core_id root) {
  static_assert(parallel::span_element<U> && !std::is_const_v<U>);
  (void)message::inside("broadcast", root);
  parallel::broadcast_bytes(std::as_writable_bytes(std::span<U>(data)), root);
}

/// Returns the elements of all cores, on core `root`; empty elsewhere. Collective. Lengths may differ. Costs
/// two barriers, and one message from each core of another process. Every byte is copied once inside a
/// process.
template <class U, std::size_t N>
by_core<std::remove_const_t<U>> gather(std::span<U, N> mine, core_id root) {
  using element = std::remove_const_t<U>;
  static_assert(parallel::span_element<element>);
  (void)message::inside("gather", root);
  const auto all = parallel::publish_to_all(std::as_bytes(std::span<const element>(mine)));
  by_core<element> got;
  if (here() == root) got = by_core<element>(parallel::counts_of<element>(all));
  parallel::gather_bytes(all, root, std::as_writable_bytes(std::span(got.flat())));
  return got;
}

/// Returns the elements of all cores, on every core. Collective. Lengths may differ. Costs three barriers at
/// most. Each process receives the bytes of each other one once, in a message, and its cores copy them from
/// there.
template <class U, std::size_t N>
by_core<std::remove_const_t<U>> all_gather(std::span<U, N> mine) {
  using element = std::remove_const_t<U>;
  static_assert(parallel::span_element<element>);
  const auto all = parallel::publish_to_all(std::as_bytes(std::span<const element>(mine)));
  by_core<element> got(parallel::counts_of<element>(all));
  parallel::all_gather_bytes(all, std::as_writable_bytes(std::span(got.flat())));
  return got;
}

/// Sends each core its chunk of `data` and returns the chunks of all cores for this one. Collective. `data`
/// has counts[c] elements for core c, in core order. Pairwise: core c sends to c + 1, c + 2, ... and receives
/// from c - 1, c - 2, ... So no core receives from all others at once. Costs two barriers. Each core of
/// another process is sent a message of 8 bytes, and one with the data if there is any. Throws
/// gossamer::error on every core, before anything is sent, if the counts of one core do not add up to its
/// data.
template <class U, std::size_t N>
by_core<std::remove_const_t<U>> all_to_all(std::span<U, N> data, std::span<const std::size_t> counts) {
  using element = std::remove_const_t<U>;
  static_assert(parallel::span_element<element>);
  std::vector<std::size_t> begin(1, 0);
  bool fits = counts.size() == cores();
  for (const std::size_t n : counts) {
    fits &= n <= data.size() - begin.back();  // else the sum might wrap
    begin.push_back(fits ? begin.back() + n : 0);
  }
  const auto all = parallel::publish_chunks({std::as_bytes(std::span<const element>(data)).data(),
                                             begin.data(), fits && begin.back() == data.size()});
  const std::vector<std::size_t> coming = parallel::exchange_counts(all);
  by_core<element> got(coming);
  parallel::exchange_bytes(all, sizeof(element), coming,
                           std::as_writable_bytes(std::span(got.flat())).data());
  return got;
}

/// Does the same as all_to_all() above, from one vector for each core.
template <class U>
by_core<U> all_to_all(const std::vector<std::vector<U>>& chunks) {
  std::vector<U> data;
  std::vector<std::size_t> counts;
  for (const std::vector<U>& chunk : chunks) {
    data.insert(data.end(), chunk.begin(), chunk.end());
    counts.push_back(chunk.size());
  }
  return all_to_all(std::span<const U>(data), counts);
}

/// Sends each element of `data` to core destination(element), and returns the elements for this core: [c] is
/// from core c, in the order they have there. Collective; lengths may differ. Costs an all_to_all() and two
/// passes over the elements, which are copied once into the order of their cores. Calls `destination` twice
/// for each element. An invalid core ends the program in one line.
template <class U, std::size_t N, class F>
by_core<std::remove_const_t<U>> exchange(std::span<U, N> data, F destination) {
  using element = std::remove_const_t<U>;
  static_assert(parallel::span_element<element>);
  static_assert(std::is_invocable_r_v<core_id, F&, const element&>,
                "destination(element) returns the number of a core");
  std::vector<std::size_t> counts(cores(), 0);
  for (const element& e : data) {
    const core_id to = destination(e);
    if (to >= counts.size()) [[unlikely]]
      (void)message::inside("exchange", to);
    ++counts[to];
  }
  std::vector<std::size_t> next(counts.size(), 0);
  for (std::size_t c = 1; c < counts.size(); ++c) next[c] = next[c - 1] + counts[c - 1];
  std::vector<element> ordered(data.size());
  for (const element& e : data) ordered[next[destination(e)]++] = e;
  return all_to_all(std::span<const element>(ordered), counts);
}

}  // namespace gossamer
