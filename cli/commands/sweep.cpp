// gossamer sweep: runs one command with every combination of some settings, on this machine or simulated.
// Prints a row for each, the best one, and the values that are nearly as good. Each round runs all
// combinations, so that a slow period of the machine affects all of them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/cluster_options.hpp"
#include "commands/registry.hpp"
#include "commands/timed_answer.hpp"
#include "commands/wrapping_command.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "output/figure.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/rows.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"
#include "parse/sweep_values.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

constexpr std::uint64_t k_most_points = 10'000;
constexpr double k_as_good = 0.05;  // a run that is worse by less counts as good as the best

/// Minimum, median and maximum of some numbers.
struct spread {
  double least = 0, median = 0, most = 0;
};

spread spread_of(std::vector<double> all) {
  std::ranges::sort(all);
  const std::size_t middle = all.size() / 2;
  return {all.front(), all.size() % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2, all.back()};
}

/// One combination of values, and its measurements.
struct sweep_point {
  std::vector<std::string> values;  // of the settings, in their order
  std::vector<double> seconds, rates;
  std::string failed;  // why a run failed; the point is not run again
  json_object answer;  // of the last run

  bool is_measured() const { return failed.empty() && !seconds.empty(); }
  /// Returns the score of the point; larger is better.
  double score() const { return rates.empty() ? 1 / spread_of(seconds).median : spread_of(rates).median; }
};

/// The options of `sweep`.
struct sweep_options {
  std::vector<swept> settings;
  simulation::options cluster;
  bool is_simulated = false;
  std::uint64_t processes = 0;  // of runs on this machine; 0: one, started without `run`
  std::uint64_t repeats = 3;
  std::uint64_t seed = 1;
  std::uint64_t timeout_s = 3600;
  std::vector<std::string> words;
  std::string output, figure;
  bool no_figure = false, json = false, quiet = false;
};

class sweeping {
 public:
  explicit sweeping(const sweep_options& o);

  int run();

 private:
  std::vector<std::string> words_of(const sweep_point& p) const;
  void measure(sweep_point& p, std::uint64_t round);
  json_object json_of(const sweep_point& p, bool whole) const;
  json_object summary() const;
  std::vector<std::string> flat_values(std::size_t setting) const;
  std::string place() const;
  void say() const;
  void write_rows() const;
  int draw() const;

  const sweep_options& o_;
  std::vector<sweep_point> points_;
  const sweep_point* best_ = nullptr;
  std::string unit_;
  progress steps_;
};

sweeping::sweeping(const sweep_options& o) : o_(o), points_(1), steps_(o.quiet) {
  for (const swept& each : o.settings) {  // every combination; the last setting varies fastest
    std::vector<sweep_point> more;
    for (const sweep_point& p : points_)
      for (const std::string& value : each.values) {
        sweep_point next;
        next.values = p.values;
        next.values.push_back(value);
        more.push_back(std::move(next));
      }
    points_ = std::move(more);
  }
  // Both find a missing folder before any run.
  if (!o.output.empty()) write_rows();
  if (!o.figure.empty()) machine::output_file(o.figure);
}

/// Returns the words to start: this program, and the words of the command with their placeholders replaced.
std::vector<std::string> sweeping::words_of(const sweep_point& p) const {
  std::vector<std::string> words = o_.words;
  bool found = false;
  for (std::size_t i = 0; i < o_.settings.size(); ++i)
    words = with_value(words, o_.settings[i].name, p.values[i], found);
  if (o_.processes > 0) words.insert(words.begin(), {"run", "--np", std::to_string(o_.processes), "--"});
  words.insert(words.begin(), machine::program_file());
  words.insert(words.end(), {"--json", "--stats", "--quiet"});
  return words;
}

