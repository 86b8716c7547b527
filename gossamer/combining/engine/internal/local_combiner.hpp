#pragma once
// Where the requests of one core to one structure meet. Requests merge into the open batch and wait; a fiber,
// the combiner fiber, takes the batch away, so that new requests find a fresh one, makes it global, and wakes the
// waiters. While that is under way the next batch fills: as long as a fiber waits a combiner fiber runs, and none
// polls. All of it belongs to one core, whose fibers take turns only where they suspend: no locks.
//
//   request:    join -> merge -> wait ------------------------------------------> answer from the batch
//   combiner fiber:             asleep --first wait--> take the batch -> commit -> wake all -> next batch | asleep
//
// Holt et al., "Flat combining synchronized global data structures", PGAS 2013, sections 3.2 and 4. Here the
// combiner fiber is a fiber of its own rather than one of those that wait: it becomes ready behind all fibers that
// are, so that they merge first.

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/combining/engine/internal/merge_choice.hpp"
#include "gossamer/combining/engine/internal/server_fiber.hpp"

namespace gossamer::combining {

/// What the requests of one core have been merged into. Structures derive their own from it (combiner.hpp).
class batch {
 public:
  batch() = default;
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  virtual ~batch() = default;

  /// Answers the request that waits last, which needs no commit: it has met the running one.
  void answer_last() {
    const waiter last = waiters_.back();
    waiters_.pop_back();
    *last.matched = true;
    auto& self = *fiber::scheduler::current();
    ++self.count().combine_matched;
    self.wake(*last.who);
  }
  std::size_t waiting() const { return waiters_.size(); }

 private:
  friend class local_combiner;
  struct waiter {
    fiber::fiber* who;
    bool* matched;  // on its stack
  };
  std::vector<waiter> waiters_;
  std::exception_ptr failure_;
  std::uint64_t opened_ns_ = 0;
  std::uint32_t users_ = 0;  // requests that have not read their answer, and the combiner fiber
};

/// One core's. Batches are kept and used again.
class local_combiner {
 public:
  local_combiner(const local_combiner&) = delete;
  local_combiner& operator=(const local_combiner&) = delete;
  virtual ~local_combiner() = default;

  /// Returns the batch that takes requests: the core's, or one for this request alone, which the request
  /// commits itself. The latter is for combiners that merge nothing, or have no fiber left for a combiner
  /// fiber.
  batch& join() {
    ++fiber::scheduler::current()->count().combine_requests;
    batch* const b = open_ != nullptr ? open_ : open_batch();
    ++b->users_;
    return *b;
  }
  /// Suspends until `b` is committed, or answered by batch::answer_last(). Throws what the commit threw.
  void wait(batch& b) {
    if (&b != open_) return commit_alone(b);  // between join() and here no other fiber ran
    auto& self = *fiber::scheduler::current();
    bool matched = false;
    b.waiters_.push_back({self.running(), &matched});
    server_.notify();
    self.suspend("the commit of its request");
    if (b.failure_ && !matched) [[unlikely]]
      std::rethrow_exception(b.failure_);
  }
  /// Leaves the batch: the request has read its answer.
  void leave(batch& b) {
    if (--b.users_ == 0 && &b != open_) recycle(b);
  }

  /// Counts `n` requests that go around the batches until leave_alone(): one commit, where there are any.
  void join_alone(std::uint64_t n) {
    auto& count = fiber::scheduler::current()->count();
    count.combine_requests += n;
    count.combine_commits += n != 0 ? 1 : 0;
    ++taken_;
  }
  void leave_alone() { --taken_; }

  /// `name` is a literal, for errors.
  local_combiner(const char* name, bool merges) : merges_(merges), name_(name) {}
  /// Ends the combiner fiber. Called by a fiber of the core. Requests that still wait are an error of the
  /// program.
  void close();
  bool merges() const { return merges_; }
  /// Returns the choice of structures whose requests need not merge although merges() says so: of combine::automatic.
  merge_choice& choice() { return choice_; }
  const char* name() const { return name_; }
  /// Returns whether the structure is in a phase in which nothing changes it.
  bool frozen() const { return frozen_; }
  void set_frozen(bool frozen) { frozen_ = frozen; }
  /// Returns the batch that takes requests, or null where none has been made since the last was taken away.
  batch* open() const { return open_; }

 protected:
  virtual std::unique_ptr<batch> make() const = 0;
  virtual void commit_batch(batch& b) = 0;
  virtual void clear(batch& b) const = 0;

 private:
  static constexpr std::size_t k_spare = 64;

  batch* open_batch();
  void recycle(batch& b);
  void commit(batch& b) noexcept;
  void commit_alone(batch& b);
  void serve();  // by the combiner fiber; where none can be started, the next request may start it

  batch* open_ = nullptr;
  server_fiber server_;  // the combiner fiber
  const bool merges_;
  bool frozen_ = false;
  merge_choice choice_;
  std::uint32_t taken_ = 0;  // batches in use, and requests that go around them
  const char* const name_;
  std::vector<std::unique_ptr<batch>> spare_;
};

/// Ends the program: a structure is used after its end, or outside of its job.
[[noreturn]] void refuse_use(const char* name);
/// Ends the program: a structure is used in a phase that does not allow it.
[[noreturn]] void refuse_phase(const char* name, const char* what);

}  // namespace gossamer::combining
