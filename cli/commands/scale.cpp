// gossamer scale: runs one command on simulated clusters of several sizes, one after another. Prints a row
// after each run, and draws a figure. Each run is a process of this program under GOSSAMER_SIMULATE.

#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "output/figure.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/rows.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"
#include "parse/places.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

struct scale_row {
  unsigned processes = 0, cores = 0;  // cores: of the whole job
  double seconds = 0;  // virtual time of the timed part
  std::optional<double> rate;  // that the command reports
  double speed_up = 1, efficiency = 1;
  std::uint64_t messages = 0, packets = 0, bytes = 0;  // records; between processes
  std::optional<double> fill;  // of packets between processes, percent
  std::uint64_t memory_per_core = 0;  // resident, of the simulation
  std::optional<double> buffers;  // bytes of one process for packets to and from others, at most
  double host_seconds = 0;
  json_object answer;
};

/// The options of `scale`.
struct scale_options {
  simulation::options cluster;
  std::uint64_t seed = 1;
  std::uint64_t timeout_s = 3600;  // of each run
  std::vector<unsigned> counts{1, 2, 4, 8, 16};  // of processes
  std::vector<std::string> words;
  std::string output;
  std::string figure;  // empty: scale-<command>.svg
  bool no_figure = false;
  bool json = false;
  bool quiet = false;
};

class scaling {
 public:
  explicit scaling(const scale_options& o)
      : o_(o), asked_(o.cluster), weak_(has_places(o.words)), steps_(o.quiet) {
    if (asked_.cores == 0) asked_.cores = 1;
    asked_.seed = o.seed;
    // Both find a missing folder before any run.
    if (!o.output.empty()) row_writer(o.output, columns());
    if (!o.figure.empty()) machine::output_file(o.figure);
  }

  int run();

 private:
  static std::vector<std::string> columns() {
    return {"processes",
            "cores",
            "seconds",
            "rate",
            "speed_up",
            "efficiency",
            "messages",
            "network_packets",
            "network_bytes",
            "fill_percent",
            "memory_per_core_bytes",
            "buffer_bytes",
            "host_seconds"};
  }

  bool measure(unsigned processes);
  void read(const json_object& answer, scale_row& r) const;
  void compare(scale_row& r) const;
  json_object json_of(const scale_row& r, bool whole) const;
  std::string text_of(const scale_row& r) const;
  std::string heading() const;
  void show(const scale_row& r);
  void write_rows() const;
  int draw() const;

  const scale_options& o_;
  simulation::options asked_;
  const bool weak_;
  std::string unit_;  // of the rate
  std::vector<scale_row> rows_;
  std::string failure_;
  int code_ = 0;
  progress steps_;
};

/// Measures one run. Returns false if it failed.
bool scaling::measure(unsigned processes) {
  scale_row r;
  r.processes = processes;
  r.cores = processes * asked_.cores;
  asked_.processes = processes;
  machine::set_environment("GOSSAMER_SIMULATE", asked_.print());
  machine::set_environment("GOSSAMER_CORES", std::to_string(asked_.cores));
  std::vector<std::string> words = filled(o_.words, processes, r.cores);
  words.insert(words.begin(), machine::program_file());
  words.insert(words.end(), {"--json", "--stats", "--quiet"});
  const std::uint64_t start = machine::now_ns();
  const auto ran = machine::run_program(words, static_cast<double>(o_.timeout_s));
  r.host_seconds = machine::seconds_since(start);
  auto answer = json_object::parse(ran.output);
  if (!ran.ok() || !answer) {
    failure_ = fmt::format("scale: {}: {}", plural(processes, "process", "processes"),
                           failure_text(ran, o_.timeout_s));
    code_ = ran.exit_code == 1 ? 1 : 2;
    return false;
  }
  r.memory_per_core = ran.peak_memory_bytes / r.cores;
  read(*answer, r);
  r.answer = *std::move(answer);
  compare(r);
  if (const auto rate = rate_of(r.answer)) unit_ = rate->unit;
  rows_.push_back(std::move(r));
  return true;
}

void scaling::read(const json_object& answer, scale_row& r) const {
  r.seconds = seconds_of(answer);
  if (const auto rate = rate_of(answer)) r.rate = rate->value;
  const auto total = [&](const std::string& counter) {
    return static_cast<std::uint64_t>(answer.number("stats/" + counter + "/total").value_or(0));
  };
  r.messages = total("messages");
  const std::uint64_t closed = total("wire_packets");
  r.packets = closed - total("wire_joined");
  r.bytes = total("wire_bytes");
  if (r.packets > 0) {  // all have the same size
    const double room = static_cast<double>(total("wire_room")) / static_cast<double>(closed);
    r.fill = 100 * static_cast<double>(r.bytes) / (room * static_cast<double>(r.packets));
  }
  r.buffers = answer.number("stats/buffer_bytes");
}

