#include "gossamer/graph/formats/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/internal/read_back.hpp"
#include "gossamer/graph/formats/internal/row_writer.hpp"
#include "gossamer/graph/formats/internal/write_numbered.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"

namespace gossamer::graph {
namespace {

class text_writer final : row_writer {
 public:
  text_writer(const graph& g, const std::string& path)
      : row_writer(g, path), back_(g_, g_.in), names_(g.names()), check_(g.names(), path, has_weights()) {
    require_clean_names(names_, path);
    checked_.resize(slots());
  }

  void write(const progress_hook& progress) {
    const std::string comments = heading();
    write_rows(comments + (is_named() ? check_.header_for(comments, first_lines()) : ""), progress);
  }

 private:
  std::string heading() const {
    std::uint64_t lonely = 0;
    for (std::uint64_t v = 0; v < g_.vertices; ++v) {
      const auto id = static_cast<vertex_id>(v);
      lonely += rows_.degree(id) == 0 && back_.degree(id) == 0;
    }
    std::string text = fmt::format("# {} graph: {} vertices, {} edges\n",
                                   g_.directed ? "directed" : "undirected", g_.vertices, g_.edges());
    if (!g_.directed) text += "# each edge is written once\n";
    if (lonely != 0)
      text += fmt::format("# {} without edges {} not listed\n", plural(lonely, "vertex", "vertices"),
                          lonely == 1 ? "is" : "are");
    return text;
  }

  // Appends a name, quoted if a reader would misread it.
  void append(vertex_id v, std::string& text) const {
    const std::size_t begin = text.size();
    names_.append(v, text);
    if (names_.form() != labels::kind::strings) return;
    const std::string_view name = std::string_view(text).substr(begin);
    const bool plain = !name.empty() && name[0] != '#' && name[0] != '%' && name.find('"') == name.npos &&
                       name[0] != '{' && name[0] != ',' && name.back() != ',' && name[0] != ' ' &&
                       name.back() != ' ' && !name.starts_with("//");
    if (plain) return;
    std::string quoted = "\"";
    for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
    text.replace(begin, std::string::npos, quoted + '"');
  }

  bool is_named() const { return names_.form() == labels::kind::strings; }

  // Returns enough lines for a reader to infer the format.
  std::string first_lines() {
    constexpr std::uint64_t k_lines = 10;
    std::string text;
    const std::uint64_t* const offsets = rows_.offsets();
    for (std::uint64_t v = 0, lines = 0; v < g_.vertices && lines < k_lines; ++v) {
      if (offsets[v] == offsets[v + 1]) continue;
      bring(v, v + 1);
      text += format(v, v + 1);
      lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    }
    return text;
  }

  // Returns the edges that format() writes.
  std::vector<edge> edges(std::uint64_t begin, std::uint64_t end) const {
    std::vector<edge> all;
    const std::uint64_t* const offsets = rows_.offsets();
    all.reserve(offsets[end] - offsets[begin]);
    for (std::uint64_t v = begin; v < end; ++v)
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i)
        if (const vertex_id to = target(i); g_.directed || to >= v)
          all.push_back({static_cast<vertex_id>(v), to});
    return all;
  }

  // Returns the lines of the edges that leave vertices [begin, end).
  std::string format(std::uint64_t begin, std::uint64_t end) const override {
    std::string text, from;
    const std::uint64_t* const offsets = rows_.offsets();
    text.reserve((offsets[end] - offsets[begin]) * 16);
    for (std::uint64_t v = begin; v < end; ++v) {
      from.clear();
      append(static_cast<vertex_id>(v), from);
      from += '\t';
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
        const vertex_id to = target(i);
        if (!g_.directed && to < v) continue;
        text += from;
        append(to, text);
        append_weight(i, '\t', text);
        text += '\n';
      }
    }
    return text;
  }

  void inspect_text(std::size_t slot, const std::string& text, std::uint64_t begin,
                    std::uint64_t end) override {
    if (is_named()) checked_[slot] = check_.check(text, edges(begin, end));
  }
  void written(std::size_t slot) override {
    if (is_named()) check_.join(checked_[slot]);
  }
  void finished() override {
    if (is_named()) check_.finish();
  }

  remote_row_cache back_;
  const labels& names_;
  read_back check_;
  std::vector<read_back::chunk> checked_;  // of one round
};

}  // namespace

void write(const graph& g, const std::string& path, const progress_hook& progress) {
  if (path.ends_with(".gsg")) return write_native(g, path, progress);
  if (is_numbered_form(path)) return write_numbered(g, path, progress);
  std::make_unique<text_writer>(g, path)->write(progress);
}

}  // namespace gossamer::graph
