#pragma once
// The pairs of a result in order, after all of them were sorted. Each core has a range; ranges follow one
// another in the order of the cores. Readers read local ranges in place, and ranges of other processes after
// a copy in bulk.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"
#include "gossamer/mapreduce/internal/stage_cost.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// One core's range of an order. Long keys are stored with the result, or in the bytes that the cores of the
/// process received.
template <class Slot>
struct ordered_range {
  std::vector<Slot> slots;
  by_core<std::byte> received;  // holds long keys received from other processes
  text_arena texts;  // long keys of pairs that were merged by messages
  std::vector<std::byte> flat;  // the slots as bytes, while another process reads them
};

/// Reads the ranges of all cores from one of them.
template <class Block>
class range_reader {
  using key = typename Block::key_type;

 public:
  using slot = typename Block::slot;
  using all_ranges = per_core<ordered_range<slot>>;

  /// Copies the ranges of other processes to this one. By one fiber; suspends.
  explicit range_reader(all_ranges ranges) : ranges_(ranges) {
    if (processes() > 1) {
      on_all_cores([ranges, reader = std::uint64_t{process()}] {
        ordered_range<slot>& mine = ranges.here();
        if (process() == reader) return;
        pair_writer<key, slot> pairs;
        for (const slot& s : mine.slots) pairs.add(s);
        pairs.write(mine.flat);
      });
      bytes_ = collect_spans<std::byte>(
          ranges, [](ordered_range<slot>& r) { return std::span<const std::byte>(r.flat); });
      on_all_cores([ranges] { ranges.here().flat = {}; });
    }
    ends_ = collect(ranges, [](ordered_range<slot>& r) { return std::uint64_t{r.slots.size()}; });
    for (core_id c = 1; c < cores(); ++c) ends_[c] += ends_[c - 1];
  }

  /// Calls f(slot) for each pair in order, on this core.
  void for_each(function_ref<void(const slot&)> f) const {
    for (core_id c = 0; c < cores(); ++c) read(c, f);
  }
  /// Returns make(slot) for each pair in order. All cores of this process share the work. By one fiber;
  /// suspends.
  template <class Pair, class Make>
  std::vector<Pair> make_all(Make make) const {
    std::vector<Pair> all(ends_.back());
    local::on_all_cores([this, to = all.data(), make] {
      for (core_id c = local::here(); c < cores(); c += local::cores()) {
        Pair* next = to + (c == 0 ? 0 : ends_[c - 1]);
        read(c, [&](const slot& s) { *next++ = make(s); });
        charge_pairs(ends_[c] - (c == 0 ? 0 : ends_[c - 1]), k_own_pair_ns);
      }
    });
    return all;
  }

 private:
  /// Calls f(slot) for the range of a core.
  template <class F>
  void read(core_id c, F f) const {
    if (c - first_core(process()) < cores_per_process())
      for (const slot& s : ranges_.at(c).slots) f(s);
    else
      for_each_flat<key, slot>(std::span<const std::byte>(bytes_[c]), f);
  }

  all_ranges ranges_;
  std::vector<std::vector<std::byte>> bytes_;
  std::vector<std::uint64_t> ends_;  // of each core's range
};

}  // namespace gossamer::mapreduce
