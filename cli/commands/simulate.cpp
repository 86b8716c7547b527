// gossamer simulate: runs a command, or a program that calls gossamer::run(), on a simulated cluster in one
// thread. Passes the options in GOSSAMER_SIMULATE, which the runtime reads. With one seed, this process is
// replaced by the program, so output and exit code are those of the program. With several seeds, starts a
// process for each until one fails. Then a binary search finds the fewest choices of that seed that still
// fail.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "commands/cluster_options.hpp"
#include "commands/registry.hpp"
#include "commands/wrapping_command.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "gossamer/simulation/choices.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "output/progress.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr std::uint64_t k_all = simulation::choices::k_always;

constexpr command_text k_simulate_text{
    "simulate", "run a command or program on a cluster in one thread, by virtual time",
    "  gossamer simulate --processes 128 --cores 16 --network qdr -- uts T2L\n"
    "  gossamer simulate --processes 4 --seeds 1..1000 -- bfs kron:10 --source 1 --verify\n"
    "  gossamer simulate --processes 4 --lose 3@2ms --trace lost.json -- uts T1\n"};

void set_simulation(const simulation::options& asked) {
  machine::set_environment("GOSSAMER_SIMULATE", asked.print());
}

std::string end_text(const machine::program_result& r, std::uint64_t seconds) {
  if (r.timed_out) return fmt::format("no end within {} s", seconds);
  if (r.signal_number != 0) return fmt::format("ended by signal {}", r.signal_number);
  return fmt::format("exit code {}", r.exit_code);
}

