#pragma once
// Pairs of fibers or threads on two processors that send each other messages there and back, through one matching table that all of
// them share: the same program by each library of fibers, which tells what the library is worth to such messages. A Waiter is
// one fiber's: wait() returns when signal() has been called once more, by any other one.

#include <atomic>
#include <cstring>
#include <memory>

#include "gossamer/machine/memory.hpp"
#include "gossamer/message/matching_table.hpp"
#include "micro/cases.hpp"

namespace gossamer::bench {

template <class Waiter>
class exchange {
 public:
  exchange(std::uint64_t pairs, std::uint64_t bytes, std::uint64_t rounds)
      : rounds_(rounds),
        bytes_(bytes),
        stride_((std::max(bytes, sizeof(std::uint64_t)) + 63) / 64 * 64),
        table_(std::max<std::uint64_t>(4 * pairs, 1024)),
        places_(2 * pairs),
        sent_(2 * pairs * stride_),
        received_(2 * pairs * stride_) {}

  /// Plays the part of fiber `pair` on one of both sides: 0 sends first.
  void play(unsigned side, std::uint64_t pair, Waiter& self) {
    const std::uint64_t mine = 2 * pair + side;
    places_[mine] = {&self, mine};
    for (std::uint64_t i = 0; i < rounds_; ++i) {
      if (side == 0) send(mine, i);
      receive(mine, self);
      if (std::memcmp(&received_[mine * stride_], &i, std::min(bytes_, sizeof i)) != 0)
        wrong_.fetch_add(1, std::memory_order_relaxed);
      if (side == 1) send(mine, i);
    }
  }
  /// Returns whether each message held its number. After all have played.
  bool right() const { return wrong_.load(std::memory_order_relaxed) == 0; }

 private:
  struct alignas(16) place {
    Waiter* waiter = nullptr;
    std::uint64_t number = 0;  // of this place
  };

  static std::uint32_t side_of(std::uint64_t number) { return number % 2; }
  /// Copies what a fiber sends to the place of its receiver. Either may come first: the second one copies.
  void copy(std::uint64_t from, std::uint64_t to) {
    std::memcpy(&received_[to * stride_], &sent_[from * stride_], bytes_);
  }
  void send(std::uint64_t mine, std::uint64_t word) {
    std::memcpy(&sent_[mine * stride_], &word, sizeof word);
    const message::match_result met =
        table_.match({mine / 2, side_of(mine)}, message::match_kind::send, &places_[mine]);
    if (met.what != message::match_result::status::matched) return;
    const auto& to = *static_cast<place*>(met.value);
    copy(mine, to.number);
    to.waiter->signal();
  }
  void receive(std::uint64_t mine, Waiter& self) {
    const message::match_result met =
        table_.match({mine / 2, 1 - side_of(mine)}, message::match_kind::receive, &places_[mine]);
    if (met.what == message::match_result::status::matched)
      copy(static_cast<place*>(met.value)->number, mine);
    else
      self.wait();
  }

  const std::uint64_t rounds_, bytes_, stride_;
  message::matching_table table_;
  std::vector<place> places_;  // side 0 and side 1 of each pair
  std::vector<std::byte> sent_, received_;  // of each place: a sent one stays until its receiver answers
  std::atomic<std::uint64_t> wrong_{0};
};

/// Returns the pairs of fibers that the available memory has room for, where a fiber takes so many bytes: with half as much again for
/// the library, the message and the table.
inline std::uint64_t exchange_room(std::uint64_t fiber_bytes) {
  return machine::available_memory() / (3 * fiber_bytes);
}

/// Measures. run(pairs, body) calls body(side, pair, waiter) in a fiber for each side and pair, side 0 on one processor and side 1
/// on another, and returns when all have ended: to make and to join the fibers counts.
template <class Waiter, class Run>
row exchange_row(const settings& s, const exchange_size& size, Run run) {
  const std::uint64_t rounds = std::max<std::uint64_t>(20, s.pick(200'000, 2000) / size.pairs);
  bool right = true;
  const samples ns = repeat(s, [&] {
    const auto all = std::make_unique<exchange<Waiter>>(size.pairs, size.bytes, rounds);
    const double took = run(
        size.pairs, [&](unsigned side, std::uint64_t pair, Waiter& self) { all->play(side, pair, self); });
    right &= all->right();
    return took / static_cast<double>(2 * rounds * size.pairs);
  });
  return point(checked(row_of("exchange", exchange_case(size), "ns", ns), right), size.curve, size.x);
}

}  // namespace gossamer::bench
