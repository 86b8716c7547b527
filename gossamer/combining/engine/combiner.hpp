#pragma once
// A structure's stations, one per core, and how a request uses its core's. docs/combining.md builds a
// structure with it, step by step.
//
//   struct sum : combining::batch {                     // what requests of one core are merged into
//     static constexpr const char* k_name = "counter";  // for errors
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

#include "gossamer/combining/engine/internal/station.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::combining {

/// Context: trivially copyable, what a commit needs to know: handles.
template <class Batch, class Context>
class station_of final : public station {
  static_assert(std::is_trivially_copyable_v<Context>, "the context of a structure is copied to all cores");

 public:
  station_of(bool merges, const Context& c) : station(Batch::k_name, merges), context_(c) {}

 private:
  std::unique_ptr<batch> make() const override { return std::make_unique<Batch>(); }
  void commit_batch(batch& b) override { static_cast<Batch&>(b).commit(context_); }
  void clear(batch& b) const override { static_cast<Batch&>(b).clear(); }

  const Context context_;
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

/// Requests that go around the batches, as long as it lives.
class lone_turn {
 public:
  lone_turn(station& at, std::uint64_t requests) : at_(at) { at.join_alone(requests); }
  lone_turn(const lone_turn&) = delete;
  lone_turn& operator=(const lone_turn&) = delete;
  ~lone_turn() { at_.leave_alone(); }

 private:
  station& at_;
};

/// Ends the program: a structure is used after its end, or outside of its job.
[[noreturn]] void refuse_use(const char* name);

/// A handle: trivially copyable, 8 bytes.
template <class Batch, class Context>
class combiner {
 public:
  /// From a fiber of any core of the job.
  turn<Batch> join() const { return turn<Batch>(here()); }
  /// This core's station. Ends the program where the structure has ended.
  station& here() const {
    void* const found =
        fiber::scheduler::current() != nullptr ? parallel::core::here().structures().find(id_) : nullptr;
    if (found == nullptr) [[unlikely]]
      refuse_use(Batch::k_name);
    return *static_cast<station*>(found);
  }

 protected:
  parallel::structure_id id_;
};

/// Owns. Made and destroyed by any one fiber; suspends: a task on every core.
template <class Batch, class Context>
class scoped_combiner : public combiner<Batch, Context> {
 public:
  scoped_combiner(combine where, const Context& context) {
    (void)message::inside("making a structure");
    this->id_ = on_core(0, [] { return parallel::core::here().structures().give(); });
    const bool merges = where == combine::local || where == combine::both;
    try {
      on_all_cores([id = this->id_, merges, context] {
        auto made = std::make_unique<station_of<Batch, Context>>(merges, context);
        parallel::core::here().structures().add(id, static_cast<station*>(made.get()));
        (void)made.release();
      });
    } catch (...) {
      end();
      throw;
    }
  }
  scoped_combiner(const scoped_combiner&) = delete;
  scoped_combiner& operator=(const scoped_combiner&) = delete;
  ~scoped_combiner() { end(); }
  combiner<Batch, Context> handle() const { return *this; }

 private:
  void end() {
    on_all_cores([id = this->id_] {
      const std::unique_ptr<station> mine(static_cast<station*>(parallel::core::here().structures().end(id)));
      if (mine != nullptr) mine->close();
    });
    on_core(0, [id = this->id_] { parallel::core::here().structures().take_back(id); });
  }
};

/// Where structures combine that do not say it: job_options::combining.
inline combine by_default() {
  return static_cast<parallel::core&>(message::inside("making a structure")).combining();
}

}  // namespace gossamer::combining
