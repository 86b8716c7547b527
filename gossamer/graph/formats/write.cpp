#include "gossamer/graph/formats/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/internal/read_back.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_chunk_arcs = 1 << 16;  // formatted (and compressed) by one core at a time

class text_writer {
 public:
  text_writer(const graph& g, const std::string& path)
      : g_(g.view()),
        rows_(g_, g_.out),
        back_(g_, g_.in),
        names_(g.names()),
        check_(g.names(), path, g_.weights != weight_type::none),
        file_(path == "-" ? "/dev/stdout" : path),
        how_(io::compression_for(path)) {
    require_clean_names(names_, path);
    cut();
    chunks_.resize(std::max<std::size_t>(1, std::size_t{4} * local::cores()));
    checked_.resize(chunks_.size());
  }

  // Chunks are made in rounds, on the cores of process 0, which has the names, and written in order.
  void write(const progress_hook& progress) {
    const std::string comments = heading();
    file_.write(
        io::compress(how_, comments + (is_named() ? check_.header_for(comments, first_lines()) : "")));
    for (std::uint64_t first = 0; first + 1 < cuts_.size(); first += chunks_.size()) {
      const std::uint64_t last = std::min<std::uint64_t>(first + chunks_.size(), cuts_.size() - 1);
      const std::uint64_t* const offsets = rows_.offsets();
      report(progress, "writing", offsets[cuts_[first]], g_.arcs);
      round_ = offsets[cuts_[first]];
      bring(offsets[cuts_[last]]);
      local::forall_chunks(first, last, 1, [this, first](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) {
          const std::string text = format(cuts_[b], cuts_[b + 1]);
          if (is_named()) checked_[b - first] = check_.check(text, edges(cuts_[b], cuts_[b + 1]));
          chunks_[b - first] = io::compress(how_, text);
        }
      });
      for (std::uint64_t c = first; c < last; ++c) {
        if (is_named()) check_.join(checked_[c - first]);
        file_.write(chunks_[c - first]);
      }
    }
    if (is_named()) check_.finish();
    file_.commit();
  }

 private:
  // Makes targets and weights of the arcs of a round readable.
  void bring(std::uint64_t end) {
    targets_ = rows_.arcs(round_, end);
    if (g_.weights != weight_type::none) weights_ = rows_.weights(round_, end);
  }

  // Chunks of about equal numbers of arcs; a row is never cut.
  void cut() {
    cuts_.push_back(0);
    for (std::uint64_t v = 0; v < g_.vertices; ++v)
      if (rows_.offsets()[v + 1] - rows_.offsets()[cuts_.back()] >= k_chunk_arcs) cuts_.push_back(v + 1);
    if (cuts_.back() != g_.vertices) cuts_.push_back(g_.vertices);
  }

  std::string heading() const {
    std::uint64_t lonely = 0;
    for (std::uint64_t v = 0; v < g_.vertices; ++v) {
      const auto id = static_cast<vertex_id>(v);
      lonely += rows_.degree(id) == 0 && back_.degree(id) == 0;
    }
    std::string text = fmt::format("# {} graph: {} vertices, {} edges\n",
                                   g_.directed ? "directed" : "undirected", g_.vertices, g_.edges());
    if (!g_.directed) text += "# each edge is written once: read with --undirected\n";
    if (lonely != 0) text += fmt::format("# {} vertices without edges are not listed\n", lonely);
    return text;
  }

  // Names that a reader would take for something else stand in quotes.
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

  // Exactly, in the fewest digits.
  void append_weight(std::uint64_t arc, std::string& text) const {
    if (g_.weights == weight_type::none) return;
    with_weight_type(g_.weights, [&]<class Weight>(std::type_identity<Weight>) {
      const Weight w = reinterpret_cast<const Weight*>(weights_)[arc];
      if constexpr (std::is_integral_v<Weight>)
        fmt::format_to(std::back_inserter(text), "\t{}", w);
      else
        fmt::format_to(std::back_inserter(text), "\t{}", static_cast<double>(w));
    });
  }

  bool is_named() const { return names_.form() == labels::kind::strings; }

  // Enough lines for a reader to decide by.
  std::string first_lines() {
    constexpr std::uint64_t k_lines = 10;
    std::string text;
    const std::uint64_t* const offsets = rows_.offsets();
    for (std::uint64_t v = 0, lines = 0; v < g_.vertices && lines < k_lines; ++v) {
      if (offsets[v] == offsets[v + 1]) continue;
      round_ = offsets[v];
      bring(offsets[v + 1]);
      text += format(v, v + 1);
      lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    }
    return text;
  }

  // The edges that format() writes.
  std::vector<edge> edges(std::uint64_t begin, std::uint64_t end) const {
    std::vector<edge> all;
    const std::uint64_t* const offsets = rows_.offsets();
    all.reserve(offsets[end] - offsets[begin]);
    for (std::uint64_t v = begin; v < end; ++v)
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i)
        if (const vertex_id to = targets_[i - round_]; g_.directed || to >= v)
          all.push_back({static_cast<vertex_id>(v), to});
    return all;
  }

  // The lines of the edges that leave vertices [begin, end).
  std::string format(std::uint64_t begin, std::uint64_t end) const {
    std::string text, from;
    const std::uint64_t* const offsets = rows_.offsets();
    text.reserve((offsets[end] - offsets[begin]) * 16);
    for (std::uint64_t v = begin; v < end; ++v) {
      from.clear();
      append(static_cast<vertex_id>(v), from);
      from += '\t';
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
        const vertex_id to = targets_[i - round_];
        if (!g_.directed && to < v) continue;
        text += from;
        append(to, text);
        append_weight(i - round_, text);
        text += '\n';
      }
    }
    return text;
  }

  graph_view g_;
  remote_row_cache rows_, back_;
  std::uint64_t round_ = 0;              // first arc of the round
  const vertex_id* targets_ = nullptr;   // of its arcs
  const std::byte* weights_ = nullptr;
  const labels& names_;
  read_back check_;
  machine::output_file file_;
  io::compression how_;
  std::vector<std::uint64_t> cuts_;     // first vertex of each chunk, then the number of vertices
  std::vector<std::string> chunks_;     // of one round
  std::vector<read_back::chunk> checked_;
};

}  // namespace

void write(const graph& g, const std::string& path, const progress_hook& progress) {
  if (path.ends_with(".gsg")) return write_native(g, path, progress);
  std::make_unique<text_writer>(g, path)->write(progress);
}

}  // namespace gossamer::graph
