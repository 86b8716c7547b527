#include "gossamer/mapreduce/map_stage.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"

namespace gossamer::mapreduce {

void run_stage(job_workers workers, unsigned stage) {
  on_all_cores([workers, stage] { workers.here()->run(stage); });
}

void count_pairs(job_workers workers, map_reduce_statistics& what) {
  for (const pair_counts& c :
       collect(workers, [](const std::unique_ptr<job_worker>& w) { return w->count(); })) {
    what.emitted += c.emitted;
    what.combined += c.pairs;
    what.container_bytes += c.bytes;
  }
}

spill_counts count_spilled(job_workers workers) {
  spill_counts all;
  for (const spill_counts& c :
       collect(workers, [](const std::unique_ptr<job_worker>& w) { return w->spilled(); })) {
    all.spills += c.spills;
    all.pairs += c.pairs;
    all.bytes += c.bytes;
    all.must_spill |= c.must_spill;
    all.unsent |= c.unsent;
    all.tasks_before += c.tasks_before;
  }
  return all;
}

namespace {

/// Runs the tasks of a core's block until none is left.
void take_tasks(parallel::dynamic_block& of, bool steals, function_ref<void(std::uint64_t)> f) {
  while (of.next.load(std::memory_order_relaxed) < of.end) {
    if (auto* one_thread = machine::simulated()) [[unlikely]]
      one_thread->look();  // the others take tasks meanwhile
    check_interrupt();
    const std::uint64_t task = of.next.fetch_add(1, std::memory_order_relaxed);
    if (task >= of.end) return;
    if (steals) ++parallel::core::here().count().steals;
    f(task);
  }
}

/// Calls f(task) for the tasks of this core, then for those of the others, in a random order that is the same
/// in every run.
void run_tasks_at_random(map_blocks& own, function_ref<void(std::uint64_t)> f) {
  const unsigned n = cores_per_process(), self = here() - first_core(process());
  take_tasks(own.all[self], false, f);
  xoshiro256 draw(here());
  std::vector<unsigned> others;
  for (unsigned c = 0; c < n; ++c)
    if (c != self) others.push_back(c);
  for (std::size_t left = others.size(); left > 0; --left) {
    std::swap(others[left - 1], others[draw() % left]);
    take_tasks(own.all[others[left - 1]], true, f);
  }
}

}  // namespace

void run_tasks(map_blocks& own, bool steals, function_ref<void(std::uint64_t)> f) {
  if (steals && own.order == victims::at_random) return run_tasks_at_random(own, f);
  if (steals)
    return parallel::run_dynamic(own.all.get(), 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (; begin < end; ++begin) f(begin);
    });
  parallel::dynamic_block& alone = own.all[here() - first_core(process())];
  for (std::uint64_t t; (t = alone.next.fetch_add(1, std::memory_order_relaxed)) < alone.end;) f(t);
}

void refuse_order() {
  throw error("map_reduce: expected keys that have < where results shall be sorted, found keys without");
}

void refuse_bound(const map_reduce_options& o, const char* what) {
  if (!o.resume.empty())
    throw error(fmt::format("map_reduce: {} cannot be continued: leave out the folder of the work", what));
  if (o.memory_bytes != 0)
    throw error(
        fmt::format("map_reduce: {} cannot go to scratch files: leave out the bound of memory", what));
}

}  // namespace gossamer::mapreduce