void sweeping::measure(sweep_point& p, std::uint64_t round) {
  for (std::size_t i = 0; i < o_.settings.size(); ++i) {
    bool is_place = false;
    (void)with_value(o_.words, o_.settings[i].name, p.values[i], is_place);
    if (!is_place) machine::set_environment(o_.settings[i].variable(), p.values[i]);
  }
  if (o_.is_simulated) {
    simulation::options cluster = o_.cluster;
    cluster.seed = o_.seed + round;
    machine::set_environment("GOSSAMER_SIMULATE", cluster.print());
    machine::set_environment("GOSSAMER_CORES", std::to_string(std::max(1U, cluster.cores)));
  }
  const auto ran = machine::run_program(words_of(p), static_cast<double>(o_.timeout_s));
  auto answer = json_object::parse(ran.output);
  if (!ran.ok() || !answer) {
    p.failed = failure_text(ran, o_.timeout_s);
    return;
  }
  p.seconds.push_back(seconds_of(*answer));
  if (const auto rate = rate_of(*answer)) {
    p.rates.push_back(rate->value);
    unit_ = rate->unit;
  }
  p.answer = *std::move(answer);
}

/// Returns the row of a point: `whole`, or what a figure needs.
json_object sweeping::json_of(const sweep_point& p, bool whole) const {
  json_object j;
  if (whole) {
    j.set("command", "sweep");
    j.set("version", k_version);
    j.set("of", joined(o_.words));
    j.set("place", place());
  }
  for (std::size_t i = 0; i < o_.settings.size(); ++i) j.set("settings/" + o_.settings[i].name, p.values[i]);
  j.set("runs", std::uint64_t{p.seconds.size()});
  const auto set = [&j](const std::string& name, const std::vector<double>& all) {
    if (all.empty()) {
      for (const char* which : {"", "least_", "most_"}) j.set_null(which + name);
      return;
    }
    const spread s = spread_of(all);
    j.set(name, s.median);
    j.set("least_" + name, s.least);
    j.set("most_" + name, s.most);
  };
  set("seconds", p.seconds);
  set("rate", p.rates);
  j.set("unit", unit_);
  p.failed.empty() ? j.set_null("failed") : j.set("failed", p.failed);
  if (whole && p.is_measured()) j.set("answer", p.answer);
  return j;
}

/// Returns the values of a setting that are as good as the best one, with the other settings as at the best
/// point.
std::vector<std::string> sweeping::flat_values(std::size_t setting) const {
  std::vector<std::string> all;
  for (const sweep_point& p : points_) {
    if (!p.is_measured() || (1 + k_as_good) * p.score() < best_->score()) continue;
    bool is_beside = true;
    for (std::size_t i = 0; i < p.values.size(); ++i)
      is_beside = is_beside && (i == setting || p.values[i] == best_->values[i]);
    if (is_beside) all.push_back(p.values[setting]);
  }
  return all;
}

json_object sweeping::summary() const {
  json_object j = json_of(*best_, true);
  j.set("command", "sweep best");
  for (std::size_t i = 0; i < o_.settings.size(); ++i) {
    const std::string path = "within_5_percent/" + o_.settings[i].name;
    j.set_array(path);
    for (const std::string& value : flat_values(i)) j.append(path, std::string_view(value));
  }
  return j;
}

/// Describes the machine or cluster of the runs.
std::string sweeping::place() const {
  if (o_.is_simulated)
    return fmt::format("{}, {}, simulated",
                       plural(o_.cluster.processes, "process", "processes") +
                           fmt::format(" of {}", plural(std::max(1U, o_.cluster.cores), "core", "cores")),
                       o_.cluster.network);
  return o_.processes == 0 ? "this machine"
                           : fmt::format("{} of this machine", plural(o_.processes, "process", "processes"));
}

