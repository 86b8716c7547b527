#include "gossamer/mapreduce/internal/hybrid_engine.hpp"

namespace gossamer::mapreduce {

void run_hybrid(job_workers workers, stage_clock& clock, map_reduce_statistics& what) {
  run_stage(workers, k_map_pairs);
  what.map_seconds = clock.lap();
  count_pairs(workers, what);
  clock.lap();
  run_stage(workers, k_join);
  what.reduce_seconds = clock.lap();
  run_stage(workers, k_finish);
  what.exchange_seconds = clock.lap();
}

void run_hybrid_lists(job_workers workers, stage_clock& clock, map_reduce_statistics& what) {
  run_stage(workers, k_map_pairs);
  what.map_seconds = clock.lap();
  count_pairs(workers, what);
  clock.lap();
  if (processes() > 1) run_stage(workers, k_send);
  what.exchange_seconds = clock.lap();
  run_stage(workers, k_finish);
  what.reduce_seconds = clock.lap();
}

void run_arrays_by_messages(job_workers workers, stage_clock& clock, map_reduce_statistics& what) {
  run_stage(workers, k_map_pairs);
  what.map_seconds = clock.lap();
  count_pairs(workers, what);
  clock.lap();
  run_stage(workers, k_send_sizes);
  run_stage(workers, k_send);
  what.partition_seconds = clock.lap();
  run_stage(workers, k_finish);
  what.reduce_seconds = clock.lap();
}

}  // namespace gossamer::mapreduce
