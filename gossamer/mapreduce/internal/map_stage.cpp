#include "gossamer/mapreduce/internal/map_stage.hpp"

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

}  // namespace gossamer::mapreduce
