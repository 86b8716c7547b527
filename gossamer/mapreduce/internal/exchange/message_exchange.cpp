#include "gossamer/mapreduce/internal/exchange/message_exchange.hpp"

#include "gossamer/machine/memory.hpp"

namespace gossamer::mapreduce {

void pairwise_exchange::exchange_sizes(message_tag tag, std::vector<std::vector<std::byte>> chunks) {
  const core_id n = cores(), me = here();
  sent_ = std::move(chunks);
  std::vector<std::uint64_t> sizes(n, 0);
  std::uint64_t all = 0;
  for (core_id k = 1; k < n; ++k) {
    const core_id to = (me + k) % n, from = (me + n - k) % n;
    message::send_value(to, tag, std::uint64_t{sent_[to].size()});
    sizes[from] = message::receive_value<std::uint64_t>(from, tag);
    all += sizes[from];
  }
  machine::require_chunk(all, "pairs of other cores");
  received_ = std::vector<std::vector<std::byte>>(n);
  for (core_id c = 0; c < n; ++c) received_[c].resize(sizes[c]);
  received_[me] = std::move(sent_[me]);
}

void pairwise_exchange::exchange_data(message_tag tag) {
  const core_id n = cores(), me = here();
  for (core_id k = 1; k < n; ++k) {
    const core_id to = (me + k) % n, from = (me + n - k) % n;
    request coming;
    if (!received_[from].empty()) message::ireceive(coming, from, tag, received_[from]);
    if (!sent_[to].empty()) message::send(to, tag, sent_[to]);
    if (!received_[from].empty()) coming.wait();
    sent_[to] = {};
  }
}

void binomial_tree::exchange_sizes(message_tag tag, core_id root, std::uint64_t mine, std::uint64_t shared) {
  const core_id n = cores(), rank = (here() + n - root) % n;
  children_.clear();
  is_root_ = rank == 0;
  std::uint64_t all = mine;
  for (std::uint64_t bit = 1; bit < n; bit <<= 1) {
    if ((rank & bit) != 0) {
      parent_ = static_cast<core_id>((rank - bit + root) % n);
      message::send_value(parent_, tag, all);
      break;
    }
    if (rank + bit >= n) continue;
    const auto from = static_cast<core_id>((rank + bit + root) % n);
    const auto bytes = message::receive_value<std::uint64_t>(from, tag);
    machine::require_chunk(bytes, "sorted pairs of other cores");
    children_.push_back({from, std::vector<std::byte>(bytes)});
    all += bytes - shared;
  }
}

}  // namespace gossamer::mapreduce
