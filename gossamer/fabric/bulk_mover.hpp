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
//   field              writes                    reads         protected by
//   starting_          any core; poller          poller        starting_lock_
//   under_way_         poller                    poller        the caller of poll()
//   over_              poller; the core          the core      the lock of that core's list
//   count_             any core                  any core      seq_cst: read by the search for a stall

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/transport.hpp"

namespace gossamer::fabric {

/// One process's side of a move.
struct bulk_move {
  enum class way : std::uint8_t { out, in };

  way direction;
  unsigned peer;  // the process on the other side
  unsigned tag;  // below transport::bulk_tags()
  std::byte* at;  // not written to where the bytes go out
  std::size_t bytes;
  unsigned core = 0;  // of this process, from 0: the one that is told
  void* token = nullptr;  // for that core; null: none is told
};

class bulk_mover {
 public:
  bulk_mover(transport& t, unsigned cores) : transport_(t), over_(cores) {}

  /// Has the next poll() start a move. Any thread.
  void start(const bulk_move& m);
  /// Returns whether a move has been started that is not over, or whose core has not been told. Any thread.
  bool any() const { return count_.load(std::memory_order_seq_cst) != 0; }
  /// Returns whether the transport has moves that are not over. By the thread that polls.
  bool any_under_way() const { return !under_way_.empty(); }
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
  /// Returns the tokens of a core's moves that are over, and forgets them. By that core.
  std::vector<void*> take_over(unsigned core);

 private:
  struct started {
    bulk_move move;
    unsigned slot;
  };
  struct alignas(k_line_bytes) finished {
    std::mutex lock;
    std::vector<void*> tokens;
    std::atomic<bool> any{false};
  };

  bool start_waiting();
  std::optional<unsigned> finish(std::size_t place);

  transport& transport_;
  std::mutex starting_lock_;
  std::vector<bulk_move> starting_;
  std::atomic<bool> any_starting_{false};  // relaxed: a hint when to look
  std::vector<started> under_way_;
  std::size_t next_look_ = 0;  // in under_way_
  std::vector<unsigned> free_slots_;
  unsigned slots_ = 0;
  std::vector<finished> over_;  // by core
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace gossamer::fabric
