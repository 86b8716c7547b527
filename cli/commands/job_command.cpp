#include "commands/job_command.hpp"

#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
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
  d.number("--cores", cores_, "worker threads (default: the processors this process may use)", 1, 65535);
  d.flag("--stats", stats_, "what the runtime did, per core: minimum, median, maximum");
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

void job_command::check_read_again(const std::vector<std::string>& paths) const {
  if (!verify_) return;
  for (const std::string& path : paths)
    if (std::error_code none; path == "-" || std::filesystem::is_fifo(path, none))
      throw error(fmt::format("{}: --verify reads the files again: give a file instead of {}", name(),
                              printable(path)));
}

void job_command::check_timed() const {
  if (cores_ != 0) throw error(fmt::format("scale: --cores belongs before {}", name()));
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
  check_files();
  describe(s.json());
  gossamer::run(job(), [&] {
    answer(s);
    if (stats_) say_statistics(s, statistics());
  });
  write_files(s);
  return s.finish();
}

}  // namespace gossamer::cli
