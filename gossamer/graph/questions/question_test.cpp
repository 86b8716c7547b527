#include "gossamer/graph/questions/question.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gossamer/base/error.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::graph {
namespace {

using test::csr;
using test::on_cores;

/// Returns a graph of numbered vertices over rows, which must outlive it.
graph graph_of(const csr& rows) {
  const graph_view view = rows.view();
  return {view, labels::range(view.vertices), {}, {}};
}

/// Sets the required parameters of a question.
void set_required(const parameter_list& all) {
  for (const parameter& p : all.all()) {
    if (p.is_vertex()) p.set(std::uint64_t{p.name == "sink"});
    if (p.name == "unit") p.set(true);  // the graphs have no weights
  }
}

TEST(Questions, HaveNamesOfTheirOwnAndSayAll) {
  std::set<std::string_view> names, methods;
  for (const auto make : questions()) {
    const auto one = make();
    const question_text& text = one->text();
    EXPECT_TRUE(names.insert(text.name).second) << text.name;
    EXPECT_NE(text.examples.find(std::string(text.name)), std::string_view::npos) << text.name;
    for (const std::string_view each : {text.summary, text.definition, text.verifier})
      EXPECT_FALSE(each.empty()) << text.name;
    for (const python_method& m : text.methods) {
      EXPECT_TRUE(methods.insert(m.name).second) << m.name;
      EXPECT_TRUE(m.column < text.columns.size() || !m.fact.empty() || m.type == "Rows") << m.name;
      EXPECT_EQ(m.type == "Rows", !text.rows.empty()) << m.name;
    }
    for (const networkx_function& f : text.networkx) EXPECT_LT(f.column, text.columns.size()) << f.name;
    EXPECT_EQ(make_question(text.name)->text().name, text.name);
  }
  EXPECT_EQ(make_question("nothing"), nullptr);
}

TEST(Questions, TakeTheirOwnDefaults) {
  for (const auto make : questions()) {
    const auto one = make();
    parameter_list all;
    one->declare(all);
    std::set<std::string_view> names;
    for (const parameter& p : all.all()) {
      EXPECT_TRUE(names.insert(p.name).second) << p.name;
      EXPECT_EQ(all.find(p.name), &p);
      if (p.is_flag() || p.is_optional()) continue;
      if (p.is_choice())
        EXPECT_TRUE(p.pick(p.text())) << p.name;
      else if (p.is_real())
        EXPECT_TRUE(p.set(**std::get_if<double*>(&p.value))) << p.name;
      else
        EXPECT_TRUE(p.set(**std::get_if<std::uint64_t*>(&p.value))) << p.name;
    }
  }
}

TEST(Questions, RefuseWhatIsOutOfRange) {
  const auto one = make_question("pagerank");
  parameter_list all;
  one->declare(all);
  EXPECT_FALSE(all.find("damping")->set(1.0));
  EXPECT_TRUE(all.find("damping")->set(0.5));
  EXPECT_EQ(all.find("damping")->text(), "0.5");
  EXPECT_FALSE(all.find("max-iterations")->set(std::uint64_t{0}));
  EXPECT_EQ(all.find("max-iterations")->expected(), "1 or more");
  EXPECT_EQ(all.find("no"), nullptr);
}

// Each column has a value for each vertex, answers pass their verifier, and no two facts have the same name.
TEST(Questions, AnswerWhollyOnAnyGraph) {
  std::size_t asked = 0;
  for (const test::named_graph& shape : test::graph_collection()) {
    const csr rows = shape.build();
    if (rows.view().arcs == 0 || rows.view().vertices > 2000)
      continue;  // searches need a vertex with an edge; larger graphs take too long
    SCOPED_TRACE(shape.name);
    ++asked;
    on_cores(2, [&] {
      const graph g = graph_of(rows);
      for (const auto make : questions()) {
        const auto one = make();
        if (g.view().directed ? one->text().is_undirected : one->text().is_directed) continue;
        parameter_list all;
        one->declare(all);
        set_required(all);
        if (one->text().name == "diameter" && g.view().directed)
          continue;  // needs a strongly connected graph
        if (one->text().name == "eigenvector" && g.view().directed) continue;  // needs a cycle
        answer a = one->ask(g, {.verify = true});
        EXPECT_TRUE(a.verified) << one->text().name << ": " << a.verified.reason;
        std::set<std::string> keys;
        for (const fact& each : a.known) EXPECT_TRUE(keys.insert(each.key).second) << each.key;
        for (const python_method& m : one->text().methods)
          EXPECT_TRUE(m.fact.empty() || keys.contains(std::string(m.fact))) << m.name;
        const std::vector<vertex_column> columns = a.columns ? a.columns() : std::vector<vertex_column>();
        ASSERT_EQ(columns.size(), one->text().columns.size());
        for (const vertex_column& each : columns) EXPECT_EQ(each.size(), g.view().vertices);
        const std::vector<vertex_column> rows_found = a.rows ? a.rows() : std::vector<vertex_column>();
        ASSERT_EQ(rows_found.size(), one->row_names().size());
        for (const vertex_column& each : rows_found) EXPECT_EQ(each.size(), rows_found[0].size());
      }
    });
  }
  EXPECT_GT(asked, 5U);
}

TEST(Questions, OfUndirectedGraphsRefuseDirectedOnes) {
  const csr rows(2, {{0, 1}}, true);
  on_cores(1, [&] {
    const graph g = graph_of(rows);
    const auto said = [&](const asking& how) {
      try {
        make_question("triangles")->ask(g, how);
      } catch (const error& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    EXPECT_EQ(
        said({.graph_name = "a.tsv"}),
        "a.tsv: expected an undirected graph, found a directed one: --undirected reads every edge both ways");
    EXPECT_EQ(said({}), "triangles: expected an undirected graph, found a directed one");
  });
}

TEST(Questions, ValuesThatAreMissingAreNone) {
  const vertex_column levels{.has_gaps = true, .values = std::vector<vertex_id>{0, k_no_vertex}};
  EXPECT_EQ(levels.number(0), 0.0);
  EXPECT_FALSE(levels.number(1));
  const vertex_column counts{.values = std::vector<std::uint64_t>{~std::uint64_t{0}}};
  EXPECT_TRUE(counts.number(0));
}

}  // namespace
}  // namespace gossamer::graph