void sweeping::say() const {
  const paint p(output_has_colours());
  std::vector<table::column> titles;
  for (const swept& each : o_.settings) titles.push_back({each.name});
  for (const char* title : {"time", "least", "most"}) titles.push_back({title});
  titles.push_back({unit_});
  titles.push_back({"of the best"});
  table rows(std::move(titles));
  for (const sweep_point& one : points_) {
    std::vector<std::string> cells = one.values;
    if (one.is_measured()) {
      const spread s = spread_of(one.seconds);
      for (const double seconds : {s.median, s.least, s.most}) cells.push_back(format_duration(seconds));
      cells.push_back(one.rates.empty() ? "" : three_figures(spread_of(one.rates).median));
      cells.push_back(percent(one.score(), best_->score()));
    } else {
      for (int i = 0; i < 4; ++i) cells.emplace_back("-");
      cells.push_back(abridged(one.failed));
    }
    rows.row(std::move(cells));
  }
  write_output(fmt::format("{}  {}, the median of {}\n\n{}", p.bold(joined(o_.words)), place(),
                           plural(o_.repeats, "run", "runs"), rows.text(p)));
  if (best_ == nullptr) return;
  std::string best = "\nbest: ";
  for (std::size_t i = 0; i < o_.settings.size(); ++i) {
    const auto flat = flat_values(i);
    best += fmt::format("{}{} {}", i > 0 ? "; " : "", o_.settings[i].name, p.bold(best_->values[i]));
    if (flat.size() > 1) best += fmt::format(" (within 5 %: {})", fmt::join(flat, ", "));
  }
  write_output(best + "\n");
}

/// Writes all rows again after every round, so that an interrupted command leaves the rows so far.
void sweeping::write_rows() const {
  if (o_.output.empty()) return;
  std::vector<std::string> columns;
  for (const swept& each : o_.settings) columns.push_back(each.name);
  for (const char* name : {"runs", "seconds", "least_seconds", "most_seconds", "rate", "failed"})
    columns.emplace_back(name);
  row_writer file(o_.output, columns);
  for (const sweep_point& one : points_) {
    for (const std::string& value : one.values) file.text_field(value);
    file.field(std::uint64_t{one.seconds.size()});
    if (one.seconds.empty()) {
      file.no_value().no_value().no_value();
    } else {
      const spread s = spread_of(one.seconds);
      file.field(s.median).field(s.least).field(s.most);
    }
    one.rates.empty() ? file.no_value() : file.field(spread_of(one.rates).median);
    one.failed.empty() ? file.no_value() : file.text_field(one.failed);
    file.end_row();
  }
  file.commit();
}

/// Draws the figure. Returns the exit code: 2 if --figure was given and the figure could not be drawn.
int sweeping::draw() const {
  if (o_.no_figure) return 0;
  const std::string path = o_.figure.empty() ? fmt::format("sweep-{}.svg", o_.words.front()) : o_.figure;
  std::vector<std::string> rows;
  for (const sweep_point& each : points_) rows.push_back(json_of(each, false).text());
  const std::string why = draw_figure(figure_script::sweep, fmt::format("{} ({})", joined(o_.words), place()),
                                      "[" + fmt::to_string(fmt::join(rows, ",")) + "]", path);
  if (why.empty()) {
    if (!o_.json) write_output(fmt::format("wrote {}\n", printable(path)));
    return 0;
  }
  write_error(fmt::format("{}: sweep: no figure {}: {}; the rows are complete\n",
                          o_.figure.empty() ? "warning" : "error", printable(path), why));
  return o_.figure.empty() ? 0 : 2;
}

int sweeping::run() {
  const std::uint64_t all = points_.size() * o_.repeats;
  steps_.step(fmt::format("{} under {}", joined(o_.words), plural(points_.size(), "setting", "settings")));
  std::uint64_t done = 0;
  for (std::uint64_t round = 0; round < o_.repeats; ++round) {
    for (sweep_point& p : points_) {
      steps_.at(done++, all);
      if (p.failed.empty()) measure(p, round);
    }
    write_rows();
  }
  steps_.finish();
  std::uint64_t failed = 0;
  for (const sweep_point& p : points_) {
    if (!p.is_measured())
      ++failed;
    else if (best_ == nullptr || p.score() > best_->score())
      best_ = &p;
  }
  if (o_.json)
    for (const sweep_point& p : points_) write_output(json_of(p, true).text() + "\n");
  else
    say();
  if (best_ == nullptr) {
    write_error(fmt::format("error: sweep: every run failed, the first: {}\n", points_.front().failed));
    return 2;
  }
  if (o_.json) write_output(summary().text() + "\n");
  if (failed > 0)
    write_error(fmt::format("warning: sweep: {} of {} failed\n", failed,
                            plural(points_.size(), "setting", "settings")));
  return draw();
}

