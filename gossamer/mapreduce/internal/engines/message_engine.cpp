#include "gossamer/mapreduce/internal/engines/message_engine.hpp"

namespace gossamer::mapreduce {

void run_by_messages(job_workers workers, bool combines, stage_clock& clock, map_reduce_statistics& what) {
  run_stage(workers, k_map);
  what.map_seconds = clock.lap();
  if (combines) run_stage(workers, k_combine);
  what.combine_seconds = clock.lap();
  count_pairs(workers, what);
  clock.lap();
  run_stage(workers, k_partition_sizes);
  run_stage(workers, k_partition);
  what.partition_seconds = clock.lap();
  run_stage(workers, k_group);
  what.group_seconds = clock.lap();
  run_stage(workers, k_reduce);
  what.reduce_seconds = clock.lap();
  run_stage(workers, k_sort);
  what.sort_seconds = clock.lap();
}

}  // namespace gossamer::mapreduce
