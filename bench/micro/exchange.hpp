#pragma once
// Pairs of fibers or threads on two processors send each other messages there and back. All share one matching table, or two processes
// have a table each. The same program by each library of fibers tells what the library is worth to such messages. A Waiter is one
// fiber's: wait() returns when signal() has been called once more, by any other one. Waiter::yield() lets the others of the processor
// run.

#include <atomic>
#include <cstring>
#include <memory>

#include "gossamer/machine/memory.hpp"
#include "gossamer/message/matching_table.hpp"
#include "micro/cases.hpp"
#include "micro/two_processes.hpp"

namespace gossamer::bench {

/// Returns the distance of messages, in lines of their own with room for a number.
inline std::uint64_t exchange_stride(std::uint64_t bytes) {
  return (std::max(bytes, sizeof(std::uint64_t)) + 63) / 64 * 64;
}

template <class Waiter>
class exchange {
 public:
  exchange(std::uint64_t pairs, std::uint64_t bytes, std::uint64_t rounds)
      : rounds_(rounds),
        bytes_(bytes),
        stride_(exchange_stride(bytes)),
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

/// One process's part of the exchange between two: a table of its own, in which its receives meet what comes through the channel.
template <class Waiter>
class process_exchange {
 public:
  process_exchange(unsigned side, std::uint64_t pairs, std::uint64_t bytes, std::uint64_t rounds,
                   channel& out, channel& in)
      : side_(side),
        rounds_(rounds),
        bytes_(bytes),
        stride_(exchange_stride(bytes)),
        out_(out),
        in_(in),
        table_(std::max<std::uint64_t>(2 * pairs, 1024)),
        sent_(pairs * stride_),
        arrived_(pairs * stride_),
        received_(pairs * stride_),
        playing_(pairs) {}

  /// Plays the part of fiber `pair`: on side 0 it sends first.
  void play(std::uint64_t pair, Waiter& self) {
    for (std::uint64_t i = 0; i < rounds_; ++i) {
      if (side_ == 0) send(pair, i);
      receive(pair, self);
      if (std::memcmp(&received_[pair * stride_], &i, std::min(bytes_, sizeof i)) != 0)
        wrong_.fetch_add(1, std::memory_order_relaxed);
      if (side_ == 1) send(pair, i);
    }
    playing_.fetch_sub(1, std::memory_order_relaxed);
  }
  /// Delivers what comes until all fibers of this process have played. For one fiber or thread beside them.
  void serve() {
    while (playing_.load(std::memory_order_relaxed) > 0) {
      while (in_.receive([&](std::uint64_t pair, const std::byte* m) { deliver(pair, m); })) {}
      Waiter::yield();
    }
  }
  /// Returns whether each message held its number. After all have played.
  bool right() const { return wrong_.load(std::memory_order_relaxed) == 0; }

 private:
  message::match_key key_of(std::uint64_t pair) const { return {pair, 1 - side_}; }
  void copy(std::uint64_t pair) {
    std::memcpy(&received_[pair * stride_], &arrived_[pair * stride_], bytes_);
  }
  void send(std::uint64_t pair, std::uint64_t word) {
    std::byte* const message = &sent_[pair * stride_];
    std::memcpy(message, &word, sizeof word);
    out_.send(pair, message);
  }
  /// Matches a message with its receive: the second one copies, as in exchange.
  void deliver(std::uint64_t pair, const std::byte* message) {
    std::memcpy(&arrived_[pair * stride_], message, bytes_);
    const auto met = table_.match(key_of(pair), message::match_kind::send, &arrived_[pair * stride_]);
    if (met.what != message::match_result::status::matched) return;
    copy(pair);
    static_cast<Waiter*>(met.value)->signal();
  }
  void receive(std::uint64_t pair, Waiter& self) {
    const auto met = table_.match(key_of(pair), message::match_kind::receive, &self);
    if (met.what == message::match_result::status::matched)
      copy(pair);
    else
      self.wait();
  }

  const unsigned side_;
  const std::uint64_t rounds_, bytes_, stride_;
  channel &out_, &in_;
  message::matching_table table_;
  std::vector<std::byte> sent_, arrived_, received_;  // of each pair
  std::atomic<std::uint64_t> playing_, wrong_{0};
};

/// Returns the pairs of fibers that the available memory has room for, where a fiber takes so many bytes: with half as much again for
/// the library, the message and the table.
inline std::uint64_t exchange_room(std::uint64_t fiber_bytes) {
  return machine::available_memory() / (3 * fiber_bytes);
}

inline std::uint64_t exchange_rounds(const settings& s, const exchange_size& size) {
  return std::max<std::uint64_t>(20, s.pick(200'000, 2000) / size.pairs);
}

/// Measures. run(pairs, body) calls body(side, pair, waiter) in a fiber for each side and pair, side 0 on one processor and side 1
/// on another, and returns when all have ended: to make and to join the fibers counts.
template <class Waiter, class Run>
row exchange_row(const settings& s, const exchange_size& size, Run run) {
  const std::uint64_t rounds = exchange_rounds(s, size);
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

/// Measures the exchange between two processes. Each calls run(pairs, begin, serve, play), which makes what its library needs and calls
/// begin(). It then makes a fiber that calls serve(), and one for each pair that calls play(pair, waiter). It returns the time from
/// begin() until all have ended.
template <class Waiter, class Run>
row process_exchange_row(const settings& s, const exchange_size& size, Run run) {
  const std::uint64_t rounds = exchange_rounds(s, size);
  const std::uint64_t slots = std::bit_ceil(size.pairs);  // of each pair one message is under way
  const std::size_t ring = channel::memory_for(slots, size.bytes);
  struct both {  // in shared memory
    start_line start{2};
    std::atomic<bool> wrong{false};
  };
  constexpr std::size_t k_head = (sizeof(both) + 63) / 64 * 64;
  bool right = true;
  const samples ns = repeat(s, [&] {
    const shared_memory memory(k_head + 2 * ring);
    auto& state = *new (memory.data()) both;
    double took = 0;
    in_two_processes([&](unsigned side) {
      channel one(memory.data() + k_head, slots, size.bytes);
      channel other(memory.data() + k_head + ring, slots, size.bytes);
      process_exchange<Waiter> mine(side, size.pairs, size.bytes, rounds, side == 0 ? one : other,
                                    side == 0 ? other : one);
      took = run(
          size.pairs, [&] { state.start.arrive(); }, [&] { mine.serve(); },
          [&](std::uint64_t pair, Waiter& self) { mine.play(pair, self); });
      if (!mine.right()) state.wrong.store(true, std::memory_order_relaxed);
    });
    right &= !state.wrong.load(std::memory_order_relaxed);
    return took / static_cast<double>(2 * rounds * size.pairs);
  });
  return point(checked(row_of(k_exchange_processes, exchange_case(size), "ns", ns), right),
               fmt::format("{}, between two processes", size.curve), size.x);
}

}  // namespace gossamer::bench