constexpr command_text k_sweep_text{
    "sweep", "run a command under every combination of settings: a table, a figure, and the best",
    "  gossamer sweep --set flush_delay_us=10..20000:log -- uts T1\n"
    "  gossamer sweep --set fibers=64..4096 --set steal_tasks=1,10,100 -n 32 --cores 16 --network qdr -- uts "
    "T1\n"
    "  gossamer sweep --set table=1..64 -- gups --table {table}MiB --updates 1000000   a place of the "
    "words\n"};

class sweep_command final : public wrapping_command {
 public:
  sweep_command() : wrapping_command(k_sweep_text) {}

  void declare(declaration& d) override;
  void check() override;
  std::optional<answer> check_wrapped() override;
  std::string ignored_here(std::string_view setting) const;
  int run() override {
    how_.words = words_;
    how_.json = json_;
    how_.quiet = quiet_;
    return sweeping(how_).run();
  }

 private:
  cluster_options cluster_;
  std::optional<std::uint64_t> seed_;
  sweep_options how_;
};

void sweep_command::declare(declaration& d) {
  d.wraps_command();
  d.values(
      "--set", "NAME=LIST",
      "a setting (docs/settings.md, in lower case and without GOSSAMER_) or a place {NAME} of the words, "
      "and its values: with commas "
      "between, A..B (doubled), A..B:log (1, 2, 5 of each power of ten), A..B:N (N numbers); given again "
      "for more",
      [this](const auto& option, const auto& text) {
        swept one = swept_values(option, text);
        for (const swept& other : how_.settings)
          if (other.name == one.name) throw error(fmt::format("{}: {} is given twice", option, one.name));
        how_.settings.push_back(std::move(one));
      });
  d.number("--repeats", how_.repeats, "runs of each setting, of which the median counts (default 3)", 1,
           1000);
  d.number("--np", how_.processes, "processes of each run, as run --np starts them (default: one)", 1,
           65'536);
  d.number("--timeout", how_.timeout_s, "seconds for each run (default 3600)", 1, 1'000'000, "S");
  d.section("Simulated clusters, instead of this machine");
  cluster_.word(d, "-n,--processes", "N", "processes", "how many: simulates");
  cluster_.word(d, "--cores", "N", "cores", "of each process (default 1)");
  cluster_.word(d, "--network", "NAME|FILE", "network",
                "qdr (default), hdr, slingshot, ethernet-25g, loopback, or a file (docs/simulation.md)");
  d.number("--seed", seed_, "of all choices of the first run; each repeat has the next one (default 1)");
  d.section(k_last_group);
  d.value(
      "-o,--output", "FILE",
      "also write a row per setting: .tsv, .csv, .json or .jsonl, also with .gz or .zst",
      [this](const auto& option, const auto& text) {
        how_.output = text;
        if (text == "-")
          throw error(option + ": - is not for rows that are written again after every round; use --json");
        (void)rows_format(option, text);
      });
  d.value("--figure", "FILE",
          "where to draw: .svg, .png or .pdf (default sweep-COMMAND.svg); needs matplotlib",
          [this](const auto& option, const auto& text) {
            how_.figure = text;
            check_figure(option, text);
          });
  d.flag("--no-figure", how_.no_figure, "only the rows");
  declare_reporting(d, "one JSON object per setting, then the best, each on a line", "no progress");
}

void sweep_command::check() {
  if (how_.settings.empty())
    throw error("sweep: expected --set NAME=VALUES (gossamer sweep --help shows examples)");
  if (how_.no_figure && !how_.figure.empty())
    throw error("sweep: --figure and --no-figure exclude each other");
  std::uint64_t points = 1;
  for (const swept& each : how_.settings) points = std::min(points * each.values.size(), 2 * k_most_points);
  if (points > k_most_points)
    throw error(fmt::format("sweep: expected at most {} combinations of settings, found more",
                            format_count(k_most_points)));
  how_.cluster = cluster_.read();
  if (!cluster_.has("network")) how_.cluster.network = "qdr";
  how_.is_simulated = cluster_.has("processes");
  if (!how_.is_simulated && cluster_.has("cores"))
    throw error(
        "sweep: --cores is for simulated clusters (-n); of this machine they are a setting, --set cores=1,2");
  if (!how_.is_simulated && cluster_.has("network"))
    throw error("sweep: --network is for simulated clusters (-n)");
  if (!how_.is_simulated && seed_)
    throw error("sweep: --seed is for simulated clusters (-n); a command has its own --seed");
  how_.seed = seed_.value_or(how_.seed);
  for (const swept& each : how_.settings)
    if (how_.is_simulated && (each.name == "cores" || each.name == "simulate"))
      throw error(fmt::format(
          "sweep: --set {} is for this machine; a simulated cluster (-n) has --cores and its own options",
          each.name));
  if (how_.is_simulated && how_.processes > 0) throw error("sweep: --np and -n exclude each other");
}

/// Returns why a setting has no effect on these runs, whatever the command; empty if it may have one.
std::string sweep_command::ignored_here(std::string_view setting) const {
  const auto one_of = [setting](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, setting) != names.end();
  };
  if (how_.is_simulated && one_of({"pin", "transport", "node_memory", "peer_timeout_s"}))
    return "a simulated cluster has none of it; leave out -n to measure on this machine";
  const bool is_alone = how_.is_simulated ? how_.cluster.processes == 1 : how_.processes <= 1;
  if (is_alone && one_of({"wire_packets", "wire_packet_bytes", "bulk_bytes", "routes", "steal_tasks",
                          "node_memory", "peer_timeout_s"}))
    return "it is for jobs of several processes, give --np N or -n N";
  if (how_.is_simulated && how_.cluster.cores <= 1 && setting == "steal_chunk")
    return "it is for several cores in a process, give --cores N";
  return {};
}

