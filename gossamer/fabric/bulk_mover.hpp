#pragma once
// Moves bytes between the memory of two processes. No packet holds them: the transport gets both addresses,
// and uses its fastest way. A message announces the move to the other side, so that both sides start it. The
// transport matches them by the processes and a tag.
//
//   start()  --any core-->  starting_  --poller-->  transport  --poller-->  over_ of a core  --take_over()-->  that core
//
// Bounds. A core begins at most as many moves as it has tags (message/bulk.hpp), and each move begins at most
// one on the other side. A send may wait for its receive, but never for another send: all are passed to the
// transport at once.
//
// Stalls. A move that one side has begun waits for a message. It does not count as progress, because that
// message may be blocked for ever. When the other side begins, both ends are expected; each end that arrives
// is counted (world.hpp).
//
//   field              writes                    reads         protected by
//   starting_          any core; poller          poller        starting_lock_
//   under_way_         poller                    poller        the caller of poll()
//   over_              poller; the core          the core      the lock of that core's list
//   count_             any core                  any core      seq_cst: a core before it sleeps
//   bytes_, looks_until_   any core              any core      relaxed: hints
//   expected_, ended_  any core                  any core      seq_cst: read by the search for a stall

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

/// What the core that began a side does at its end. The layer above implements it.
class move_end {
 public:
  move_end() = default;
  virtual ~move_end() = default;
  move_end(const move_end&) = delete;
  move_end& operator=(const move_end&) = delete;
};

/// One process's side of a move.
struct bulk_move {
  enum class way : std::uint8_t { out, in };

  way direction;
  bool answers;  // the other process has begun its side
  unsigned peer;  // the process on the other side
  unsigned tag;  // below bulk_mover::tags()
  std::byte* at;  // only read on the sending side
  std::size_t bytes;
  unsigned core = 0;  // of this process, from 0: the core that is notified
  std::unique_ptr<move_end> end = nullptr;  // for that core; null: none is notified
  std::unique_ptr<bulk_move> next = nullptr;  // the next move that waits to be started
};

class bulk_mover {
 public:
  /// `job`: two successive jobs use different halves of the transport's tags.
  bulk_mover(transport& t, unsigned cores, std::uint32_t job)
      : transport_(t), tags_(t.bulk_tags() / 2), first_tag_(job % 2 * tags_), over_(cores) {}

  /// Returns how many tags there are; 0: the transport has no bulk moves.
  unsigned tags() const { return tags_; }
  /// Makes the next poll() start a move. Any thread. Allocates no memory, because the move may already be
  /// announced to the other side.
  void start(std::unique_ptr<bulk_move> m) noexcept;
  void start(bulk_move m) { start(std::make_unique<bulk_move>(std::move(m))); }
  /// Returns whether a move has been started that is not over, or whose core has not been notified. Any
  /// thread.
  bool any() const { return count_.load(std::memory_order_seq_cst) != 0; }
  /// Returns whether polling may advance a move: one has begun or ended recently, or so recently that the
  /// bytes in flight still take their time at 1 GB/s. A core that sleeps meanwhile would delay it. Any
  /// thread.
  bool gets_on() const {
    if (!any()) return false;
    const std::uint64_t until = looks_until_.load(
        std::memory_order_relaxed);  // first, so that simulated runs do not depend on the compiler
    return machine::ticks() < until;
  }
  /// Returns how many ends are expected of moves that both sides have begun; ended() returns how many have
  /// arrived. Summed over all processes they are equal if no move progresses. Any thread.
  std::uint64_t expected() const { return expected_.load(std::memory_order_seq_cst); }
  std::uint64_t ended() const { return ended_.load(std::memory_order_seq_cst); }
  /// Starts waiting moves, and polls a few moves. One thread at a time. Calls told(core) for each core that
  /// can take_over() something. Returns whether anything has changed.
  template <class F>
  bool poll(F told) {
    bool some = start_waiting();
    constexpr std::size_t k_most_polled = 8;
    for (std::size_t left = std::min(k_most_polled, under_way_.size()); left > 0 && !under_way_.empty();
         --left) {
      if (next_polled_ >= under_way_.size()) next_polled_ = 0;
      if (!transport_.bulk_over(under_way_[next_polled_].slot)) {
        ++next_polled_;
        continue;
      }
      some = true;
      if (const auto core = finish(next_polled_)) told(*core);
    }
    return some;
  }

  /// Returns whether take_over() would find anything. seq_cst, for a core before it sleeps.
  bool any_over(unsigned core) const { return over_[core].any.load(std::memory_order_seq_cst); }
  /// Returns the ended moves of a core, and forgets them. By that core.
  std::vector<std::unique_ptr<move_end>> take_over(unsigned core);
  /// Takes all of them, after all cores have stopped.
  void forget_over();
  /// A send whose receive never began.
  struct lone_send {
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};

    std::uint32_t peer = k_none;  // k_none: there is none
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
  };
  /// Returns one such send. After all cores have stopped, and all moves that both sides have begun are over.
  lone_send find_lone_send();
  /// Receives such a send of process `from` into memory that the next find_lone_send() frees; call that when
  /// the receive is over. Not every
  /// transport can cancel a send, and a later job would receive it.
  void receive_lone_send(unsigned from, const lone_send& s);
  /// Returns whether a move with that process and tag is in flight.
  bool has(bulk_move::way direction, unsigned peer, unsigned tag) const;
  /// Cancels the receives whose other side never began. After all cores have stopped, when no send is left.
  void cancel();

 private:
  struct started {
    bulk_move move;
    unsigned slot;
  };
  struct alignas(k_line_bytes) finished {
    std::mutex lock;
    std::vector<std::unique_ptr<move_end>> ends;
    std::atomic<bool> any{false};
  };

  static constexpr std::uint64_t k_moment_us = 5000;
  static constexpr std::uint64_t k_bytes_of_us = 1000;  // speed of a slow move
  static constexpr std::uint64_t k_most_us = 1'000'000;  // a stall is not reported while cores poll for moves

  bool start_waiting();
  /// Notes that a move has begun or ended: cores keep polling for moves for a while.
  void note_change();
  std::optional<unsigned> finish(std::size_t place);

  transport& transport_;
  const unsigned tags_, first_tag_;
  std::mutex starting_lock_;
  std::unique_ptr<bulk_move> starting_;  // the oldest
  bulk_move* last_starting_ = nullptr;  // the newest of those
  std::atomic<bool> any_starting_{false};  // relaxed: a hint for poll()
  std::vector<started> under_way_;
  std::size_t next_polled_ = 0;  // in under_way_
  std::vector<unsigned> free_slots_;
  unsigned slots_ = 0;
  std::vector<finished> over_;  // by core
  std::vector<machine::memory_region> thrown_away_;  // receive buffers of lone sends
  std::atomic<std::uint64_t> count_{0}, expected_{0}, ended_{0};
  std::atomic<std::uint64_t> bytes_{
      0};  // of all moves in count_ that have not ended; relaxed: for the hint below
  std::atomic<std::uint64_t> looks_until_{0};  // ticks; relaxed: a hint until when to poll
};

}  // namespace gossamer::fabric
