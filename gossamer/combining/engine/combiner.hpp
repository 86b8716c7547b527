#pragma once
// The local combiners of a structure, one per core, and the interface for requests. docs/combining.md builds
// a structure with them, step by step.
//
//   struct sum : combining::batch {                     // the merged requests of one core
//     static constexpr const char* k_name = "counter";  // for errors
//     std::int64_t n = 0, before = 0;
//     void commit(context c) { before = ...; }          // makes it global: on a fiber, may suspend
//     void clear() { n = 0; }                           // resets it for reuse
//   };
//
//   auto mine = requests.join();                        // no other fiber of the core runs before wait()
//   const std::int64_t offset = std::exchange(mine->n, mine->n + 1);
//   mine.wait();                                        // suspends; throws what the commit threw
//   return mine->before + offset;                       // valid until all requests have read it

#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/combining/engine/internal/local_combiner.hpp"
#include "gossamer/fiber/owning_job.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::combining {

/// Context: the handles that a commit needs; trivially copyable.
template <class Batch, class Context>
class local_combiner_of final : public local_combiner {
  static_assert(std::is_trivially_copyable_v<Context>, "the context of a structure is copied to all cores");

 public:
  local_combiner_of(bool merges, const Context& c) : local_combiner(Batch::k_name, merges), context_(c) {}

 private:
  std::unique_ptr<batch> make() const override { return std::make_unique<Batch>(); }
  void commit_batch(batch& b) override {
    auto& mine = static_cast<Batch&>(b);
    if constexpr (requires { mine.questions(); })
      if (mine.waiting() != 0) this->choice().observe(mine.waiting(), mine.questions());
    mine.commit(context_);
  }
  void clear(batch& b) const override { static_cast<Batch&>(b).clear(); }

  const Context context_;
};

/// A request in progress.
template <class Batch>
class request_guard {
 public:
  explicit request_guard(local_combiner& at) : at_(at), batch_(static_cast<Batch&>(at.join())) {}
  request_guard(const request_guard&) = delete;
  request_guard& operator=(const request_guard&) = delete;
  ~request_guard() { at_.leave(batch_); }

  Batch* operator->() const { return &batch_; }
  Batch& operator*() const { return batch_; }
  /// Suspends until the batch is committed, or batch::answer_last() has answered this request. Rethrows the
  /// exception of the commit.
  void wait() { at_.wait(batch_); }

 private:
  local_combiner& at_;
  Batch& batch_;
};

/// Accounts for requests that bypass the batches, during its lifetime.
class single_request_guard {
 public:
  single_request_guard(local_combiner& at, std::uint64_t requests)
      : at_(at), switches_(parallel::core::here().count().switches) {
    at.join_alone(requests);
  }
  single_request_guard(const single_request_guard&) = delete;
  single_request_guard& operator=(const single_request_guard&) = delete;
  ~single_request_guard() { at_.leave_alone(); }

  /// Yields if no other fiber has run since: of requests that the home core answers itself, so that a loop of them lets others run.
  void let_others_run() const {
    if (parallel::core::here().count().switches == switches_) fiber::scheduler::current()->yield();
  }

 private:
  local_combiner& at_;
  const std::uint64_t switches_;
};

/// A handle: trivially copyable, 8 bytes.
template <class Batch, class Context>
class combiner {
 public:
  /// Joins the open batch of this core's local combiner. By a fiber of any core of the job.
  request_guard<Batch> join() const { return request_guard<Batch>(here()); }
  /// Returns this core's local_combiner. Ends the program if the structure was destroyed.
  local_combiner& here() const {
    void* const found =
        fiber::scheduler::current() != nullptr ? parallel::core::here().structures().find(id_) : nullptr;
    if (found == nullptr) [[unlikely]]
      refuse_use(Batch::k_name);
    return *static_cast<local_combiner*>(found);
  }

 protected:
  parallel::structure_id id_;
};

/// Allocates the id of a structure that is being made. By a fiber; suspends.
parallel::structure_id begin_structure();
/// Closes the local combiners of a structure on all cores that have one, and releases its id. By a fiber;
/// suspends.
void end_structure(parallel::structure_id id);

/// Owns the local combiners. Any one fiber makes and destroys it; suspends: a task on every core. After their job its
/// destructor does nothing.
template <class Batch, class Context>
class scoped_combiner : public combiner<Batch, Context> {
 public:
  scoped_combiner(combine where, const Context& context) {
    this->id_ = begin_structure();
    const bool merges = merges_on_core(where);
    try {
      on_all_cores([id = this->id_, merges, context] {
        auto made = std::make_unique<local_combiner_of<Batch, Context>>(merges, context);
        parallel::core::here().structures().add(id, static_cast<local_combiner*>(made.get()));
        (void)made.release();
      });
    } catch (...) {
      end_structure(this->id_);
      throw;
    }
  }
  /// Does not compile: capture handle().
  scoped_combiner(const scoped_combiner&) : scoped_combiner(combine::off, Context()) {
    refuse_copy<scoped_combiner>();
  }
  scoped_combiner& operator=(const scoped_combiner&) = delete;
  ~scoped_combiner() {
    if (job_.runs_here()) end_structure(this->id_);
  }
  combiner<Batch, Context> handle() const { return *this; }

 private:
  fiber::owning_job job_;
};

/// Returns the default mode of structures: job_options::combining.
inline combine by_default() {
  return static_cast<parallel::core&>(message::inside("making a structure")).combining();
}

}  // namespace gossamer::combining
