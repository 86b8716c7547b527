#pragma once
// What all engines share: opening and dividing the input, the map stage, and the running of stages. Code that
// depends on the types of keys and values is in one object on each core, a job_worker; the stages over all
// cores are compiled once.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/internal/stage_cost.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// Measures the times of stages.
class stage_clock {
 public:
  /// Returns the seconds since the last call, or since construction.
  double lap() {
    const double seconds = machine::seconds_since(begin_);
    begin_ = machine::now_ns();
    return seconds;
  }

 private:
  std::uint64_t begin_ = machine::now_ns();
};

/// The counts of a core's emitter.
struct pair_counts {
  std::uint64_t emitted, pairs, bytes;
};

/// The counts of a core's scratch file.
struct spill_counts {
  std::uint64_t spills = 0, pairs = 0, bytes = 0;
  bool must_spill = false;  // the rest does not fit the memory when it is joined
  bool unsent = false;  // blocks are still to be sent to other processes
  std::uint64_t tasks_before = 0;  // finished by an earlier start
};

/// One core's state of a job. Stages are numbered by the engine.
class job_worker {
 public:
  virtual ~job_worker() = default;
  virtual void run(unsigned stage) = 0;
  virtual pair_counts count() const = 0;
  virtual spill_counts spilled() const { return {}; }
};
using job_workers = per_core<std::unique_ptr<job_worker>>;

/// Runs a stage on all cores. By one fiber; suspends.
void run_stage(job_workers workers, unsigned stage);
/// Adds up the pairs of all cores. By one fiber; suspends.
void count_pairs(job_workers workers, map_reduce_statistics& what);

/// Adds up the contents of all cores' scratch files. By one fiber; suspends.
spill_counts count_spilled(job_workers workers);
/// Throws gossamer::error if memory is limited, because `what` cannot work within a limit.
void refuse_bound(const map_reduce_options& o, const char* what);

/// Throws gossamer::error: keys of the job have no order.
[[noreturn, gnu::cold]] void refuse_order();

/// Runs a job, and sorts its results by key if the options say so. job(options) returns them in no order.
/// Throws gossamer::error before the job begins if keys without `<` have to be sorted. By one fiber;
/// suspends.
template <class Job>
auto run_ordered(const map_reduce_options& o, Job job) {
  using results = std::invoke_result_t<Job&, const map_reduce_options&>;
  if (o.sorted && !results::k_has_order) refuse_order();
  map_reduce_statistics what;
  map_reduce_options mine = o;
  mine.statistics = &what;
  results found = job(mine);
  if (o.sorted) {
    stage_clock clock;
    if constexpr (results::k_has_order) found.keep_order(o.choose_pivots);
    (o.engine == engine::messages ? what.merge_seconds : what.sort_seconds) = clock.lap();
  }
  if (o.statistics != nullptr) *o.statistics = what;
  return found;
}

/// The blocks of a process in the map stage.
struct map_blocks {
  std::unique_ptr<parallel::dynamic_block[]> all;
  victims order = victims::in_turn;  // of taking tasks of other cores
  std::atomic<std::uint64_t> done{0};  // tasks; relaxed: for progress only
  const std::function<void(std::uint64_t, std::uint64_t)>* progress = nullptr;  // in the caller's process

  void count(std::uint64_t tasks) {
    const std::uint64_t now = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (progress != nullptr && here() == first_core(process())) (*progress)(now, tasks);
  }
  /// Makes the cores of this process stop after their current tasks.
  void stop() {
    for (unsigned c = 0; c < cores_per_process(); ++c)
      all[c].next.store(~std::uint64_t{0} / 2, std::memory_order_relaxed);
  }
};

/// Calls f(task) for the tasks of this core. If it `steals`, then also for those of other cores of its
/// process.
void run_tasks(map_blocks& own, bool steals, function_ref<void(std::uint64_t)> f);

/// Whether cores map only their own tasks: those of core number c of a process begin at core_begin(c).
template <class Block>
inline constexpr bool k_own_tasks_only = requires(const Block& s) { s.core_begin(0U); };

/// The opened input of a job.
template <class Input>
class map_stage {
  using block = typename Input::block;

 public:
  /// Opens the input in all processes and assigns tasks to their cores. By one fiber; suspends.
  map_stage(const Input& input, const map_reduce_options& o) {
    input.open(opened_.handle());
    on_all_processes([blocks = blocks_.handle(), opened = opened_.handle(),
                      order = static_cast<std::uint64_t>(o.steal_from)] {
      blocks.here().order = static_cast<victims>(order);
      const unsigned team = cores_per_process();
      const block& elements = opened.here();
      auto& all = blocks.here().all;
      all = std::make_unique<parallel::dynamic_block[]>(team);
      const auto begin_of = [&](unsigned c) -> std::uint64_t {
        if constexpr (k_own_tasks_only<block>)
          return elements.core_begin(c);
        else
          return parallel::block_begin(0, elements.tasks(), c, team);
      };
      for (unsigned c = 0; c < team; ++c) {
        all[c].next.store(begin_of(c), std::memory_order_relaxed);
        all[c].end = begin_of(c + 1);
      }
    });
    if (o.progress) blocks_.here().progress = &o.progress;
  }

  /// A handle of the stage, for the cores.
  struct tasks {
    per_process<block> opened;
    per_process<map_blocks> blocks;

    /// Maps elements into the emitter of this core: its own tasks. If it `steals`, then also those of other
    /// cores of its process.
    template <class Emitter, class Map>
    void run(Emitter& mine, Map& map, bool steals) const {
      map_blocks& own = blocks.here();
      const block& elements = opened.here();
      const auto map_task = [&](std::uint64_t task) {
        constexpr bool k_may_continue = requires { mine.ends(task); };
        if constexpr (k_may_continue)
          if (!mine.begins(task, elements.tasks())) return own.count(elements.tasks());
        const std::uint64_t before = mine.emitted();
        elements.run(task, [&](const typename Input::element& element) { map(element, mine); });
        charge_pairs(mine.emitted() - before, k_map_pair_ns);
        if constexpr (k_may_continue) mine.ends(task);
        own.count(elements.tasks());
      };
      try {
        run_tasks(own, steals && !k_own_tasks_only<block>, map_task);
        mine.flush();
      } catch (...) {
        own.stop();
        throw;
      }
    }
  };
  tasks handle() const { return {opened_.handle(), blocks_.handle()}; }

 private:
  scoped_per_process<block> opened_;
  scoped_per_process<map_blocks> blocks_;
};

/// A worker of an engine with its map stage, the only stage that depends on the input and the map function.
/// map(pairs, steals) maps this core's block into its emitter.
template <class Worker, class Input, class Map>
class input_mapper final : public Worker {
 public:
  template <class... Args>
  input_mapper(typename map_stage<Input>::tasks tasks, const Map& map, Args&&... of_worker)
      : Worker(std::forward<Args>(of_worker)...), tasks_(tasks), map_(map) {}

 private:
  void map(typename Worker::emitter& pairs, bool steals) override { tasks_.run(pairs, map_, steals); }

  typename map_stage<Input>::tasks tasks_;
  Map map_;
};

}  // namespace gossamer::mapreduce