/// Parses the command with the first and the last value of each placeholder. It must be a command of this
/// program that is timed.
std::optional<answer> sweep_command::check_wrapped() {
  std::vector<std::string> first = words_, last = words_;
  for (const swept& each : how_.settings) {
    bool is_place = false;
    first = with_value(first, each.name, each.values.front(), is_place);
    last = with_value(last, each.name, each.values.back(), is_place);
    if (!is_place) check_swept("--set", each);
  }
  if (!wraps_own_command()) throw not_timed();
  for (const auto& words : {first, last}) {
    auto asked = parse_words(*program_, words);
    if (auto* text = std::get_if<answer>(&asked)) return std::move(*text);
    const command& inner = *std::get<std::unique_ptr<command>>(asked);
    if (!inner.is_timed()) throw not_timed();
    if (how_.is_simulated) inner.check_cores(name());
    check_repeated(inner);
    for (const swept& each : how_.settings) {
      bool is_place = false;
      (void)with_value(words_, each.name, each.values.front(), is_place);
      if (is_place) continue;
      const std::string here = ignored_here(each.name);
      const std::string why = here.empty() ? inner.ignores(each.name) : here;
      if (!why.empty())
        throw error(fmt::format("sweep: --set {} changes nothing for {}: {}", each.name, inner.name(), why));
    }
  }
  return {};
}

}  // namespace

std::unique_ptr<command> make_sweep() { return std::make_unique<sweep_command>(); }

}  // namespace gossamer::cli
