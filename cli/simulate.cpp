// gossamer simulate: a command, or a program that calls gossamer::run(), on a simulated cluster in one
// thread. What to simulate goes into GOSSAMER_SIMULATE, which the runtime reads. One seed: this process
// becomes the program, so output and exit code are its own. Several: a process for each, until one fails;
// then the fewest choices of that seed that still fail are looked for by halving.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "gossamer/simulation/choices.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "parse.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace gossamer::cli {
namespace {

constexpr std::uint64_t k_all = simulation::choices::k_always;

simulation::options simulated(const options& o) {
  auto asked = simulation::options::parse(o.simulated);
  asked.seed = o.seed;
  if (o.last_seed != 0 && o.simulated.find(" faults=") == std::string::npos) asked.faults = "all";
  return asked;
}

void set(const simulation::options& asked) { machine::set_environment("GOSSAMER_SIMULATE", asked.print()); }

std::string how(const machine::program_result& r, std::uint64_t seconds) {
  if (r.timed_out) return fmt::format("no end within {} s", seconds);
  if (r.signal_number != 0) return fmt::format("ended by signal {}", r.signal_number);
  return fmt::format("exit code {}", r.exit_code);
}

/// Whether a word can stand in a command line as it is.
std::string shown(const std::string& word) {
  constexpr std::string_view k_plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  if (!word.empty() && word.find_first_not_of(k_plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The runs of several seeds.
class sweep {
 public:
  explicit sweep(const options& o)
      : o_(o), asked_(simulated(o)), words_(words_to_start(o)), steps_(o.quiet) {}

  int run() {
    steps_.step(fmt::format("seeds {}..{}", o_.seed, o_.last_seed));
    for (std::uint64_t seed = o_.seed; seed <= o_.last_seed; ++seed) {
      steps_.at(seed - o_.seed, o_.last_seed - o_.seed + 1);
      if (const auto failed = failure(seed, k_all)) return report(seed, *failed);
    }
    steps_.finish();
    write_output(fmt::format("seeds {}..{}: none failed\n", o_.seed, o_.last_seed));
    return 0;
  }

 private:
  std::optional<machine::program_result> failure(std::uint64_t seed, std::uint64_t until,
                                                 const char* trace = "") {
    asked_.seed = seed;
    asked_.until = until;
    asked_.trace = trace;
    set(asked_);
    auto result = machine::run_program(words_, static_cast<double>(o_.timeout_s));
    if (result.ok()) return {};
    return result;
  }

  int report(std::uint64_t seed, const machine::program_result& first) {
    write_error(
        fmt::format("seed {} failed: {}; looking for the fewest choices\n", seed, how(first, o_.timeout_s)));
    steps_.step(fmt::format("seed {}: the fewest choices that fail", seed));
    const auto prefix =
        simulation::fewest_choices([&](std::uint64_t until) { return failure(seed, until).has_value(); });
    const auto last = failure(seed, prefix.value_or(k_all), "-");
    steps_.finish();
    asked_.trace.clear();
    std::string text = fmt::format("seed {}: {}\n", seed, how(first, o_.timeout_s));
    if (!prefix)
      text += "it did not fail again with fewer choices\n";
    else if (*prefix == 0)
      text += "it fails without any choice: the seed has no part in it\n";
    else
      text += fmt::format("the first {} choices of the seed are enough\n", format_count(*prefix));
    text += fmt::format("again: gossamer simulate {} -- {}\n", arguments(), shown_words());
    write_output(text + "\n" + (last ? last->errors : first.errors));
    return 1;
  }

  /// The options that give asked_: words "name=value" become "--name=value".
  std::string arguments() const {
    std::string out = "--" + asked_.print();
    for (std::size_t at = 0; (at = out.find(' ', at)) != std::string::npos; at += 3) out.insert(at + 1, "--");
    return out;
  }

  std::string shown_words() const {
    std::vector<std::string> all;
    for (const std::string& word : o_.wrapped) all.push_back(shown(word));
    return fmt::to_string(fmt::join(all, " "));
  }

  const options& o_;
  simulation::options asked_;
  std::vector<std::string> words_;
  progress steps_;
};

}  // namespace

int simulate(const options& o) {
  if (o.last_seed != 0) return sweep(o).run();
  simulation::options asked = simulated(o);
  if (!o.quiet) asked.report = "-";
  set(asked);
  machine::become_program(words_to_start(o));
}

}  // namespace gossamer::cli
