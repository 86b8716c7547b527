#pragma once
// Merges the requests of one core to one structure. Requests merge into the open batch and wait. The combiner
// fiber takes the batch, so that new requests get an empty one, commits it, and wakes the waiting requests.
// During the commit the next batch fills. While requests wait, the combiner fiber runs; nothing polls. All
// fibers involved belong to one core and switch only where they suspend, so there are no locks.
//
//   request:    join -> merge -> wait ------------------------------------------> answer from the batch
//   combiner fiber:             asleep --first wait--> take the batch -> commit -> wake all -> next batch | asleep
//
// Holt et al., "Flat combining synchronized global data structures", PGAS 2013, sections 3.2 and 4. In
// contrast to the paper, the combiner is a dedicated fiber rather than one of the waiting ones: it becomes
// ready behind all ready fibers, so that their requests merge first.

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/combining/engine/internal/merge_choice.hpp"
#include "gossamer/combining/engine/internal/server_fiber.hpp"

namespace gossamer::combining {

/// The merged requests of one core. Structures derive their own type from it (combiner.hpp).
class batch {
 public:
  batch() = default;
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  virtual ~batch() = default;

  /// Answers the last request to wait, which needs no commit because it has met its counterpart.
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
    bool* matched;  // on the fiber's stack
  };
  std::vector<waiter> waiters_;
  std::exception_ptr failure_;
  std::uint64_t opened_ns_ = 0;
  std::uint32_t users_ = 0;  // requests that have not read their answer, plus the combiner fiber
};

/// The local combiner of one core. Batches are reused.
class local_combiner {
 public:
  local_combiner(const local_combiner&) = delete;
  local_combiner& operator=(const local_combiner&) = delete;
  virtual ~local_combiner() = default;

  /// Returns the batch for a request: the core's open batch, or one for this request alone, which the request
  /// commits itself. The latter happens in combiners that do not merge, and if there is no free fiber for the
  /// combiner fiber.
  batch& join() {
    ++fiber::scheduler::current()->count().combine_requests;
    batch* const b = open_ != nullptr ? open_ : open_batch();
    if (b->waiters_.size() == b->waiters_.capacity()) [[unlikely]]
      b->waiters_.reserve(2 * b->waiters_.size());  // wait() must not fail: the request is merged then
    ++b->users_;
    return *b;
  }
  /// Suspends until `b` is committed, or answered by batch::answer_last(). Rethrows the exception of the
  /// commit.
  void wait(batch& b) {
    if (&b != open_) return commit_alone(b);  // no other fiber has run since join()
    auto& self = *fiber::scheduler::current();
    bool matched = false;
    b.waiters_.push_back({self.running(), &matched});
    server_.notify();
    self.suspend("the commit of its request");
    if (b.failure_ && !matched) [[unlikely]]
      std::rethrow_exception(b.failure_);
  }
  /// Releases the batch after the request has read its answer.
  void leave(batch& b) {
    if (--b.users_ == 0 && &b != open_) recycle(b);
  }

  /// Counts `n` requests that bypass the batches until leave_alone(): one commit if n > 0.
  void join_alone(std::uint64_t n) {
    auto& count = fiber::scheduler::current()->count();
    count.combine_requests += n;
    count.combine_commits += n != 0 ? 1 : 0;
    ++taken_;
  }
  void leave_alone() { --taken_; }

  /// Makes a combiner. `name` is a literal, for errors.
  local_combiner(const char* name, bool merges) : merges_(merges), name_(name) {}
  /// Ends the combiner fiber. Called by a fiber of the core. It is an error of the program if requests still
  /// wait.
  void close();
  bool merges() const { return merges_; }
  /// Returns the merge choice, for structures with combine::automatic: their requests need not merge although
  /// merges() is true.
  merge_choice& choice() { return choice_; }
  const char* name() const { return name_; }
  /// Returns whether the structure is in a read-only phase.
  bool frozen() const { return frozen_; }
  void set_frozen(bool frozen) { frozen_ = frozen; }
  /// Returns the open batch, or null if none was made since the last one was taken.
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
  void serve();  // run by the combiner fiber; if it cannot be started, the next request retries

  batch* open_ = nullptr;
  server_fiber server_;  // the combiner fiber
  const bool merges_;
  bool frozen_ = false;
  merge_choice choice_;
  std::uint32_t taken_ = 0;  // batches in use, plus requests that bypass them
  const char* const name_;
  std::vector<std::unique_ptr<batch>> spare_;
};

/// Ends the program: a structure is used after its destruction, or outside of its job.
[[noreturn]] void refuse_use(const char* name);
/// Ends the program: a structure is used in a phase that does not allow it.
[[noreturn]] void refuse_phase(const char* name, const char* what);

}  // namespace gossamer::combining