/// Computes speed-up and efficiency against the first row: from the rates, which also hold if the work grows;
/// without rates from the times.
void scaling::compare(scale_row& r) const {
  if (rows_.empty()) return;
  const scale_row& first = rows_.front();
  const double cores = static_cast<double>(r.cores) / first.cores;
  if (r.rate && first.rate && *first.rate > 0)
    r.speed_up = *r.rate / *first.rate;
  else if (r.seconds > 0)
    r.speed_up = first.seconds / r.seconds * (weak_ ? cores : 1);
  r.efficiency = r.speed_up / cores;
}

json_object scaling::json_of(const scale_row& r, bool whole) const {
  json_object j;
  const auto maybe = [&j](const char* key, const std::optional<double>& x) {
    x ? j.set(key, *x) : j.set_null(key);
  };
  j.set("command", "scale");
  j.set("version", k_version);
  j.set("of", joined(filled(o_.words, r.processes, r.cores)));
  j.set("network", asked_.network);
  j.set("compute", asked_.compute == simulation::options::computing::fixed ? "fixed" : "measured");
  j.set("seed", o_.seed);
  j.set("weak", weak_);
  j.set("processes", r.processes);
  j.set("cores", r.cores);
  j.set("seconds", r.seconds);
  maybe("rate", r.rate);
  j.set("unit", unit_);
  j.set("speed_up", r.speed_up);
  j.set("efficiency", r.efficiency);
  j.set("messages", r.messages);
  j.set("network_packets", r.packets);
  j.set("network_bytes", r.bytes);
  maybe("fill_percent", r.fill);
  j.set("memory_per_core_bytes", r.memory_per_core);
  maybe("buffer_bytes", r.buffers);
  j.set("host_seconds", r.host_seconds);
  if (whole) j.set("answer", r.answer);
  return j;
}

// Columns have fixed widths, so that each row can be printed at once.
constexpr const char* k_line =
    "{:>9}  {:>6}  {:>8}  {:>9}  {:>8}  {:>10}  {:>13}  {:>9}  {:>6}  {:>11}  {:>9}\n";

std::string scaling::heading() const {
  return fmt::format(fmt::runtime(k_line), "processes", "cores", "time", unit_.empty() ? "-" : unit_,
                     "speed-up", "efficiency", "messages", "network", "fill", "memory/core", "buffers");
}

std::string scaling::text_of(const scale_row& r) const {
  return fmt::format(fmt::runtime(k_line), r.processes, format_count(r.cores), format_duration(r.seconds),
                     r.rate ? three_figures(*r.rate) : "-", three_figures(r.speed_up),
                     percent(r.efficiency, 1), format_count(r.messages), format_bytes(r.bytes),
                     r.fill ? percent(*r.fill, 100) : "-", format_bytes(r.memory_per_core),
                     r.buffers ? format_bytes(static_cast<std::uint64_t>(*r.buffers)) : "-");
}

void scaling::show(const scale_row& r) {
  steps_.finish();
  if (o_.json) return write_output(json_of(r, true).text() + "\n");
  const paint p(output_has_colours());
  if (rows_.size() == 1) {
    write_output(fmt::format("{}  {}, {} in a process, simulated\n\n{}", p.bold(joined(o_.words)),
                             asked_.network, plural(asked_.cores, "core", "cores"), heading()));
  }
  write_output(text_of(r));
}

/// Writes all rows again after every run, so that an interrupted command leaves the rows so far.
void scaling::write_rows() const {
  if (o_.output.empty()) return;
  row_writer file(o_.output, columns());
  const auto maybe = [&file](const std::optional<double>& x) { x ? file.field(*x) : file.no_value(); };
  for (const scale_row& r : rows_) {
    file.field(std::uint64_t{r.processes}).field(std::uint64_t{r.cores}).field(r.seconds);
    maybe(r.rate);
    file.field(r.speed_up).field(r.efficiency).field(r.messages).field(r.packets).field(r.bytes);
    maybe(r.fill);
    file.field(r.memory_per_core);
    maybe(r.buffers);
    file.field(r.host_seconds);
    file.end_row();
  }
  file.commit();
}

