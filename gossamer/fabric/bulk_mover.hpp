#pragma once
// Moves bytes between processes from where they lie to where they are wanted. No packet holds them on the way: the
// transport is given both places, and takes its fastest way. A message tells the other side beforehand, so that both
// start the same move; they find each other by the processes and a tag.
//
//   start()  --any core-->  starting_  --poller-->  transport  --poller-->  over_ of a core  --take_over()-->  that core
//
// Bounds. A core begins as many moves as it has tags (message/bulk.hpp), and each begins at most one more on the other
// side. A send may wait for its receive, and never for another send: all are given to the transport at once.
//
// Stalls. A move that one side has begun waits for a message, and is no reason to wait for it: that message may be held up
// for ever. When the other side begins, both ends are expected; each end that comes is counted (world.hpp).
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

/// What the core that began a side does when it is over: the layer above knows.
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
  std::byte* at;  // not written to where the bytes go out
  std::size_t bytes;
  unsigned core = 0;  // of this process, from 0: the one that is told
  std::unique_ptr<move_end> end = nullptr;  // for that core; null: none is told
  std::unique_ptr<bulk_move> next = nullptr;  // of those that wait to be started
};

class bulk_mover {
 public:
  /// `job`: of two jobs in turn each has half of the transport's tags.
  bulk_mover(transport& t, unsigned cores, std::uint32_t job)
      : transport_(t), tags_(t.bulk_tags() / 2), first_tag_(job % 2 * tags_), over_(cores) {}

  /// Returns how many tags there are; 0: the transport moves no bulk.
  unsigned tags() const { return tags_; }
  /// Has the next poll() start a move. Any thread. Takes no memory: the other side may have been told of the move already.
  void start(std::unique_ptr<bulk_move> m) noexcept;
  void start(bulk_move m) { start(std::make_unique<bulk_move>(std::move(m))); }
  /// Returns whether a move has been started that is not over, or whose core has not been told. Any thread.
  bool any() const { return count_.load(std::memory_order_seq_cst) != 0; }
  /// Returns whether a move is under way that may get on while it is looked at: one has begun or ended a moment ago, or so short a
  /// while ago that what is under way still takes its time at 1 GB/s. A core that waits meanwhile would hold it up. Any thread.
  bool gets_on() const {
    if (!any()) return false;
    const std::uint64_t until =
        looks_until_.load(std::memory_order_relaxed);  // first: simulated runs are the same by every compiler
    return machine::ticks() < until;
  }
  /// Returns how many ends are expected, of moves that both sides have begun, and ended() how many have come. Summed over all
  /// processes they are equal where no move gets on. Any thread.
  std::uint64_t expected() const { return expected_.load(std::memory_order_seq_cst); }
  std::uint64_t ended() const { return ended_.load(std::memory_order_seq_cst); }
  /// Starts what waits to be started, and looks at a few moves. One thread at a time. Calls told(core) for each core
  /// that has something to take over. Returns whether anything has changed.
  template <class F>
  bool poll(F told) {
    bool some = start_waiting();
    constexpr std::size_t k_looks = 8;
    for (std::size_t looks = std::min(k_looks, under_way_.size()); looks > 0 && !under_way_.empty();
         --looks) {
      if (next_look_ >= under_way_.size()) next_look_ = 0;
      if (!transport_.bulk_over(under_way_[next_look_].slot)) {
        ++next_look_;
        continue;
      }
      some = true;
      if (const auto core = finish(next_look_)) told(*core);
    }
    return some;
  }

  /// Returns whether take_over() would find anything. seq_cst, for a core before it sleeps.
  bool any_over(unsigned core) const { return over_[core].any.load(std::memory_order_seq_cst); }
  /// Returns the ends of a core's moves that are over, and forgets them. By that core.
  std::vector<std::unique_ptr<move_end>> take_over(unsigned core);
  /// Takes all of them, when no core runs any more.
  void forget_over();
  /// A send whose receive was never begun.
  struct lone_send {
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};

    std::uint32_t peer = k_none;  // k_none: there is none
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
  };
  /// Returns one of those. When no core runs any more, and all that both sides have begun is over.
  lone_send find_lone_send();
  /// Starts to receive one of process `from`, into memory that the next find_lone_send() frees: call that when this is over. Not every
  /// transport can cancel a send, and a later job would receive it.
  void receive_lone_send(unsigned from, const lone_send& s);
  /// Returns whether a move with that process, by that tag, is under way.
  bool has(bulk_move::way direction, unsigned peer, unsigned tag) const;
  /// Takes back the receives whose other side never began. When no core runs any more, and no send is left.
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
  static constexpr std::uint64_t k_bytes_of_us = 1000;  // of a slow move
  static constexpr std::uint64_t k_most_us = 1'000'000;  // a stall is not reported while cores look

  bool start_waiting();
  /// Notes that a move has begun or ended: what is under way gets on for a while.
  void note_change();
  std::optional<unsigned> finish(std::size_t place);

  transport& transport_;
  const unsigned tags_, first_tag_;
  std::mutex starting_lock_;
  std::unique_ptr<bulk_move> starting_;  // the oldest
  bulk_move* last_starting_ = nullptr;  // of those, the newest
  std::atomic<bool> any_starting_{false};  // relaxed: a hint when to look
  std::vector<started> under_way_;
  std::size_t next_look_ = 0;  // in under_way_
  std::vector<unsigned> free_slots_;
  unsigned slots_ = 0;
  std::vector<finished> over_;  // by core
  std::vector<machine::memory_region> thrown_away_;  // what lone sends are received into
  std::atomic<std::uint64_t> count_{0}, expected_{0}, ended_{0};
  std::atomic<std::uint64_t> bytes_{
      0};  // of all that count_ counts and no transport has ended; relaxed: for the hint below
  std::atomic<std::uint64_t> looks_until_{0};  // ticks; relaxed: a hint how long to look
};

}  // namespace gossamer::fabric
