#pragma once
// The lanes of a process: two for every ordered pair of cores (requests, replies). If there are few cores,
// each polls all lanes that lead to it. If there are many, each has a bitmap of the cores that may have sent
// something, so that polling reads one line however many cores there are. A lane of zero bytes is empty, so
// it takes memory when it is first used. Nothing is written at the start, and with many cores no lane is read
// before a packet has arrived in it.
//
// Requests from core to core use lanes of lines (lane.hpp), except with very many cores.
//
//   arrivals: producer sets its bit after pushing (seq_cst); the consumer clears the words, then empties
//   those lanes. A push after the clearing sets the bit again, so nothing stays unseen.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/lane.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer::fabric {

class mesh {
 public:
  /// Up to so many cores a core polls every lane: one line less for each packet.
  static constexpr unsigned k_few_cores = 8;

  /// Up to so many cores all lanes together, 90 MiB, may get huge pages, which saves misses if all cores send
  /// to all. Up to so many cores, requests from core to core use lanes of lines.
  static constexpr unsigned k_dense_cores = 128;

  /// Makes the lanes of so many endpoints. The last ones, behind `line_cores`, use addresses only: try_push()
  /// and between().
  mesh(unsigned cores, unsigned line_cores)
      : cores_(cores),
        words_(divide_up(cores, 64U)),
        line_cores_(line_cores <= k_dense_cores ? line_cores : 0),
        lanes_(std::size_t{cores} * cores * k_traffic_classes, "lanes between cores",
               cores <= k_dense_cores ? machine::pages::as_default : machine::pages::small),
        line_lanes_(std::size_t{line_cores_} * line_cores_, "lanes between cores"),
        arrivals_(std::size_t{cores} * divide_up(words_, std::uint64_t{k_row_words}), "bits of arrivals") {}

  unsigned cores() const { return cores_; }

  /// Returns the lane of addresses. Requests between two cores may use a lane of lines instead.
  lane& between(unsigned from, unsigned to, traffic kind) const {
    return lanes_[(std::size_t{to} * cores_ + from) * k_traffic_classes + static_cast<std::size_t>(kind)];
  }

  /// Calls f(lane) with the lane of requests.
  template <class F>
  decltype(auto) with_requests(unsigned from, unsigned to, F f) const {
    if (by_lines(from, to)) return f(line_lanes_[std::size_t{to} * line_cores_ + from]);
    return f(between(from, to, traffic::request));
  }

  /// Adds a packet to the lane of its kind. Producer only. Returns false if the lane is full. If it returns
  /// true, the caller notifies core `to`.
  [[nodiscard]] bool try_push(packet& p, unsigned from, unsigned to) {
    const bool added = p.kind == traffic::request
                           ? with_requests(from, to, [&](auto& lane) { return lane.try_push(p); })
                           : between(from, to, p.kind).try_push(p);
    if (added) note_arrival(from, to);
    return added;
  }
  /// Does the same with a copy of the packet, which the caller keeps. Only if takes_copy().
  [[nodiscard]] bool try_copy(const packet& p, unsigned from, unsigned to) {
    if (!line_lanes_[std::size_t{to} * line_cores_ + from].try_copy(p)) return false;
    note_arrival(from, to);
    return true;
  }
  bool takes_copy(const packet& p, unsigned from, unsigned to) const {
    return p.bytes <= line_lane::k_inside_bytes && p.kind == traffic::request && by_lines(from, to);
  }

  /// Returns whether core `to` has taken all packets. Producer only. A cache miss if it has taken something
  /// since the last call.
  bool all_taken(unsigned from, unsigned to, traffic kind) const {
    return kind == traffic::request
               ? with_requests(from, to, [](const auto& lane) { return lane.all_taken(); })
               : between(from, to, kind).all_taken();
  }

  /// Returns whether something may have arrived at core `to`. For the consumer before it sleeps. Requests of
  /// the cores whose bits are set in `held_up` do not count. Pairs with try_push().
  bool any_arrival(unsigned to, std::span<const std::uint64_t> held_up) const {
    if (!few()) {
      for (std::size_t w = 0; w < words_; ++w)
        if (arrival_word(to, w).load(std::memory_order_seq_cst) != 0) return true;
      return false;
    }
    for (unsigned from = 0; from < cores_; ++from)
      if (between(from, to, traffic::reply).waiting() ||
          ((held_up[0] >> from & 1) == 0 &&
           with_requests(from, to, [](const auto& lane) { return lane.waiting(); })))
        return true;
    return false;
  }
  /// Returns the bits of the senders in [64*w, 64*w+64) that may have sent something since the last call.
  /// Consumer only.
  std::uint64_t take_arrivals(unsigned to, std::size_t w) {
    if (few()) return ((std::uint64_t{1} << cores_) - 1) & ~(std::uint64_t{1} << to);
    auto& word = arrival_word(to, w);
    if (word.load(std::memory_order_relaxed) == 0) return 0;  // only a hint
    return word.exchange(0,
                         std::memory_order_seq_cst);  // before reading the lanes; pairs with try_push()
  }
  std::size_t arrival_words() const { return words_; }

 private:
  static constexpr std::size_t k_row_words = 8;
  struct alignas(k_line_bytes) row {
    std::atomic<std::uint64_t> word[k_row_words]{};
  };
  bool few() const { return cores_ <= k_few_cores; }
  bool by_lines(unsigned from, unsigned to) const { return from < line_cores_ && to < line_cores_; }
  void note_arrival(unsigned from, unsigned to) {
    if (few()) return;
    machine::preemption_point();
    const std::uint64_t bit = std::uint64_t{1} << (from % 64);
    auto& word = arrival_word(to, from / 64);
    // seq_cst: after the push, before the notifier reads the sleeper's word. If the bit is set already, the
    // consumer has not cleared it since the push (seq_cst too), and will poll the lane.
    if ((word.load(std::memory_order_seq_cst) & bit) == 0) word.fetch_or(bit, std::memory_order_seq_cst);
  }
  std::atomic<std::uint64_t>& arrival_word(unsigned to, std::size_t w) const {
    return arrivals_[std::size_t{to} * divide_up(words_, std::uint64_t{k_row_words}) + w / k_row_words]
        .word[w % k_row_words];
  }

  unsigned cores_;
  std::size_t words_;
  unsigned line_cores_;  // endpoints that are cores; 0: no lanes of lines
  machine::zeroed_array<lane> lanes_;
  machine::zeroed_array<line_lane> line_lanes_;
  machine::zeroed_array<row> arrivals_;
};

}  // namespace gossamer::fabric
