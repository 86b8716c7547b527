#include "commands/graph_command.hpp"

#include <algorithm>
#include <iterator>

#include "gossamer/base/error.hpp"
#include "output/rows.hpp"
#include "parse/separator.hpp"

namespace gossamer::cli {
namespace {

/// Splits "src,dst,weight" into two or three names, none of them empty.
std::vector<std::string> column_list(const std::string& option, const std::string& text) {
  std::vector<std::string> all(1);
  for (const char c : text) c == ',' ? (void)all.emplace_back() : all.back().push_back(c);
  if (all.size() < 2 || all.size() > 3 || std::ranges::any_of(all, &std::string::empty))
    refuse(option, "two columns or three, as SOURCE,TARGET", text);
  return all;
}

/// Adds the texts between commas, as of "NA,NULL"; any may be empty.
void add_nulls(std::vector<std::string>& all, const std::string& text) {
  all.emplace_back();
  for (const char c : text) c == ',' ? (void)all.emplace_back() : all.back().push_back(c);
}

char separator_character(const std::string& option, const std::string& text) {
  if (const auto named = named_separator(text)) return *named;
  constexpr std::string_view k_others = "\t ,;:|/~^!@$&*_=";
  if (text.size() != 1 || k_others.find(text[0]) == std::string_view::npos)
    refuse(option, "tab, space, comma, semicolon or one of : | / ~ ^ ! @ $ & * _ =", text);
  return text[0];
}

constexpr std::string_view k_rules[] = {"min", "max", "first", "last", "sum", "count"};  // as duplicate_rule

graph::duplicate_rule rule_named(const std::string& option, const std::string& text) {
  const auto found = std::ranges::find(k_rules, std::string_view(text));
  if (found == std::end(k_rules)) refuse(option, "min, max, first, last, sum or count", text);
  return static_cast<graph::duplicate_rule>(found - std::begin(k_rules));
}

void declare_reading(declaration& d, graph_source& from, std::uint64_t& seed) {
  d.section("Reading the graph");
  d.either(from.directed, "--directed", "follow edges one way (default for files)", "--undirected",
           "read every edge both ways (default for generated graphs)");
  d.either(from.labels, "--labels", "vertices are names even if all are integers", "--no-labels",
           "vertices are integers: 007 is 7, and a name is an error");
  d.either(from.header, "--header", "the first line of a text file names its columns", "--no-header",
           "it does not (default: as it looks, and said)");
  d.value("--columns", "S,T[,W]",
          "columns of source, target and weight: names of the header or numbers from 1; keys of JSON lines",
          [&from](const auto& option, const auto& text) { from.columns = column_list(option, text); });
  d.value(
      "--separator", "C", "between columns: a character, or tab or space (default: as the file looks)",
      [&from](const auto& option, const auto& text) { from.separator = separator_character(option, text); });
  d.values("--null", "TEXT[,TEXT]",
           "a missing vertex or weight, as NA; edges without a vertex are left out; may be given again",
           [&from](const auto&, const auto& text) { add_nulls(from.nulls, text); });
  d.file("--vertices", from.vertices, "vertices, one a line: those without edges are in the graph, too");
  d.value("--duplicates", "RULE",
          "the weight of edges between the same vertices: min (default; of max-flow: sum), max, first or "
          "last of the file, "
          "sum, or count",
          [&from](const auto& option, const auto& text) { from.duplicates = rule_named(option, text); });
  d.flag("--packed-edges", from.packed_edges, "the file has edges as Graph500 packs them, 12 bytes each");
  d.flag("--no-comments", from.no_comments, "lines that begin with #, % or // are edges");
  d.flag("--no-quotes", from.no_quotes, "a quote is a character like others");
  d.number("--seed", seed, "of generated graphs and of random choices (default 1)");
}

}  // namespace

void graph_command::declare_own(declaration& d) {
  d.argument("G", graph_, std::string(k_graph_help), "a graph: a file, kron:SCALE or uniform:SCALE");
  declare_algorithm(d);
  declare_reading(d, source_, seed_);
}

void graph_command::declare_output(declaration& d) {
  d.number("--top", top_, "vertices (or rows) to list (default 10)", 0, k_any, "K");
  d.value("-o,--output", "FILE",
          "also write one row per vertex (or pair, edge, walk): .tsv, .csv, .json or .jsonl, also with .gz "
          "or .zst; - is standard "
          "output",
          [this](const auto& option, const auto& text) {
            output_ = text;
            (void)rows_format(option, text);
          });
}

void graph_command::check() {
  if (output_ == "-" && json_) throw error(name() + ": --output - and --json both write to standard output");
  if (output_ == "-" && (stats_ || explain_))
    throw error(name() +
                ": --stats and --explain are part of the answer, which --output - leaves out: give a file");
  if (graph_.empty()) throw error(fmt::format("{}: expected a graph, found an empty name", name()));
  if (graph_ == "-") graph_ = "/dev/stdin";
}

void graph_command::check_repeated(std::string_view by) const {
  if (!output_.empty())
    throw error(fmt::format("{}: --output of {} would be written over by every run", by, name()));
}

void graph_command::describe(json_object& j) const {
  j.set("graph", graph_);
  j.set("options/seed", seed_);
  if (source_.directed) j.set("options/directed", *source_.directed);
  if (source_.labels) j.set("options/labels", *source_.labels);
  if (source_.header) j.set("options/header", *source_.header);
  if (!source_.columns.empty()) j.set("options/columns", fmt::to_string(fmt::join(source_.columns, ",")));
  if (!source_.nulls.empty()) j.set("options/null", fmt::to_string(fmt::join(source_.nulls, ",")));
  if (!source_.vertices.empty()) j.set("options/vertices", source_.vertices);
  if (source_.duplicates)
    j.set("options/duplicates", std::string(k_rules[static_cast<std::size_t>(*source_.duplicates)]));
  if (source_.packed_edges) j.set("options/packed_edges", true);
  if (source_.no_comments) j.set("options/no_comments", true);
  if (source_.no_quotes) j.set("options/no_quotes", true);
  if (source_.separator != '\0') j.set("options/separator", std::string(1, source_.separator));
  if (!output_.empty()) j.set("options/output", output_);
  if (top_) j.set("options/top", *top_);
}

session_options graph_command::reporting() const {
  session_options asked = job_command::reporting();
  asked.output = output_;
  return asked;
}

void graph_command::check_files() const { spare_inputs(inputs(), output_); }

std::vector<input_file> graph_command::inputs() const {
  return {{"the graph itself", graph_}, {"the file of --vertices", source_.vertices}};
}

std::vector<std::string> graph_command::files_read() const {
  std::vector<std::string> paths;
  for (const input_file& each : inputs())
    if (!each.path.empty()) paths.push_back(each.path);
  return paths;
}

}  // namespace gossamer::cli
