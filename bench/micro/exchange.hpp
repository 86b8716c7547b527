#pragma once
// Pairs of fibers or threads on two processors that send each other 8 bytes there and back, through one matching table that all of
// them share: the same program by each library of fibers, which tells what the library is worth to such messages. A Waiter is
// one fiber's: wait() returns when signal() has been called once more, by any other one.

#include <array>
#include <atomic>
#include <memory>

#include "gossamer/message/matching_table.hpp"
#include "micro/cases.hpp"

namespace gossamer::bench {

template <class Waiter>
class exchange {
 public:
  exchange(std::uint64_t pairs, std::uint64_t rounds)
      : rounds_(rounds), table_(std::max<std::uint64_t>(4 * pairs, 1024)), places_(pairs) {}

  /// Plays the part of fiber `pair` on one of both sides: 0 sends first.
  void play(unsigned side, std::uint64_t pair, Waiter& self) {
    place& mine = places_[pair].of[side];
    for (std::uint64_t i = 0; i < rounds_; ++i) {
      if (side == 0) send(mine, side, pair, i);
      const std::uint64_t got = receive(mine, side, pair, self);
      if (got != i) wrong_.fetch_add(1, std::memory_order_relaxed);
      if (side == 1) send(mine, side, pair, i);
    }
  }
  /// Returns whether each message held its number. After all have played.
  bool right() const { return wrong_.load(std::memory_order_relaxed) == 0; }

 private:
  struct alignas(64) place {
    std::uint64_t sent = 0;  // until its receiver has read it
    std::uint64_t received = 0;
    Waiter* waiter = nullptr;  // of the side that receives
  };
  struct both {
    std::array<place, 2> of;
  };

  void send(place& mine, unsigned side, std::uint64_t pair, std::uint64_t word) {
    mine.sent = word;
    const message::match_result met = table_.match({pair, side}, message::match_kind::send, &mine);
    if (met.what != message::match_result::status::matched) return;
    auto& to = *static_cast<place*>(met.value);
    to.received = word;
    to.waiter->signal();
  }
  std::uint64_t receive(place& mine, unsigned side, std::uint64_t pair, Waiter& self) {
    mine.waiter = &self;
    const message::match_result met = table_.match({pair, 1 - side}, message::match_kind::receive, &mine);
    if (met.what == message::match_result::status::matched) return static_cast<place*>(met.value)->sent;
    self.wait();
    return mine.received;
  }

  const std::uint64_t rounds_;
  message::matching_table table_;
  std::vector<both> places_;
  std::atomic<std::uint64_t> wrong_{0};
};

/// Measures. run(pairs, body) calls body(side, pair, waiter) in a fiber for each side and pair, side 0 on one processor and side 1
/// on another, and returns when all have ended.
template <class Waiter, class Run>
row exchange_row(const settings& s, std::uint64_t pairs, Run run) {
  const std::uint64_t rounds = std::max<std::uint64_t>(10, s.pick(200'000, 2000) / pairs);
  bool right = true;
  const samples ns = repeat(s, [&] {
    const auto all = std::make_unique<exchange<Waiter>>(pairs, rounds);
    const double took =
        run(pairs, [&](unsigned side, std::uint64_t pair, Waiter& self) { all->play(side, pair, self); });
    right &= all->right();
    return took / static_cast<double>(2 * rounds * pairs);
  });
  return point(checked(row_of("exchange", exchange_case(pairs), "ns", ns), right), k_exchange_curve,
               static_cast<double>(pairs));
}

}  // namespace gossamer::bench
