#include "gossamer/mapreduce/hybrid_engine.hpp"

#include <fmt/format.h>

#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/program_digest.hpp"

namespace gossamer {

void forget_work(const std::string& folder, const std::string& part) {
  if (folder.empty()) return;
  const mapreduce::shared_folder shared(mapreduce::work_prefix(folder, part));
  on_all_cores([shared = shared.handle()] { mapreduce::remove_work(shared.here().text, here()); });
}

namespace mapreduce {

std::uint64_t bounded_memory(const map_reduce_options& o) {
  // Without a limit of its own, a resumable job takes half of the available memory.
  return o.memory_bytes != 0 || o.resume.empty() ? o.memory_bytes : machine::available_memory() / 2;
}

std::uint64_t begin_job(const map_reduce_options& o, const std::string& input, std::size_t pair_bytes) {
  constexpr unsigned k_version = 2;
  const std::string job = fmt::format(
      "work of a MapReduce job, form {}\nprogram {:016x}\ncores {} of {} processes\nbytes of a pair "
      "{}\n{}\n{}\n",
      k_version, machine::digest_of_self("").program, cores(), processes(), pair_bytes, o.resume_job, input);
  begin_work(o.resume, o.resume_part, job);
  return io::checksum(std::as_bytes(std::span(job)));
}

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

void run_hybrid_bounded(job_workers workers, stage_clock& clock, map_reduce_statistics& what) {
  run_stage(workers, k_map_pairs);
  what.map_seconds = clock.lap();
  count_pairs(workers, what);
  const bool spills = count_spilled(workers).must_spill;
  if (!spills) {
    clock.lap();
    run_stage(workers, k_join);
    what.reduce_seconds = clock.lap();
    run_stage(workers, k_finish);
    what.exchange_seconds = clock.lap();
    return;
  }
  run_stage(workers, k_spill_rest);
  what.map_seconds += clock.lap();
  const spill_counts all = count_spilled(workers);
  what.spills = all.spills;
  what.spilled_pairs = all.pairs;
  what.spilled_bytes = all.bytes;
  what.tasks_before = all.tasks_before;
  if (processes() > 1)
    while (count_spilled(workers).unsent) run_stage(workers, k_send_blocks);
  what.exchange_seconds = clock.lap();
  run_stage(workers, k_join_buckets);
  what.reduce_seconds = clock.lap();
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

}  // namespace mapreduce

}  // namespace gossamer
