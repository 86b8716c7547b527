#pragma once
// The vertices of a graph by name, for programs that look up many. The library's own search reads all names each time.

#include <cstdint>
#include <optional>
#include <string_view>

#include "gossamer/graph/distributed/graph.hpp"
#include "node_index.hpp"

namespace gossamer::python {

/// Finds labels. The first look-up of a name reads all of them, which takes less time than a table; the second one makes the table,
/// of 12 to 24 bytes a name. Labels that are numbers need none. Everything here needs the GIL.
class label_index {
 public:
  /// Returns the vertex of a label. `names` is the same each time.
  std::optional<std::uint64_t> find(const graph::labels& names, std::string_view text);

 private:
  word_table table_;  // by hash
  bool searched_ = false;
};

}  // namespace gossamer::python