/// Quotes a word for a shell, if that is necessary.
std::string quoted(const std::string& word) {
  constexpr std::string_view k_plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  if (!word.empty() && word.find_first_not_of(k_plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct seed_range {
  std::uint64_t first = 1;
  std::uint64_t last = 0;  // 0: one run, of `first`
};

/// Runs the command with several seeds.
class seed_runs {
 public:
  seed_runs(std::string_view program_name, simulation::options cluster, seed_range seeds,
            std::uint64_t timeout_s, std::vector<std::string> to_start, std::vector<std::string> typed,
            bool quiet)
      : program_name_(program_name),
        asked_(std::move(cluster)),
        seeds_(seeds),
        timeout_s_(timeout_s),
        words_(std::move(to_start)),
        typed_(std::move(typed)),
        steps_(quiet) {}

  int run() {
    steps_.step(fmt::format("seeds {}..{}", seeds_.first, seeds_.last));
    for (std::uint64_t seed = seeds_.first; seed <= seeds_.last; ++seed) {
      steps_.at(seed - seeds_.first, seeds_.last - seeds_.first + 1);
      if (const auto failed = failure(seed, k_all)) return report(seed, *failed);
    }
    steps_.finish();
    write_output(fmt::format("seeds {}..{}: none failed\n", seeds_.first, seeds_.last));
    return 0;
  }

 private:
  std::optional<machine::program_result> failure(std::uint64_t seed, std::uint64_t until,
                                                 const char* trace = "") {
    asked_.seed = seed;
    asked_.until = until;
    asked_.trace = trace;
    set_simulation(asked_);
    auto result = machine::run_program(words_, static_cast<double>(timeout_s_));
    if (result.ok()) return {};
    return result;
  }

  int report(std::uint64_t seed, const machine::program_result& first) {
    write_error(fmt::format("seed {} failed: {}; looking for the fewest choices\n", seed,
                            end_text(first, timeout_s_)));
    steps_.step(fmt::format("seed {}: the fewest choices that fail", seed));
    const auto prefix =
        simulation::fewest_choices([&](std::uint64_t until) { return failure(seed, until).has_value(); });
    const auto last = failure(seed, prefix.value_or(k_all), "-");
    steps_.finish();
    asked_.trace.clear();
    std::string text = fmt::format("seed {}: {}\n", seed, end_text(first, timeout_s_));
    if (!prefix)
      text += "it did not fail again with fewer choices\n";
    else if (*prefix == 0)
      text += "it fails without any choice: the seed has no part in it\n";
    else
      text += fmt::format("the first {} choices of the seed are enough\n", format_count(*prefix));
    text += fmt::format("again: {} simulate {} -- {}\n", program_name_, arguments(), quoted_words(typed_));
    write_output(text + "\n" + (last ? last->errors : first.errors));
    return 1;
  }

  /// Returns the options that give asked_: words "name=value" become "--name=value".
  std::string arguments() const {
    const std::string text = asked_.print();
    std::vector<std::string> all;
    for (const auto word : std::views::split(text, ' '))
      all.push_back("--" + simulation::options::unescaped({word.begin(), word.end()}));
    return quoted_words(all);
  }

  static std::string quoted_words(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) all.push_back(quoted(word));
    return fmt::to_string(fmt::join(all, " "));
  }

  const std::string_view program_name_;
  simulation::options asked_;
  const seed_range seeds_;
  const std::uint64_t timeout_s_;
  const std::vector<std::string> words_, typed_;
  progress steps_;
};

class simulate_command final : public wrapping_command {
 public:
  simulate_command() : wrapping_command(k_simulate_text) {}

  void declare(declaration& d) override;
  std::optional<answer> check_wrapped() override;
  int run() override;

 private:
  cluster_options cluster_;
  seed_range seeds_;
  std::optional<std::uint64_t> seed_, timeout_s_;
};

/// Reads "1..10000", or one number.
seed_range seeds_of(const std::string& option, const std::string& text) {
  const std::size_t dots = text.find("..");
  const std::string first = text.substr(0, dots), last = dots == text.npos ? first : text.substr(dots + 2);
  const std::uint64_t low = whole_number(option, first, 1, k_any);
  return {low, whole_number(option, last, low, k_any - 1)};
}

void simulate_command::declare(declaration& d) {
  d.wraps_command();
  d.section("The cluster");
  cluster_.word(d, "-n,--processes", "N", "processes", "how many (default 1)");
  cluster_.word(d, "--cores", "N", "cores", "of each process (default 1, or GOSSAMER_CORES)");
  cluster_.word(d, "--network", "NAME|FILE", "network",
                "qdr, hdr, slingshot, ethernet-25g, loopback (default), or a file (docs/simulation.md)");
  cluster_.word(d, "--node", "K", "node",
                "processes of a node, which have lanes between them (default 1: none)");
  cluster_.compute(d);
  d.section("Schedules and faults");
  d.number("--seed", seed_, "of all choices (default 1)");
  d.value("--seeds", "A..B", "one run for each; stops at the first that fails and shortens it",
          [this](const auto& option, const auto& text) { seeds_ = seeds_of(option, text); });
  cluster_.word(
      d, "--faults", "KINDS", "faults",
      "none (default of one run), all (default of --seeds), or some, with commas: order ready steal "
      "delay spin cost slow pause lock pools compute");
  cluster_.word(d, "--lose", "P@T", "lose", "process P is lost at that time, as in 3@2ms");
  cluster_.word(d, "--until", "K", "until", "choices from number K on are as usual");
  cluster_.word(d, "--most", "T", "most", "of virtual time: a run that takes longer hangs");
  d.number("--timeout", timeout_s_, "seconds for each run of --seeds (default 300)", 1, 86'400, "S");
  cluster_.word(d, "--trace", "FILE", "trace",
                "a time line for ui.perfetto.dev: one track per core, the last million events");
  d.section(k_last_group);
  d.flag("-q,--quiet", quiet_, "no line about the run on standard error, no progress");
}

std::optional<answer> simulate_command::check_wrapped() {
  const auto cluster = cluster_.read();
  if (seeds_.last != 0 && !cluster.trace.empty())
    throw error("simulate: --trace is for one seed (--seeds traces the one that fails by itself)");
  if (seeds_.last != 0 && cluster_.has("until")) throw error("simulate: --until is for one seed");
  if (seeds_.last != 0 && seed_) throw error("simulate: --seed and --seeds exclude each other");
  if (seeds_.last == 0 && timeout_s_) throw error("simulate: --timeout is for the runs of --seeds");
  return check_command_or_program(&command::not_for_simulation, [this](const command& inner) {
    if (cluster_.has("cores")) inner.check_cores(name());
    if (seeds_.last != 0) check_repeated(inner);
  });
}

int simulate_command::run() {
  simulation::options cluster = cluster_.read();
  if (cluster_.has("cores")) machine::set_environment("GOSSAMER_CORES", std::to_string(cluster.cores));
  cluster.seed = seed_.value_or(1);
  if (seeds_.last != 0) {
    if (!cluster_.has("faults")) cluster.faults = "all";
    return seed_runs(program_->name, cluster, seeds_, timeout_s_.value_or(300), words_to_start(), words_,
                     quiet_)
        .run();
  }
  if (!quiet_) cluster.report = "-";
  set_simulation(cluster);
  machine::become_program(words_to_start());
}

}  // namespace

std::unique_ptr<command> make_simulate() { return std::make_unique<simulate_command>(); }

}  // namespace gossamer::cli
