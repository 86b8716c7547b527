// DIMACS: shortest paths of the 9th implementation challenge (.gr: "p sp N M", "a FROM TO LENGTH") and maximum flow of the 1st one (.max:
// "p max N M", "n V s", "n V t", "a FROM TO CAPACITY"). Lines that begin with c are comments. Arcs have one direction; vertices are 1 to N.
#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/declared_text.hpp"
#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/io/delimited_fields.hpp"

namespace gossamer::graph {
namespace {

bool is_comment_line(std::string_view line) {
  return line.starts_with('c') && (line.size() == 1 || io::is_blank(line[1]));
}

class dimacs_format final : public declared_format {
 public:
  declared_header begin(std::string_view text, const std::string& path, label_mode) override {
    declared_header header;
    std::string source, sink;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
      std::string_view line;
      const char* const next = take_line(at, end, line);
      ++number;
      if (problem_.empty()) {
        if (!is_comment_line(line) && !io::without_blanks(line).empty()) {
          read_problem(line, path, number);
          header.sections.push_back({static_cast<std::size_t>(next - text.data()), text.size()});
        }
      } else if (is_flow_ && line.starts_with('n')) {
        line_words words(line);
        (void)words.next();
        const std::string_view vertex = words.next();
        (words.next() == "s" ? source : sink) = vertex;
      } else if (line.starts_with('a')) {
        break;
      }
      at = next;
    }
    header.format = is_flow_ ? "DIMACS maximum flow" : "DIMACS shortest paths";
    header.vertices = vertices_;
    header.edges = arcs_;
    header.directed = true;
    header.names = labels::range(vertices_, 1);
    if (!source.empty() && !sink.empty())
      header.notes.push_back(
          fmt::format("the file says that {} is the source and {} the sink", source, sink));
    return header;
  }

  std::string read(std::string_view line, unsigned, std::uint64_t, weight_rule rule,
                   line_edges& to) const override {
    if (line.starts_with("a ") || line.starts_with("a\t")) return read_arc(line, rule, to);
    if (is_comment_line(line) || io::without_blanks(line).empty()) return {};
    if (is_flow_ && line.starts_with('n')) return read_node(line);
    return fmt::format("expected \"a FROM TO {}\", found {}", is_flow_ ? "CAPACITY" : "LENGTH",
                       in_quotes(line));
  }

  void check(const declared_counts& counts, std::string_view, const std::string& path) const override {
    if (counts.entries != arcs_)
      throw error(fmt::format("{}: expected {} arcs, as its line {} says, found {}", path, arcs_,
                              in_quotes(problem_), counts.entries));
  }

 private:
  void read_problem(std::string_view line, const std::string& path, std::uint64_t number) {
    line_words words(line);
    const std::string_view p = words.next(), kind = words.next();
    is_flow_ = kind == "max";
    const auto vertices = read_number(words.next()), arcs = read_number(words.next());
    if (p != "p" || (kind != "sp" && kind != "max") || !vertices || !arcs || !words.next().empty())
      fail_at(path, number,
              "expected \"p sp VERTICES ARCS\" or \"p max VERTICES ARCS\", found " + in_quotes(line));
    vertices_ = *vertices;
    arcs_ = *arcs;
    problem_ = line;
  }

  std::string read_arc(std::string_view line, weight_rule rule, line_edges& to) const {
    line_words words(line);
    (void)words.next();
    const auto from = read_number(words.next(), vertices_), target = read_number(words.next(), vertices_);
    const std::string_view weight = words.next();
    if (!from || !target || *from == 0 || *target == 0)
      return fmt::format("expected vertices from 1 to {}, found {}", vertices_, in_quotes(line));
    if (weight.empty() || !words.next().empty())
      return fmt::format("expected \"a FROM TO {}\", found {}", is_flow_ ? "CAPACITY" : "LENGTH",
                         in_quotes(line));
    if (std::string wrong = wrong_weight(weight, rule); !wrong.empty()) return wrong;
    to.count();
    to.add(*from, *target, weight);
    return {};
  }

  std::string read_node(std::string_view line) const {
    line_words words(line);
    (void)words.next();
    const auto vertex = read_number(words.next(), vertices_);
    const std::string_view what = words.next();
    const bool good = vertex && *vertex != 0 && (what == "s" || what == "t") && words.next().empty();
    if (good) return {};
    return fmt::format("expected \"n V s\" or \"n V t\" with V from 1 to {}, found {}", vertices_,
                       in_quotes(line));
  }

  bool is_flow_ = false;
  std::uint64_t vertices_ = 0, arcs_ = 0;
  std::string problem_;  // the line that begins with p
};

}  // namespace

bool is_dimacs(std::string_view text) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (is_comment_line(line) || io::without_blanks(line).empty()) continue;
    line_words words(line);
    const std::string_view p = words.next(), kind = words.next();
    return p == "p" && (kind == "sp" || kind == "max") && read_number(words.next());
  }
  return false;
}

std::unique_ptr<declared_format> make_dimacs() { return std::make_unique<dimacs_format>(); }

}  // namespace gossamer::graph
