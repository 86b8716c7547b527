// gossamer report: the properties of a graph, on one HTML page.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "commands/degree_answer.hpp"
#include "commands/graph_command.hpp"
#include "commands/recount.hpp"
#include "commands/registry.hpp"
#include "commands/report_drawing.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/betweenness.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/algorithms/communities.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/cores.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/algorithms/pagerank.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "output/report_page.hpp"

namespace gossamer::cli {
namespace {

using graph::vertex_id;

constexpr std::uint64_t k_ranked = 200;        // vertices in the table
constexpr std::uint64_t k_most_ranked = 5000;  // a browser sorts so many without delay
constexpr std::size_t k_named_communities = 5;  // each by its vertex of best score
constexpr std::uint64_t k_plain_degrees = 64;  // each has its own point; larger degrees share points
constexpr double k_points_of_octave = 8;

/// Counts the vertices of each degree; large degrees share points. Sets the array at `path` to {degree,
/// vertices} of each point: the geometric mean of its smallest and largest degree, and its vertices per
/// degree.
void set_degree_points(json_object& j, const std::string& path, const graph::remote_row_cache& rows,
                       std::uint64_t vertices) {
  struct degree_point {
    std::uint64_t vertices = 0, least = ~std::uint64_t{0}, most = 0;
  };
  std::map<std::uint64_t, degree_point> points;
  for (vertex_id v = 0; v < vertices; ++v) {
    const std::uint64_t degree = rows.degree(v);
    if (degree == 0) continue;  // a logarithmic axis has no 0
    const auto key = degree <= k_plain_degrees
                         ? degree
                         : k_plain_degrees + static_cast<std::uint64_t>(
                                                 k_points_of_octave * std::log2(static_cast<double>(degree)));
    degree_point& p = points[key];
    ++p.vertices;
    p.least = std::min(p.least, degree);
    p.most = std::max(p.most, degree);
  }
  j.set_array(path);
  for (const auto& [key, p] : points) {
    const double degrees = static_cast<double>(p.most - p.least + 1);
    json_object row;
    row.set("degree", std::sqrt(static_cast<double>(p.least) * static_cast<double>(p.most)));
    row.set("vertices", static_cast<double>(p.vertices) / degrees);
    j.append(path, std::move(row));
  }
}

constexpr command_text k_report_text{
    "report",
    "a page about a graph to look at: degrees, components, communities, cores, levels, ranks, a drawing",
    "  gossamer report web.tsv.gz -o web.html\n"
    "  gossamer report web.tsv -o web.html --samples 64    betweenness, too, from 64 sources\n"
    "  gossamer report kron:16 -o run.html --stats         and what the runtime did\n"
    "  gossamer scale -n 1..64 --json -- bfs web.tsv > rows.jsonl && gossamer report web.tsv -o web.html "
    "--scale rows.jsonl\n"};

/// Reads rows of `gossamer scale`, one per line. Throws gossamer::error if a line is no such row.
std::vector<json_object> read_scale_rows(const std::string& path) {
  constexpr std::size_t k_most_bytes = 64 << 20;
  const std::string text = machine::read_file_prefix(path, k_most_bytes + 1);
  if (text.size() > k_most_bytes)
    throw error(fmt::format("{}: expected rows of gossamer scale, found more than {}", path,
                            format_bytes(k_most_bytes)));
  std::vector<json_object> rows;
  std::istringstream lines(text);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    auto row = json_object::parse(line);
    const auto positive = [&row](const char* key) { return row && row->number(key).value_or(0) > 0; };
    const bool has_rest = row && row->number("efficiency") && row->number("messages");
    if (!has_rest || !positive("processes") || !positive("cores") || !positive("seconds") ||
        !positive("speed_up"))
      throw error(fmt::format("{}:{}: expected a row of gossamer scale (--json, or -o FILE.jsonl), found {}",
                              path, number, gossamer::in_quotes(line)));
    rows.push_back(std::move(*row));
  }
  if (rows.empty()) throw error(fmt::format("{}: expected rows of gossamer scale, found none", path));
  return rows;
}

/// Returns the view of a graph whose edges count 1 each. Weights of a native file are always loaded, but those
/// of a text are not, and both have the same page.
graph::graph_view without_weights(const loaded_graph& g) {
  graph::graph_view view = g.view();
  view.weights = graph::weight_type::none;
  return view;
}

class report_command final : public graph_command {
 public:
  report_command() : graph_command(k_report_text) {}
  bool is_timed() const override { return false; }
  void check() override;

 private:
  void declare_algorithm(declaration& d) override;
  void declare_output(declaration& d) override;
  void describe(json_object& j) const override;
  session_options reporting() const override;
  void check_files() const override { spare_inputs(inputs(), page_file_); }
  std::vector<input_file> inputs() const override {
    auto all = graph_command::inputs();
    all.push_back({"the file of --scale", scale_file_});
    return all;
  }
  void answer(session& s) override;
  void write_files(session& s) override;

