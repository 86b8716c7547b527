#pragma once
// What all engines share: the input, opened and dealt, and the map stage.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// Returns a monotonic time in seconds.
inline double seconds_now() { return static_cast<double>(machine::now_ns()) * 1e-9; }

/// Takes the times of stages.
class stage_clock {
 public:
  /// Returns the seconds since the last call, or since it was made.
  double lap() {
    const double now = seconds_now();
    return now - std::exchange(begin_, now);
  }

 private:
  double begin_ = seconds_now();
};

/// The shares of a process in the map stage.
struct map_shares {
  std::unique_ptr<parallel::dynamic_share[]> all;
  std::atomic<std::uint64_t> done{0};  // tasks; relaxed: for progress only
  const std::function<void(std::uint64_t, std::uint64_t)>* progress = nullptr;  // in the caller's process

  void count(std::uint64_t tasks) {
    const std::uint64_t now = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (progress != nullptr && here() == first_core(process())) (*progress)(now, tasks);
  }
  /// Makes the cores of this process come to their end soon.
  void stop() {
    for (unsigned c = 0; c < cores_per_process(); ++c)
      all[c].next.store(~std::uint64_t{0} / 2, std::memory_order_relaxed);
  }
};

/// Whether cores map their own tasks only: those of core number c of a process begin at core_begin(c).
template <class Share>
inline constexpr bool k_own_tasks_only = requires(const Share& s) { s.core_begin(0U); };

/// The opened input of a job.
template <class Input>
class map_stage {
  using share = typename Input::share;

 public:
  /// Opens the input in all processes and deals tasks to their cores. By one fiber; suspends.
  map_stage(const Input& input, const map_reduce_options& o) {
    input.open(opened_.handle());
    on_all_processes([shares = shares_.handle(), opened = opened_.handle()] {
      const unsigned team = cores_per_process();
      const share& elements = opened.here();
      auto& all = shares.here().all;
      all = std::make_unique<parallel::dynamic_share[]>(team);
      const auto begin_of = [&](unsigned c) -> std::uint64_t {
        if constexpr (k_own_tasks_only<share>)
          return elements.core_begin(c);
        else
          return parallel::share_begin(0, elements.tasks(), c, team);
      };
      for (unsigned c = 0; c < team; ++c) {
        all[c].next.store(begin_of(c), std::memory_order_relaxed);
        all[c].end = begin_of(c + 1);
      }
    });
    if (o.progress) shares_.here().progress = &o.progress;
  }

  /// Prepares an emitter on each core, and maps all elements into them. Cores without work take tasks of others of their
  /// process where `Steals`. By one fiber; suspends.
  template <bool Steals, class Emitter, class Prepare, class Map>
  void run(const per_core<Emitter>& emitters, Prepare prepare, Map map) const {
    on_all_cores([prepare, map, emitters, opened = opened_.handle(), shares = shares_.handle()] {
      Emitter& mine = emitters.here();
      map_shares& own = shares.here();
      const share& elements = opened.here();
      Map f(map);
      const auto map_task = [&](std::uint64_t task) {
        elements.run(task, [&](const typename Input::element& element) { f(element, mine); });
        own.count(elements.tasks());
      };
      try {
        prepare(mine);
        if constexpr (Steals && !k_own_tasks_only<share>) {
          parallel::run_dynamic(own.all.get(), 1, [&](std::uint64_t begin, std::uint64_t end) {
            for (; begin < end; ++begin) map_task(begin);
          });
        } else {
          parallel::dynamic_share& tasks = own.all[here() - first_core(process())];
          for (std::uint64_t t; (t = tasks.next.fetch_add(1, std::memory_order_relaxed)) < tasks.end;)
            map_task(t);
        }
        mine.flush();
      } catch (...) {
        own.stop();
        throw;
      }
    });
  }

 private:
  scoped_per_process<share> opened_;
  scoped_per_process<map_shares> shares_;
};

/// Adds up what the emitters of all cores say of themselves. By one fiber; suspends.
template <class Emitter>
void count_pairs(const per_core<Emitter>& emitters, map_reduce_statistics& what) {
  struct sums {
    std::uint64_t emitted, pairs, bytes;
  };
  for (const sums& s :
       collect(emitters, [](Emitter& e) { return sums{e.emitted(), e.pairs(), e.bytes()}; })) {
    what.emitted += s.emitted;
    what.combined += s.pairs;
    what.container_bytes += s.bytes;
  }
}

/// Returns the core of this process that joins a partition: its owner, or for another process one in turn.
inline core_id joiner_of(core_id partition) {
  const core_id first = first_core(process());
  return first +
         (partition - first < cores_per_process() ? partition - first : partition % cores_per_process());
}

}  // namespace gossamer::mapreduce
