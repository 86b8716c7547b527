#include "gossamer/graph/formats/internal/comments.hpp"

#include <algorithm>
#include <initializer_list>

#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

std::vector<std::string> words_behind_marker(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t#%/"), comment.size()));
  std::string lower;
  for (const char c : comment)
    lower += c == ':' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return io::split_fields(lower, {.quotes = false, .blanks = true});
}

bool is_word_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, word) != all.end();
}

/// Returns whether words are the first line of KONECT: the kind of graph, and that of its weights.
bool is_konect(const std::vector<std::string>& words) {
  return words.size() == 2 && is_word_of(words[0], {"sym", "asym", "bip"}) &&
         is_word_of(words[1], {"unweighted", "positive", "posweighted", "signed", "multisigned", "weighted",
                               "multiweighted", "dynamic", "multiposweighted"});
}

}  // namespace

comment_facts read_comments(const std::vector<std::string_view>& comments) {
  comment_facts found;
  for (const std::string_view comment : comments) {
    const auto words = words_behind_marker(comment);
    if (words.empty()) continue;
    const bool is_heading = words.size() > 3 && is_word_of(words[0], {"directed", "undirected"}) &&
                            words[1] == "graph" && words[3] == "vertices,";
    found.written_here = found.written_here || is_heading;
    if (!found.konect && comment.starts_with('%') && is_konect(words)) {
      found.konect = true;
      found.bipartite = words[0] == "bip";
      if (words[0] != "asym") found.undirected = comment;
    } else if (found.bipartite && found.left == 0 && words.size() == 3) {  // edges, sources, targets
      found.left = io::parse_unsigned(words[1]).value;
    } else if (words[0] == "undirected" && found.undirected.empty()) {
      found.undirected = comment;
    }
  }
  return found;
}

}  // namespace gossamer::graph