/// Draws the figure. Returns the exit code: 2 if --figure was given and the figure could not be drawn.
int scaling::draw() const {
  if (o_.no_figure) return 0;
  const std::string path = o_.figure.empty() ? fmt::format("scale-{}.svg", o_.words.front()) : o_.figure;
  std::vector<std::string> rows;
  for (const scale_row& r : rows_) rows.push_back(json_of(r, false).text());
  const std::string title = fmt::format("{} ({}, {} in a process, simulated)", joined(o_.words),
                                        asked_.network, plural(asked_.cores, "core", "cores"));
  const std::string why =
      draw_figure(figure_script::scale, title, "[" + fmt::to_string(fmt::join(rows, ",")) + "]", path);
  if (why.empty()) {
    if (!o_.json) write_output(fmt::format("\nwrote {}\n", printable(path)));
    return 0;
  }
  const char* const kind = o_.figure.empty() ? "warning" : "error";
  write_error(
      fmt::format("{}: scale: no figure {}: {}; the rows are complete\n", kind, printable(path), why));
  return o_.figure.empty() ? 0 : 2;
}

int scaling::run() {
  for (std::size_t i = 0; i < o_.counts.size() && failure_.empty(); ++i) {
    steps_.step(fmt::format("{} on {}", joined(o_.words), plural(o_.counts[i], "process", "processes")));
    if (!measure(o_.counts[i])) break;
    show(rows_.back());
    write_rows();
  }
  steps_.finish();
  if (!rows_.empty()) {
    const int drawn = draw();
    if (failure_.empty()) return drawn;
  }
  if (failure_.empty()) return 0;
  write_error(fmt::format("error: {}\n", failure_));
  return code_;
}

constexpr command_text k_scale_text{
    "scale", "run a command on simulated clusters of several sizes: a table and a figure",
    "  gossamer scale --processes 1..128 --cores 16 uts T1L\n"
    "  gossamer scale -n 1,2,4,8 --network hdr -o bfs.csv --figure bfs.svg -- bfs kron:16 --trials 8\n"
    "  gossamer scale -n 1..32 -- gups --table 64MiB --updates {1000000*processes}   the work grows\n"};

class scale_command final : public wrapping_command {
 public:
  scale_command() : wrapping_command(k_scale_text) {}

  void declare(declaration& d) override;
  std::optional<answer> check_wrapped() override;
  int run() override {
    how_.cluster = cluster_.read();
    how_.words = words_;
    how_.json = json_;
    how_.quiet = quiet_;
    return scaling(how_).run();
  }

 private:
  cluster_options cluster_{" network=qdr"};
  scale_options how_;
};

void scale_command::declare(declaration& d) {
  d.wraps_command();
  d.section("The clusters");
  d.value("-n,--processes", "LIST", "how many: 1,2,4,8 or 1..128, which doubles (default 1..16)",
          [this](const auto& option, const auto& text) { how_.counts = process_counts(option, text); });
  cluster_.word(d, "--cores", "N", "cores", "of each process (default 1)");
  cluster_.word(d, "--network", "NAME|FILE", "network",
                "qdr (default), hdr, slingshot, ethernet-25g, loopback, or a file (docs/simulation.md)");
  cluster_.compute(d);
  d.number("--seed", how_.seed, "of all choices (default 1)");
  cluster_.word(d, "--faults", "KINDS", "faults", "as for simulate, chosen by the seed (default none)");
  d.number("--timeout", how_.timeout_s, "seconds for each run (default 3600)", 1, 1'000'000, "S");
  d.section(k_last_group);
  d.value("-o,--output", "FILE",
          "also write one row per number of processes: .tsv, .csv, .json or .jsonl, also with .gz or .zst",
          [this](const auto& option, const auto& text) {
            how_.output = text;
            if (text == "-") throw error(option + ": - is not for rows that grow with every run; use --json");
            (void)rows_format(option, text);
          });
  d.value("--figure", "FILE",
          "where to draw: .svg, .png or .pdf (default scale-COMMAND.svg); needs matplotlib",
          [this](const auto& option, const auto& text) {
            how_.figure = text;
            check_figure(option, text);
          });
  d.flag("--no-figure", how_.no_figure, "only the rows");
  declare_reporting(d, "one JSON object per row, a row a line, and nothing else on standard output",
                    "no progress");
}

/// Parses the other command for each number of processes. It must be a command of this program that is timed.
std::optional<answer> scale_command::check_wrapped() {
  const auto cluster = cluster_.read();
  if (how_.no_figure && !how_.figure.empty())
    throw error("scale: --figure and --no-figure exclude each other");
  if (!wraps_own_command()) throw not_timed();
  for (const unsigned processes : how_.counts) {
    auto asked = parse_words(*program_, filled(words_, processes, processes * std::max(1u, cluster.cores)));
    if (auto* text = std::get_if<answer>(&asked)) return std::move(*text);
    const command& inner = *std::get<std::unique_ptr<command>>(asked);
    if (!inner.is_timed()) throw not_timed();
    inner.check_cores(name());
    check_repeated(inner);
  }
  return {};
}

}  // namespace

std::unique_ptr<command> make_scale() { return std::make_unique<scale_command>(); }

}  // namespace gossamer::cli
