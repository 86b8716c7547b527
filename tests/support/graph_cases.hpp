#pragma once
// Runs a test over the collection of graphs on 1, 2, 3 and 8 cores (2 and 3 under sanitizers): more than this machine may have.

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/graphs.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::test {

class on_graphs : public testing::TestWithParam<std::tuple<named_graph, unsigned>> {
 protected:
  const named_graph& shape() const { return std::get<0>(GetParam()); }
  unsigned core_count() const { return std::get<1>(GetParam()); }
};

inline std::string case_name(const testing::TestParamInfo<std::tuple<named_graph, unsigned>>& info) {
  return std::get<0>(info.param).name + "_on_" + std::to_string(std::get<1>(info.param));
}

/// Returns one of the four places where requests merge. The cases of a test together use all of them.
inline combine some_mode(const named_graph& shape, unsigned cores) {
  return static_cast<combine>((shape.vertices + shape.name.size() + cores) % k_combine_names.size());
}

}  // namespace gossamer::test

#define GOSSAMER_ON_GRAPHS(suite)                                                                            \
  INSTANTIATE_TEST_SUITE_P(Graphs, suite,                                                                    \
                           testing::Combine(testing::ValuesIn(::gossamer::test::graph_collection()),         \
                                            testing::ValuesIn(::gossamer::test::core_counts({1, 2, 3, 8}))), \
                           ::gossamer::test::case_name)
