#pragma once
// A command that runs as one job: its options are those of every job, and it answers on the main fiber inside
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

  /// Declares the command's own options, then --cores, --stats, --verify, then the reporting.
  void declare(declaration& d) override;
  int run() override;
  bool is_timed() const override { return true; }
  void check_timed() const override;
  /// Names the settings that options of every job stand for.
  std::string ignores(std::string_view setting) const override;

 protected:
  /// Does the same for a command without stealable tasks and without structures that combine.
  std::string ignores_tasks_and_structures(std::string_view setting) const;
  /// Says why settings of stealable tasks change nothing; empty for other settings.
  static std::string without_stealable_tasks(std::string_view setting);
  /// Says why the setting of loops over a range changes nothing; empty for other settings.
  static std::string without_range_loops(std::string_view setting);
  /// Says why the setting of structures changes nothing; empty for other settings.
  static std::string without_structures(std::string_view setting);

  /// Declares the command's own arguments and options.
  virtual void declare_own(declaration& d) = 0;
  /// Declares what comes before --json in the last group.
  virtual void declare_output(declaration&) {}
  /// Computes and adds the answer to the session.
  virtual void answer(session& s) = 0;
  /// Writes what needs the whole answer, statistics included. In every process, after the job.
  virtual void write_files(session&) {}
  /// Checks, before the job, the files that it will write.
  virtual void check_files() const {}

  virtual session_options reporting() const;
  virtual job_options job() const;
  void declare_running(declaration& d);
  /// Calls answer(), and adds what --stats and --explain ask for. Inside a job.
  void answer_and_account(session& s, function_ref<void()> answer);
  /// Counts the bytes of files, for the rate of a step; 0 where that is not known.
  static std::uint64_t input_bytes(const std::vector<std::string>& paths);
  /// Throws gossamer::error where --verify would read again what can be read once: standard input or a pipe.
  void check_read_again(const std::vector<std::string>& paths) const;

  unsigned cores_ = 0;  // 0: the processors this process may use
  std::uint64_t seed_ = 1;
  bool stats_ = false;
  bool explain_ = false;
  bool verify_ = false;

 private:
  std::uint64_t cache_bytes_ = 0;  // of the last level; 0: not known
};

}  // namespace gossamer::cli
