#pragma once
// A command that runs as one job. Declares the options of all jobs. answer() runs on the main fiber inside
// gossamer::run().

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/parallel/job.hpp"
#include "output/session.hpp"

namespace gossamer::cli {

class job_command : public command {
 public:
  using command::command;

  /// Declares the command's own options, then --cores, --stats, --explain and --verify, then output and
  /// reporting.
  void declare(declaration& d) override;
  int run() override;
  bool is_timed() const override { return true; }
  void check_cores(std::string_view by) const override;
  /// Returns a reason for the settings that options of this class replace: seed and cores.
  std::string ignores(std::string_view setting) const override;

 protected:
  /// Does the same for a command without stealable tasks, range loops and structures that combine.
  std::string ignores_tasks_and_structures(std::string_view setting) const;
  /// Returns the option that takes the seed of random choices; empty if the command makes none.
  virtual std::string_view seed_option() const { return {}; }
  /// Returns why settings of stealable tasks have no effect; empty for other settings.
  static std::string without_stealable_tasks(std::string_view setting);
  /// Returns why the setting of loops over a range has no effect; empty for other settings.
  static std::string without_range_loops(std::string_view setting);
  /// Returns why the setting of structures has no effect; empty for other settings.
  static std::string without_structures(std::string_view setting);

  /// Declares the command's own arguments and options.
  virtual void declare_own(declaration& d) = 0;
  /// Declares the options before --json in the last group.
  virtual void declare_output(declaration&) {}
  /// Computes and adds the answer to the session.
  virtual void answer(session& s) = 0;
  /// Writes files that need the whole answer, with its statistics. Called in every process, after the job.
  virtual void write_files(session&) {}
  /// Checks the files that the command will write. Called before the job.
  virtual void check_files() const {}

  virtual session_options reporting() const;
  virtual job_options job() const;
  void declare_running(declaration& d);
  /// Calls answer(), and adds the results of --stats and --explain. Inside a job.
  void answer_and_account(session& s, function_ref<void()> answer);
  /// Returns the bytes of some files, for the rate of a step; 0 if one is no regular file.
  static std::uint64_t input_bytes(const std::vector<std::string>& paths);
  /// Throws gossamer::error if --verify would read standard input or a pipe a second time (files_read()).
  void check_read_again() const;

  /// Describes the files that a command requires, for the error if none is given.
  static constexpr std::string_view k_missing_file = "a file to read, or - for standard input";

  unsigned cores_ = 0;  // 0: the processors that this process may use
  std::uint64_t seed_ = 1;
  bool stats_ = false;
  bool explain_ = false;
  bool verify_ = false;

 private:
  std::uint64_t cache_bytes_ = 0;  // of the last-level cache; 0: unknown
};

}  // namespace gossamer::cli
