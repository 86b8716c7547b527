#pragma once
// The barrier of all cores of a job, which also exchanges a value of each core. Inside a process it uses
// shared memory. With several processes, the first core of each waits until all cores of its process have
// arrived, meets the other processes, and then releases its own cores. Processes exchange messages, or on the
// same node flags in shared memory. A flag cannot wake a fiber of another process: if one sleeps on it, a
// message follows.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/fabric/node_lanes.hpp"
#include "gossamer/parallel/barrier.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::parallel {

///   field          writes                 reads        protected by
///   words          its core               first, all   the barrier; two sets in turn, so that a fast core
///                                                      cannot overwrite what a slow one has yet to read
///   turn           its core               its core
///   remote_values_ first core             every core   the release after it; two sets in turn
///   remote_flags_, remote_arrived_, rounds_, remote_waiter_, remote_episode_: first core only (its fiber, its handlers)
///   node_pages_    first cores of the node, first core  one RMW each, as in process_flags; their waiter is the page's core
class exchange_barrier {
 public:
  static constexpr std::size_t k_value_bytes = 256;

  /// Makes the barrier. `how` is the default algorithm of all barriers; automatic: best_barrier().
  exchange_barrier(const barrier_shape& shape, unsigned process, bool spin,
                   barrier_algorithm how = barrier_algorithm::automatic);

  /// Uses flags in shared memory for the processes of this node. Call it before the cores are made.
  void use(const fabric::node_lanes& node);

  void barrier(core& self, barrier_algorithm how = barrier_algorithm::automatic) {
    meet(self, how == barrier_algorithm::automatic ? how_ : barrier_choice{how, how}, 0);
  }

  /// Publishes a value of this core and passes the barrier. Then published(c) reads the value of any core.
  template <class T>
  void publish(core& self, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "what is published is copied as bytes");
    static_assert(sizeof(T) <= k_value_bytes, "a value of a collective has at most 256 bytes: use its spans");
    place& mine = places_[self.id() - first_];
    mine.turn ^= 1;
    std::memcpy(mine.words[mine.turn].data(), static_cast<const void*>(&value), sizeof value);
    meet(self, how_, sizeof value);
  }
  /// Returns the value that core c published. Valid until the next but one publish() of this core.
  template <class T>
  T published(core& self, unsigned c) const {
    const unsigned turn = places_[self.id() - first_].turn;
    const void* const from =
        processes_ == 1 ? places_[c].words[turn].data() : &remote_values_[turn][c * sizeof(T)];
    alignas(T) std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof bytes);
    return *std::launder(reinterpret_cast<const T*>(bytes));
  }

  /// Handles, on the first core, an arrival counted in process 0, a signal, and the values of another process
  /// in a round.
  void take_arrival(core& self);
  void take_signal(core& self, std::uint32_t flag, std::uint64_t episode);
  void take_round(core& self, std::uint32_t round, std::uint64_t episode, std::span<const std::byte> values);

 private:
  struct alignas(k_line_bytes) place {
    unsigned turn = 0;
    alignas(16) std::array<std::array<std::byte, k_value_bytes>, 2> words{};
  };

  /// The data that one process has sent in one round. Stored until this process reads it, because the sender
  /// may be one episode ahead.
  struct round_slot {
    std::array<std::vector<std::byte>, 2> values;
    std::array<std::uint64_t, 2> episode{};
  };

  struct remote_level;

  void meet(core& self, const barrier_choice& how, std::size_t bytes);
  void meet_processes(core& self, barrier_algorithm how);
  void exchange(core& self, std::size_t bytes);
  std::atomic<std::uint64_t>* node_flag(unsigned process, unsigned flag) const;
  bool node_flag_set(unsigned flag) const;
  bool signal_in_node(unsigned process, unsigned flag) const;
  bool arm_node_flag(unsigned flag) const;
  void wait_for_remote(core& self);
  void wake_remote_waiter(core& self);

  const unsigned cores_, processes_, process_, first_;
  const barrier_choice how_;
  const bool spin_;
  process_flags local_;
  std::unique_ptr<place[]> places_;
  std::array<std::vector<std::byte>, 2> remote_values_;  // values of all cores, in order
  std::vector<std::uint64_t> remote_flags_;  // by flag, the episode of the last signal
  std::vector<std::byte*> node_pages_;  // by process; null: not of this node
  unsigned remote_arrived_ = 0;  // centralised; a process arrives once per release
  std::vector<round_slot> rounds_;
  std::uint64_t remote_episode_ = 0;
  fiber::fiber* remote_waiter_ = nullptr;
};

}  // namespace gossamer::parallel
