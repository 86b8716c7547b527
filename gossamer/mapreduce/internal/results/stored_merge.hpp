#pragma once
// Merges the pairs of all cores that are in scratch files. Each core first sorts its own pairs into runs.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/spilling/stored_pairs.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/remote.hpp"

namespace gossamer::mapreduce {

/// The sorted pairs of a core of another process, read chunk by chunk.
template <class Block>
class remote_pairs {
  using key = typename Block::key_type;
  using slot = typename Block::slot;

 public:
  remote_pairs(per_core<Block> all, core_id core) : all_(all), core_(core) {}
  /// Advances to the next pair. Returns false at the end. Suspends at the end of a chunk.
  bool next() {
    if (++at_ < slots_.size()) return true;
    bytes_ = on_core(core_, [all = all_] {
      Block& there = all.here();
      return there.next_sorted ? there.next_sorted() : std::vector<std::byte>();
    });
    slots_.clear();
    at_ = 0;
    if (bytes_.empty()) return false;
    for_each_flat<key, slot>(std::span<const std::byte>(bytes_), [&](const slot& s) { slots_.push_back(s); });
    return true;
  }
  const slot& pair() const { return slots_[at_]; }

 private:
  per_core<Block> all_;
  core_id core_;
  std::size_t at_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<slot> slots_;
};

/// Calls f(slot) for each pair in order. By one fiber; suspends.
template <class Block, class Order>
void merge_stored(per_core<Block> blocks, Order before, function_ref<void(const typename Block::slot&)> f) {
  using key = typename Block::key_type;
  using slot = typename Block::slot;
  using merger = block_merger<key, slot, Order>;
  on_all_cores([before, all = blocks, root = process()] {
    Block& mine = all.here();
    if (!mine.stored) return;
    mine.stored->sort(before);
    if (process() == root) return;
    auto runs = std::make_shared<merger>(before);
    mine.stored->add_runs_to(*runs, mine.stored->codec());
    runs->start();
    mine.next_sorted = [runs] {
      constexpr std::size_t k_chunk_bytes = 256 << 10;
      pair_writer<key, slot> pairs;
      for (; !runs->ended() && pairs.bytes() < k_chunk_bytes; runs->next()) pairs.add(runs->pair());
      std::vector<std::byte> bytes;
      if (pairs.pairs() != 0) pairs.write(bytes);
      return bytes;
    };
  });
  io::block_codec codec;
  merger here(before);
  std::vector<remote_pairs<Block>> remote;
  for (core_id c = 0; c < cores(); ++c) {
    if (c - first_core(process()) >= cores_per_process())
      remote.emplace_back(blocks, c);
    else if (blocks.at(c).stored)
      blocks.at(c).stored->add_runs_to(here, codec);
  }
  here.start();
  std::erase_if(remote, [](remote_pairs<Block>& r) { return !r.next(); });
  while (!here.ended() || !remote.empty()) {
    remote_pairs<Block>* from = nullptr;
    const slot* first = here.ended() ? nullptr : &here.pair();
    for (remote_pairs<Block>& r : remote)
      if (first == nullptr || before(r.pair(), *first)) {
        from = &r;
        first = &r.pair();
      }
    f(*first);
    if (from == nullptr)
      here.next();
    else if (!from->next())
      remote.erase(remote.begin() + (from - remote.data()));
  }
  on_all_cores([all = blocks] {
    all.here().next_sorted = nullptr;
    if (all.here().stored) all.here().stored->forget_sorted();
  });
}

}  // namespace gossamer::mapreduce
