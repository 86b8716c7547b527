#include "gossamer/mapreduce/internal/exchange/block_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "gossamer/parallel/collective.hpp"

namespace gossamer::mapreduce {
namespace {

bool is_remote(core_id partition) { return partition - first_core(process()) >= cores_per_process(); }

}  // namespace

block_exchange::block_exchange(const memory_bound& bound) : bound_(bound) {
  if (processes() == 1) return;
  received_ = spill_store(bound.folder, k_buckets);
  next_.resize(cores());
}

bool block_exchange::find_next(const spill_store& mine, core_id partition, position& at) const {
  for (; at.bucket < k_buckets; ++at.bucket, at.block = {})
    if (mine.list(partition * std::size_t{k_buckets} + at.bucket).has_more(at.block)) return true;
  return false;
}

bool block_exchange::unsent(const spill_store& mine) const {
  for (core_id p = 0; p < next_.size(); ++p) {
    position at = next_[p];
    if (is_remote(p) && find_next(mine, p, at)) return true;
  }
  return false;
}

void block_exchange::send_some(spill_store& mine) {
  const std::uint64_t most = bound_.share / 8 / cores();
  std::vector<std::byte> bytes;
  std::vector<std::size_t> counts;
  for (core_id p = 0; p < cores(); ++p) {
    const std::size_t before = bytes.size();
    for (position& at = next_[p]; is_remote(p) && find_next(mine, p, at);) {
      block_list::position next = at.block;
      const pair_block block = mine.list(p * std::size_t{k_buckets} + at.bucket).read(next);
      const header head{block.place, block.pairs, at.bucket};
      const std::size_t size = bytes.size();
      if (size != before && size - before + sizeof head + block.place.stored > most) break;
      bytes.resize(size + sizeof head + block.place.stored);
      std::memcpy(bytes.data() + size, &head, sizeof head);
      mine.file().read(block.place.at, std::span(bytes).subspan(size + sizeof head));
      at.block = next;
    }
    counts.push_back(bytes.size() - before);
  }
  const auto got = all_to_all(std::span<const std::byte>(bytes), counts);
  for (core_id c = 0; c < cores(); ++c)
    for (std::span<const std::byte> rest = got[c]; !rest.empty();) {
      header head;
      std::memcpy(&head, rest.data(), sizeof head);
      received_.add_stored(head.bucket, {head.place, head.pairs},
                           rest.subspan(sizeof head, head.place.stored));
      rest = rest.subspan(sizeof head + head.place.stored);
    }
}

}  // namespace gossamer::mapreduce
