#include "commands/job_command.hpp"

#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/machine/topology.hpp"
#include "output/explanation.hpp"
#include "output/statistics.hpp"
#include "output/text.hpp"

namespace gossamer::cli {

void job_command::declare(declaration& d) {
  declare_own(d);
  declare_running(d);
  d.section(k_last_group);
  declare_output(d);
  declare_reporting(d, "one JSON object on standard output and nothing else there", "no progress");
}

void job_command::declare_running(declaration& d) {
  d.section("Running");
  d.number("--cores", cores_, "worker threads (default: the processors this process may use)", 1,
           k_most_cores);
  d.flag("--stats", stats_, "what the runtime did, per core: minimum, median, maximum");
  d.flag("--explain", explain_, "where the time went, in words, and what to do about it");
  d.flag("--verify", verify_, "check the answer with an independent serial method");
}

std::uint64_t job_command::input_bytes(const std::vector<std::string>& paths) {
  std::uint64_t sum = 0;
  for (const std::string& path : paths) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return 0;
    sum += std::filesystem::file_size(path, none);
  }
  return sum;
}

void job_command::check_read_again() const {
  if (!verify_) return;
  for (const std::string& path : files_read())
    if (io::is_read_once(path))
      throw error(fmt::format("{}: --verify reads the files again: give a file instead of {}", name(),
                              printable(path)));
}

void job_command::check_cores(std::string_view by) const {
  if (cores_ != 0) throw error(fmt::format("{}: --cores belongs before {}", by, name()));
}

std::string job_command::ignores(std::string_view setting) const {
  if (setting == "seed")
    return seed_option().empty()
               ? "it makes no random choices"
               : fmt::format("it takes its seed from an option: {} {{seed}} makes that a place of the words",
                             seed_option());
  if (setting == "cores" && cores_ != 0)
    return "--cores is given: --cores {cores} makes that a place of the words";
  return {};
}

std::string job_command::without_stealable_tasks(std::string_view setting) {
  return setting == "steal_tasks" || setting == "steal_chunk"
             ? "it has no stealable tasks (uts and uts-mem have)"
             : "";
}

std::string job_command::without_range_loops(std::string_view setting) {
  return setting == "loop_grain" ? "it has no loop over a range (forall())" : "";
}

std::string job_command::without_structures(std::string_view setting) {
  return setting == "combining" ? "it has no structures that combine (gossamer structures has)" : "";
}

std::string job_command::ignores_tasks_and_structures(std::string_view setting) const {
  for (std::string why : {job_command::ignores(setting), without_stealable_tasks(setting),
                          without_range_loops(setting), without_structures(setting)})
    if (!why.empty()) return why;
  return {};
}

session_options job_command::reporting() const { return {.command = name(), .json = json_, .quiet = quiet_}; }

job_options job_command::job() const {
  job_options job = job_options::from_environment();
  if (cores_ > 0) job.cores = cores_;
  job.seed = seed_;
  return job;
}

int job_command::run() {
  session s(reporting());
  if (explain_ && !s.simulated()) cache_bytes_ = machine::discover_topology().caches.l3;
  check_files();
  describe(s.json());
  gossamer::run(job(), [&] { answer_and_account(s, [&] { answer(s); }); });
  write_files(s);
  return s.finish();
}

void job_command::answer_and_account(session& s, function_ref<void()> answer) {
  run_recorder recorder;
  if (explain_) {
    recorder.record().cache_bytes = cache_bytes_;
    s.record(&recorder);
  }
  answer();
  if (explain_) {
    recorder.end();
    s.record(nullptr);
    say_explanation(s, recorder.record());
  }
  if (stats_) say_statistics(s, statistics());
}

}  // namespace gossamer::cli
