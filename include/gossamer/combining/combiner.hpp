#pragma once
// A structure's stations, one per core, and how a request uses its core's. docs/combining.md builds a
// structure with it, step by step.
//
//   struct sum : combining::batch {                     // what requests of one core are merged into
//     std::int64_t n = 0, before = 0;
//     void commit(context c) { before = ...; }          // makes it global: by a fiber, may suspend
//     void clear() { n = 0; }                           // as new, to be used again
//   };
//
//   auto mine = requests.join();                        // no other fiber of the core runs before wait()
//   const std::int64_t offset = std::exchange(mine->n, mine->n + 1);
//   mine.wait();                                        // suspends; throws what the commit threw
//   return mine->before + offset;                       // the batch stays until all have read it

#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/combining/station.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::combining {

/// Context: trivially copyable, what a commit needs to know: handles.
template <class Batch, class Context>
class station_of final : public station {
  static_assert(std::is_trivially_copyable_v<Context>, "the context of a structure is copied to all cores");

 public:
  void open(const char* name, bool merges, const Context& c) {
    context_ = c;
    station::open(name, merges);
  }

 private:
  std::unique_ptr<batch> make() const override { return std::make_unique<Batch>(); }
  void commit_batch(batch& b) override { static_cast<Batch&>(b).commit(context_); }
  void clear(batch& b) const override { static_cast<Batch&>(b).clear(); }

  Context context_{};
};

/// A request under way.
template <class Batch>
class turn {
 public:
  explicit turn(station& at) : at_(at), batch_(static_cast<Batch&>(at.join())) {}
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() { at_.leave(batch_); }

  Batch* operator->() const { return &batch_; }
  Batch& operator*() const { return batch_; }
  /// Suspends until the batch is committed, or this request answered by batch::answer_last(). Throws what the
  /// commit threw.
  void wait() { at_.wait(batch_); }

 private:
  station& at_;
  Batch& batch_;
};

/// A handle: trivially copyable.
template <class Batch, class Context>
class combiner {
 public:
  /// From a fiber of any core of the job.
  turn<Batch> join() const {
    GOSSAMER_ASSERT(fiber::scheduler::current() != nullptr,
                    "a combining structure is used outside of its job");
    return turn<Batch>(stations_.here());
  }

 protected:
  per_core<station_of<Batch, Context>> stations_;
};

/// Owns. Made and destroyed by any one fiber; suspends: a task on every core. `name` is a literal.
template <class Batch, class Context>
class scoped_combiner : public combiner<Batch, Context> {
 public:
  scoped_combiner(const char* name, combine where, const Context& context) {
    this->stations_ = owned_.handle();
    on_all_cores([stations = this->stations_, name, where, context] {
      stations.here().open(name, where == combine::local || where == combine::both, context);
    });
  }
  ~scoped_combiner() {
    on_all_cores([stations = this->stations_] { stations.here().close(); });
  }
  combiner<Batch, Context> handle() const { return *this; }

 private:
  scoped_per_core<station_of<Batch, Context>> owned_;
};

/// Where structures combine that do not say it: job_options::combining.
inline combine by_default() { return parallel::core::here().combining(); }

}  // namespace gossamer::combining
