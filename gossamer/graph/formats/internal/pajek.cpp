// Pajek: "*Vertices N", a line "NUMBER "LABEL" ..." for each vertex with a label, then sections of edges.
// *Arcs (one direction) and *Edges have lines "FROM TO [WEIGHT ...]", *Arcslist and *Edgeslist "FROM TO TO
// ...". Lines that begin with % are comments. If there are arcs, each edge becomes two arcs. Batagelj and
// Mrvar, "Pajek: reference manual".
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/declared_text.hpp"
#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/io/delimited_fields.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

std::string lower_case(std::string_view text) {
  std::string all(text);
  for (char& c : all)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return all;
}

struct pajek_label {
  std::uint64_t vertex;  // from 1
  std::string_view text;
};

class pajek_format final : public declared_format {
 public:
  declared_header begin(std::string_view text, const std::string& path, label_mode vertices) override {
    declared_header header;
    header.format = "Pajek";
    std::uint64_t number = 0;
    bool has_vertices = false;
    std::vector<pajek_label> found;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
      std::string_view line;
      const char* const next = take_line(at, end, line);
      ++number;
      const auto place = static_cast<std::size_t>(at - text.data());
      if (line.starts_with('*')) {
        if (!header.sections.empty()) header.sections.back().end = place;
        begin_section(line, path, number, has_vertices, header);
        if (!header.sections.empty())
          header.sections.back().begin = static_cast<std::size_t>(next - text.data());
      } else if (!header.sections.empty()) {
        // a line of edges: the next section begins after a line end
        const std::size_t star = text.find("\n*", place);
        const std::size_t last = star == text.npos ? text.size() : star + 1;
        number += static_cast<std::uint64_t>(std::count(next, text.data() + last, '\n'));
        at = text.data() + last;
        continue;
      } else if (has_vertices) {
        read_vertex(line, path, number, found);
      } else if (!is_passed(line)) {
        fail_at(path, number, "expected \"*Vertices N\", found " + in_quotes(line));
      }
      at = next;
    }
    if (!has_vertices) fail_at(path, number, "expected \"*Vertices N\", found the end of the file");
    if (!header.sections.empty()) header.sections.back().end = text.size();
    header.vertices = vertices_;
    header.names = names_of(found, vertices, header);
    for (const text_section& s : header.sections) {
      const std::string_view lines = text.substr(s.begin, s.end - s.begin);
      header.directed = header.directed || (s.directed && !is_empty(lines));  // a heading alone has no arcs
      header.edges += s.kind == k_lists ? lines.size() / 4
                                        : static_cast<std::uint64_t>(std::ranges::count(lines, '\n')) + 1;
    }
    return header;
  }

  std::string read(std::string_view line, unsigned kind, std::uint64_t, weight_rule rule,
                   line_edges& to) const override {
    if (is_passed(line)) return {};
    line_words words(line);
    const auto from = read_number(words.next(), vertices_);
    std::string_view word = words.next();
    const auto wrong = [&] {
      return fmt::format("expected vertices from 1 to {}, found {}", vertices_, in_quotes(line));
    };
    if (!from || *from == 0 || word.empty()) return wrong();
    for (; !word.empty(); word = words.next()) {
      const auto target = read_number(word, vertices_);
      if (!target || *target == 0) return wrong();
      std::string_view weight;
      if (kind != k_lists) {
        weight = words.next();
        if (!weight.empty() && !is_parameter(weight)) {
          if (std::string bad = wrong_weight(weight, rule); !bad.empty()) return bad;
        } else {
          weight = {};
        }
      }
      to.count();
      to.add(*from, *target, weight);
      if (kind != k_lists) break;
    }
    return {};
  }

 private:
  static constexpr unsigned k_lists = 1;

  /// Returns whether a word is a parameter of an edge, such as the l of "l LABEL". Infinities and NaN are
  /// weights.
  static bool is_parameter(std::string_view word) {
    return word[0] >= 'A' && word[0] <= 'z' && io::parse_double(word).state == io::number_state::none;
  }

  static bool is_passed(std::string_view line) {
    return line.starts_with('%') || io::without_blanks(line).empty();
  }

  /// Returns whether a section has no line but those that are passed over.
  static bool is_empty(std::string_view lines) {
    const char* const end = lines.data() + lines.size();
    for (const char* at = lines.data(); at < end;) {
      std::string_view line;
      at = take_line(at, end, line);
      if (!is_passed(line)) return false;
    }
    return true;
  }

  void begin_section(std::string_view line, const std::string& path, std::uint64_t number, bool& has_vertices,
                     declared_header& header) {
    line_words words(line);
    const std::string word = lower_case(words.next());
    if (word == "*network" && !has_vertices) return;
    if (word == "*vertices") {
      const auto count = read_number(words.next());
      if (has_vertices || !count)
        fail_at(path, number,
                fmt::format("expected {}, found {}", has_vertices ? "one network" : "\"*Vertices N\"",
                            in_quotes(line)));
      vertices_ = *count;
      if (vertices_ >= k_no_vertex)
        fail_at(path, number,
                fmt::format("expected less than {} vertices, found {}", k_no_vertex, vertices_));
      has_vertices = true;
      return;
    }
    const bool is_arcs = word == "*arcs" || word == "*arcslist",
               is_list = word == "*arcslist" || word == "*edgeslist";
    if (!has_vertices || !(is_arcs || is_list || word == "*edges"))
      fail_at(path, number,
              fmt::format("expected {}, found {}",
                          has_vertices ? "*Arcs, *Edges, *Arcslist or *Edgeslist" : "\"*Vertices N\"",
                          in_quotes(line)));
    header.sections.push_back({0, 0, is_list ? k_lists : 0, is_arcs});
  }

  void read_vertex(std::string_view line, const std::string& path, std::uint64_t number,
                   std::vector<pajek_label>& found) const {
    if (is_passed(line)) return;
    line_words words(line);
    const auto vertex = read_number(words.next(), vertices_);
    if (!vertex || *vertex == 0)
      fail_at(path, number,
              fmt::format("expected a vertex from 1 to {}, found {}", vertices_, in_quotes(line)));
    std::string_view label = io::without_blanks(words.rest());
    if (label.starts_with('"')) {
      const std::size_t close = label.find('"', 1);
      if (close == label.npos)
        fail_at(path, number, "expected a quote that ends the label in its line, found " + in_quotes(line));
      label = label.substr(1, close - 1);
    } else {
      label = line_words(label).next();
    }
    if (!is_clean_name(label)) fail_at(path, number, "expected a label of UTF-8, found " + in_quotes(label));
    if (!label.empty()) found.push_back({*vertex, label});
  }

  /// Returns the labels if each vertex has a unique one, otherwise numbers.
  labels names_of(std::vector<pajek_label> found, label_mode mode, declared_header& header) const {
    const labels numbers = labels::range(vertices_, 1);
    if (found.empty() || mode == label_mode::integers) return numbers;
    const auto use_numbers = [&](const std::string& why) {
      header.notes.push_back("vertices are called by their numbers, as " + why);
      return numbers;
    };
    std::ranges::stable_sort(found, {}, &pajek_label::vertex);
    std::unordered_set<std::string_view> unique;
    std::uint64_t bytes = 0;
    bool are_numbers = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i != 0 && found[i].vertex == found[i - 1].vertex)
        return use_numbers(fmt::format("{} has two labels", found[i].vertex));
      if (!unique.insert(found[i].text).second)
        return use_numbers("two have the label " + in_quotes(found[i].text));
      bytes += found[i].text.size();
      are_numbers = are_numbers && found[i].text == fmt::to_string(found[i].vertex);
    }
    if (found.size() != vertices_)
      return use_numbers(fmt::format("{} of {} have no label", vertices_ - found.size(), vertices_));
    if (are_numbers) return numbers;
    buffer<std::uint64_t> offsets(vertices_ + 1);
    buffer<char> text(bytes);
    std::uint64_t at = 0;
    for (std::uint64_t v = 0; v < vertices_; ++v) {
      offsets[v] = at;
      std::ranges::copy(found[v].text, text.data() + at);
      at += found[v].text.size();
    }
    offsets[vertices_] = at;
    return labels::strings(std::move(offsets), std::move(text));
  }

  std::uint64_t vertices_ = 0;
};

}  // namespace

bool is_pajek(std::string_view text) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    std::string_view line;
    at = take_line(at, end, line);
    if (line.starts_with('%') || io::without_blanks(line).empty()) continue;
    line_words words(line);
    const std::string word = lower_case(words.next());
    return word == "*network" || (word == "*vertices" && read_number(words.next()));
  }
  return false;
}

std::unique_ptr<declared_format> make_pajek() { return std::make_unique<pajek_format>(); }

}  // namespace gossamer::graph
