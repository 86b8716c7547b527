#pragma once
// Parses the comments above the edges of a text: collections of graphs describe their files there.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::graph {

struct comment_facts {
  bool konect = false;  // "% sym unweighted": columns are source, target, weight and time
  bool bipartite = false;  // "% bip": ids of sources and of targets are different vertices
  std::uint64_t left = 0;  // number of sources then, or 0 if not given
  bool written_here = false;  // by write() of this library, which writes a header if one is needed
  std::string
      undirected;  // the comment that declares it: "% sym", "% bip" of KONECT, "# Undirected graph" of SNAP
};

/// Reads the comments before the first edge, in order.
comment_facts read_comments(const std::vector<std::string_view>& comments);

}  // namespace gossamer::graph
