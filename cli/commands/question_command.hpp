#pragma once
// The command of a question about a graph (gossamer/graph/questions), derived from the description of the
// question.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands/graph_command.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::cli {

class question_command final : public graph_command {
 public:
  std::string ignores(std::string_view setting) const override {
    return ignores_tasks_and_structures(setting);
  }
  explicit question_command(std::unique_ptr<graph::question> asked);

  std::string_view definition() const override { return asked_->text().definition; }
  std::string columns() const override;
  void check() override;

 private:
  void declare_algorithm(declaration& d) override;
  void describe(json_object& j) const override;
  std::vector<input_file> inputs() const override;
  void answer(session& s) override;

  void declare(declaration& d, const graph::parameter& p);
  void say_top(session& s, const loaded_graph& g, const graph::vertex_ranking& top,
               const std::vector<graph::vertex_column>& columns) const;

  std::unique_ptr<graph::question> asked_;
  graph::parameter_list parameters_;
  std::map<const graph::parameter*, std::string> words_;  // of choices
  std::map<const graph::parameter*, std::string> files_;  // of vertex values, read once the graph is loaded
  std::map<const graph::parameter*, std::string> labels_;  // of vertices, found once the graph is loaded
  std::map<const graph::parameter*, std::string> lists_;  // files of vertices
};

}  // namespace gossamer::cli
