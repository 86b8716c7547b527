#pragma once
// Errors about vertices. An algorithm knows their numbers; the caller knows their labels.

#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// An error that names vertices. what() names them by their numbers.
class vertex_error : public error {
 public:
  /// `before` is the text before each vertex; `after` follows the last one.
  vertex_error(std::vector<std::pair<std::string, vertex_id>> before, std::string after = {})
      : error(text(before, after, [](vertex_id v) { return std::to_string(v); })),
        before_(std::move(before)),
        after_(std::move(after)) {}

  /// Returns the message with the labels of a graph. Called in process 0.
  std::string with_labels(const labels& names) const {
    return text(before_, after_, [&](vertex_id v) { return names.label(v); });
  }

 private:
  template <class Name>
  static std::string text(const std::vector<std::pair<std::string, vertex_id>>& before,
                          const std::string& after, Name name) {
    std::string all;
    for (const auto& [text, v] : before) all += text + name(v);
    return all + after;
  }

  std::vector<std::pair<std::string, vertex_id>> before_;
  std::string after_;
};

}  // namespace gossamer::graph
