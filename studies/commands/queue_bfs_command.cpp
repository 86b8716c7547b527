// gossamer-studies queue-bfs: breadth-first search with a frontier that all cores share, and how fast that was.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/graph_command.hpp"
#include "commands/shared_structures.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "studies/commands/studies.hpp"
#include "studies/queue_bfs.hpp"

namespace gossamer::studies {
namespace {

using namespace cli;
using graph::bfs_result;
using graph::vertex_id;

constexpr command_text k_queue_bfs_text{
    "queue-bfs", "breadth-first search whose frontier is one queue of all cores",
    "  gossamer-studies queue-bfs kron:18 --source 1 --verify\n"
    "  gossamer-studies queue-bfs kron:18 --trials 4 --combining off\n"
    "  gossamer-studies queue-bfs kron:18 --trials 4 --kind queue-singly\n"};

class queue_bfs_command final : public graph_command {
 public:
  queue_bfs_command() : graph_command(k_queue_bfs_text) {}
  void check() override;
  void describe(json_object& j) const override;

 private:
  void declare_algorithm(declaration& d) override;
  void declare_output(declaration&) override {}
  job_options job() const override { return with_combining(graph_command::job(), combining_); }
  void answer(session& s) override;

  std::vector<vertex_id> sources(const loaded_graph& g) const;
  void say_speed(session& s, const loaded_graph& g, const std::vector<bfs_result>& runs) const;

  std::optional<std::string> from_;  // a label
  std::uint64_t trials_ = 0;  // 0: one run
  std::string kind_;  // queue (also when empty) or queue-singly
  std::string combining_;  // empty: the job's
};

void queue_bfs_command::declare_algorithm(declaration& d) {
  d.word("--kind", "KIND", kind_,
         "queue: cores put in and take out many vertices at a time (default); queue-singly: each vertex a "
         "request",
         {"queue", "queue-singly"});
  declare_combining(d, combining_, "the queue");
  d.value("-s,--source", "V", "start here (the vertex's label)",
          [this](const auto&, const auto& text) { from_ = text; });
  d.number("--trials", trials_, "repeat N times, from random sources unless --source is given; harmonic mean",
           1);
}

void queue_bfs_command::check() {
  if (!from_ && trials_ == 0)
    throw error(
        "queue-bfs: expected --source V or --trials N (gossamer-studies queue-bfs --help shows examples)");
  graph_command::check();
}

void queue_bfs_command::describe(json_object& j) const {
  graph_command::describe(j);
  if (!kind_.empty()) j.set("options/kind", kind_);
  if (!combining_.empty()) j.set("options/combining", combining_);
  if (from_) j.set("options/source", *from_);
  if (trials_ > 0) j.set("options/trials", trials_);
}

/// Returns the vertex that was given, or random ones; the same ones again where the graph has fewer.
std::vector<vertex_id> queue_bfs_command::sources(const loaded_graph& g) const {
  const std::uint64_t count = std::max<std::uint64_t>(1, trials_);
  if (from_) return std::vector<vertex_id>(count, g.find("--source", *from_));
  auto drawn = graph::random_sources(g.view(), count, seed_);
  if (drawn.empty()) throw error("queue-bfs: expected a graph with edges to start from, found none");
  for (std::size_t i = 0; drawn.size() < count; ++i) drawn.push_back(drawn[i]);
  return drawn;
}

void queue_bfs_command::say_speed(session& s, const loaded_graph& g,
                                  const std::vector<bfs_result>& runs) const {
  std::vector<double> mteps;
  double seconds = 0;
  if (trials_ > 0) s.json().set_array("trials");
  for (const bfs_result& r : runs) {
    mteps.push_back(r.mteps());
    seconds += r.seconds;
    if (trials_ == 0) continue;
    json_object row;
    row.set_label("source", g.label_of(r.source));
    row.set("reached", r.reached);
    row.set("levels", static_cast<std::uint64_t>(r.levels.size()));
    row.set("mteps", r.mteps());
    row.set("seconds", r.seconds);
    s.json().append("trials", std::move(row));
  }
  const double mean = graph::harmonic_mean(mteps);
  s.json().set("mteps", mean);
  s.took("run", seconds);
  s.say("\n{} in {}: {:.3g} MTEPS", plural(runs.size(), "search", "searches"), format_duration(seconds),
        mean);
}

void queue_bfs_command::answer(session& s) {
  const loaded_graph g = load(s);
  const auto from = sources(g);
  queue_bfs search(g.view(), {.singly = kind_ == "queue-singly"});
  std::vector<bfs_result> runs;
  graph::check verified;
  s.steps().step("bfs");
  for (const vertex_id source : from) {
    if (from.size() > 1) s.steps().at(runs.size(), from.size());
    runs.push_back(search.run(source, from.size() > 1 ? graph::progress_hook() : hook(s)));
    if (verify_ && verified) verified = graph::verify_bfs(g.view(), runs.back(), search.parents());
  }
  const bfs_result& last = runs.back();
  s.json().set_label("source", g.label_of(last.source));
  s.json().set("levels", last.levels);
  s.json().set("reached", last.reached);
  s.json().set("traversed", last.edges);
  s.say("\nfrom {}: {} of {} within {}", s.colours().bold(g.text_of(last.source)), format_count(last.reached),
        plural(g.view().vertices, "vertex", "vertices"), plural(last.levels.size() - 1, "level", "levels"));
  say_speed(s, g, runs);
  if (verify_) s.verified(verified.ok, verified.reason, "search and Graph500's rules");
}

}  // namespace

std::unique_ptr<cli::command> make_queue_bfs() { return std::make_unique<queue_bfs_command>(); }

}  // namespace gossamer::studies