  graph::betweenness_result betweenness(session& s, const loaded_graph& g) const;
  void set_ranks(json_object& j, const loaded_graph& g, const graph::pagerank_result& ranks,
                 std::span<const double> between, std::span<const vertex_id> levels,
                 std::span<const vertex_id> core) const;
  static void set_communities(json_object& j, const loaded_graph& g, const graph::communities_result& found,
                              std::span<const double> scores);
  static void set_cores(json_object& j, const graph::cores_result& found);

  std::string page_file_, scale_file_;
  std::vector<json_object> scale_rows_;
  std::uint64_t samples_ = 0;  // 0: no betweenness
  std::optional<report_page> page_;  // in the process that prints the answer
};

void report_command::declare_algorithm(declaration& d) {
  d.number("--samples", samples_, "also estimate betweenness, from N random sources (default: not at all)",
           1);
}

void report_command::declare_output(declaration& d) {
  d.number("--top", top_, "vertices in the table of ranks (default 200)", 0, k_most_ranked, "K");
  d.file("-o,--output", page_file_, "the page, ending in .html");
  d.file("--scale", scale_file_,
         "also draw how a command scales: rows of gossamer scale (--json, or -o FILE.jsonl)");
}

void report_command::check() {
  if (page_file_.empty() && !json_)
    throw error("report: expected -o FILE.html, where the page goes (gossamer report --help shows examples)");
  if (!page_file_.empty() && !page_file_.ends_with(".html") && !page_file_.ends_with(".htm"))
    throw error(
        fmt::format("--output: expected a file ending in .html, found \"{}\"", printable(page_file_)));
  if (!scale_file_.empty()) scale_rows_ = read_scale_rows(scale_file_);
  graph_command::check();
}

void report_command::describe(json_object& j) const {
  graph_command::describe(j);
  if (samples_ > 0) j.set("options/samples", samples_);
}

// Returns no output file for rows: -o is the page.
session_options report_command::reporting() const {
  return job_command::reporting();  // NOLINT(bugprone-parent-virtual-call)
}

graph::betweenness_result report_command::betweenness(session& s, const loaded_graph& g) const {
  if (samples_ == 0) return {};
  graph::betweenness_result result =
      graph::sampled_betweenness(without_weights(g), samples_, seed_, {}, hook(s));
  s.took("betweenness", result.seconds);
  return result;
}

void report_command::set_ranks(json_object& j, const loaded_graph& g, const graph::pagerank_result& ranks,
                               std::span<const double> between, std::span<const vertex_id> levels,
                               std::span<const vertex_id> core) const {
  const auto view = g.view();
  const graph::remote_row_cache out(view, view.out), in(view, view.in);
  j.set_array("ranks");
  for (const auto& [v, score] : best(ranks.scores, top_.value_or(k_ranked))) {
    json_object row;
    row.set_label("vertex", g.label_of(v));
    row.set("pagerank", score);
    row.set("out", out.degree(v));
    if (view.directed) row.set("in", in.degree(v));
    row.set("core", std::uint64_t{core[v]});
    if (!between.empty()) row.set("betweenness", between[v]);
    if (levels[v] == graph::k_no_vertex)
      row.set_null("level");
    else
      row.set("level", std::uint64_t{levels[v]});
    j.append("ranks", std::move(row));
  }
}

/// Sets the key "communities": their number, modularity and sizes, and the largest ones, each with its vertex
/// of best score.
void report_command::set_communities(json_object& j, const loaded_graph& g,
                                     const graph::communities_result& found, std::span<const double> scores) {
  j.set("communities/count", found.groups.components);
  if (found.modularity)
    j.set("communities/modularity", *found.modularity);
  else
    j.set_null("communities/modularity");
  j.set_array("communities/sizes");
  for (const auto& [size, count] : found.groups.sizes) {
    json_object row;
    row.set("size", size);
    row.set("communities", count);
    j.append("communities/sizes", std::move(row));
  }
  struct named_community {
    std::uint64_t vertices = 0;
    vertex_id first = graph::k_no_vertex;
  };
  std::vector<named_community> all(scores.size());  // by name
  for (vertex_id v = 0; v < all.size(); ++v) {
    named_community& c = all[found.groups.component[v]];
    ++c.vertices;
    if (c.first == graph::k_no_vertex || scores[v] > scores[c.first]) c.first = v;
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &named_community::vertices);
  j.set_array("communities/largest");
  for (const named_community& c : std::span(all).first(std::min(all.size(), k_named_communities))) {
    if (c.vertices == 0) break;
    json_object row;
    row.set_label("vertex", g.label_of(c.first));
    row.set("vertices", c.vertices);
    j.append("communities/largest", std::move(row));
  }
}

/// Sets the key "core_numbers": the largest core number, the number of its vertices, and the number of
/// vertices of each core number.
void report_command::set_cores(json_object& j, const graph::cores_result& found) {
  std::map<vertex_id, std::uint64_t> sizes;
  for (const vertex_id core : found.core) ++sizes[core];
  j.set("core_numbers/degeneracy", std::uint64_t{found.degeneracy});
  j.set("core_numbers/innermost", found.innermost);
  j.set_array("core_numbers/sizes");
  for (const auto& [core, vertices] : sizes) {
    json_object row;
    row.set("core", std::uint64_t{core});
    row.set("vertices", vertices);
    j.append("core_numbers/sizes", std::move(row));
  }
}

void report_command::answer(session& s) {
  if (s.speaks() && !page_file_.empty()) page_.emplace(page_file_);
  json_object& j = s.json();
  const loaded_graph g = load(s);
  const graph::graph_view view = without_weights(g);

  s.step("counting degrees");
  const std::uint64_t began = machine::now_ns();
  const auto degrees = graph::degrees(view);
  s.took("degrees", machine::seconds_since(began));
  j.set("isolated", degrees.isolated);
  set_degrees(j, "out", degrees.out, g);
  if (view.directed) set_degrees(j, "in", degrees.in, g);
  set_degree_points(j, "degrees/out/points", {view, view.out}, view.vertices);
  if (view.directed) set_degree_points(j, "degrees/in/points", {view, view.in}, view.vertices);
  j.set("memory/bytes", g.whole().memory_bytes());

  g.tell(s);
  s.phase("components");
  const auto parts = graph::connected_components(view, hook(s));
  s.took("components", parts.seconds);
  j.set("components", parts.components);
  j.set("largest", parts.largest);
  j.set_array("sizes");
  for (const auto& [size, count] : parts.sizes) {
    json_object row;
    row.set("size", size);
    row.set("components", count);
    j.append("sizes", std::move(row));
  }

  const graph::pagerank_options how;
  s.phase("pagerank");
  const auto ranks = graph::pagerank(view, how, hook(s));
  s.took("pagerank", ranks.seconds);
  if (samples_ > 0) s.phase("betweenness");
  const auto between = betweenness(s, g);
  const graph::community_options by{.seed = seed_};
  s.phase("communities");
  const auto communities = graph::find_communities(view, by, hook(s));
  s.took("communities", communities.seconds);
  set_communities(j, g, communities, ranks.scores);
  s.phase("cores");
  const auto cores = graph::core_numbers(view, hook(s));
  s.took("cores", cores.seconds);
  set_cores(j, cores);

  gossamer::check verified;
  if (verify_) {
    s.step("verifying");
    verified = check_degrees(view, degrees);
    if (verified.ok) verified = graph::verify_components(view, parts);
    if (verified.ok) verified = graph::verify_pagerank(view, how, ranks);
    if (verified.ok) verified = graph::verify_communities(view, by, communities);
    if (verified.ok) verified = graph::verify_cores(view, cores);
    if (verified.ok && samples_ > 0)
      verified = graph::verify_sampled_betweenness(view, samples_, seed_, {}, between);
  }
  j.set_array("ranks");
  j.set_array("levels");
  if (view.vertices > 0) {
    const vertex_id source = degrees.out.max_vertex;
    s.phase("bfs");
    graph::bfs search(view);
    const auto found = search.run(source, hook(s));
    s.took("bfs", found.seconds);
    if (verify_ && verified.ok) verified = graph::verify_bfs(view, found, search.parents());
    j.set_label("source", g.label_of(source));
    j.set("levels", found.levels);
    j.set("reached", found.reached);
    s.step("collecting");
    set_ranks(j, g, ranks, between.scores, graph::levels_of(search.parents(), source), cores.core);
    report_drawing drawing(g, {ranks.scores, communities.groups.component, cores.core});
    drawing.set_neighbourhood(j, best(ranks.scores, 1).front().vertex);
    drawing.set_drawing(j);
  }
  if (!scale_rows_.empty()) j.set_array("scale");
  for (json_object& row : scale_rows_) j.append("scale", std::move(row));
  s.say("{}, the largest of {}", plural(parts.components, "component", "components"),
        plural(parts.largest, "vertex", "vertices"));
  if (verify_) s.verified(verified, "methods of each part");
}

void report_command::write_files(session& s) {
  if (!page_ || s.is_wrong()) return;
  page_->write(graph_, s.json().text());
  s.say("\nwrote {}", printable(page_file_));
}

}  // namespace

std::unique_ptr<command> make_report() { return std::make_unique<report_command>(); }

}  // namespace gossamer::cli
