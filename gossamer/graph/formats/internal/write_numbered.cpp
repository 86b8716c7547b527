#include "gossamer/graph/formats/internal/write_numbered.hpp"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/row_writer.hpp"
#include "gossamer/graph/formats/write.hpp"

namespace gossamer::graph {
namespace {

enum class numbered_form : std::uint8_t { matrix_market, metis, dimacs, serialized, weighted_serialized };

std::optional<numbered_form> numbered_form_of(std::string_view path) {
  if (path.ends_with(".sg")) return numbered_form::serialized;
  if (path.ends_with(".wsg")) return numbered_form::weighted_serialized;
  const std::string_view name = io::without_compression(path);
  if (name.ends_with(".mtx")) return numbered_form::matrix_market;
  if (name.ends_with(".metis") || name.ends_with(".graph")) return numbered_form::metis;
  if (name.ends_with(".gr")) return numbered_form::dimacs;
  return std::nullopt;
}

bool has_reals(const graph_view& g) {
  return g.weights == weight_type::float32 || g.weights == weight_type::float64;
}

/// Throws gossamer::error if the format cannot represent the graph.
void check_form(const graph_view& g, numbered_form form, const std::string& path) {
  const auto expect = [&path](bool good, std::string_view what) {
    if (!good) throw error(fmt::format("{}: {}", path, what));
  };
  if (form == numbered_form::metis)
    expect(!g.directed, "expected an undirected graph, as METIS has no others: --undirected reads it as one");
  if (form == numbered_form::metis || form == numbered_form::dimacs)
    expect(!has_reals(g), fmt::format("expected integers as weights, as {} has, found {}",
                                      form == numbered_form::metis ? "METIS" : "DIMACS", name_of(g.weights)));
  if (form == numbered_form::serialized)
    expect(g.weights == weight_type::none,
           "expected a graph without weights, as .sg has none: .wsg keeps them");
  if (form == numbered_form::weighted_serialized)
    expect(g.weights == weight_type::int32,
           fmt::format("expected weights that are integers of 32 bits, as .wsg has, found {}",
                       name_of(g.weights)));
}

class numbered_writer final : row_writer {
 public:
  numbered_writer(const graph& g, const std::string& path, numbered_form form)
      : row_writer(g, path), form_(form) {}

  void write(const progress_hook& progress) { write_rows(heading(), progress); }

 private:
  std::string heading() const {
    if (form_ == numbered_form::metis)
      return fmt::format("{} {}{}\n", g_.vertices, g_.edges(), has_weights() ? " 001" : "");
    if (form_ == numbered_form::dimacs)
      return fmt::format("c {} graph: {} vertices, {} edges\np sp {} {}\n",
                         g_.directed ? "directed" : "undirected", g_.vertices, g_.edges(), g_.vertices,
                         g_.arcs);
    return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                       !has_weights()  ? "pattern"
                       : has_reals(g_) ? "real"
                                       : "integer",
                       g_.directed ? "general" : "symmetric", g_.vertices, g_.vertices, g_.edges());
  }

  std::string format(std::uint64_t begin, std::uint64_t end) const override {
    std::string text;
    const std::uint64_t* const offsets = rows_.offsets();
    text.reserve((offsets[end] - offsets[begin]) * 16);
    for (std::uint64_t v = begin; v < end; ++v) {
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) append_arc(v, i, i == offsets[v], text);
      if (form_ == numbered_form::metis) text += '\n';
    }
    return text;
  }

  void append_arc(std::uint64_t v, std::uint64_t arc, bool is_first, std::string& text) const {
    const std::uint64_t to = target(arc);
    if (form_ == numbered_form::metis) {
      fmt::format_to(std::back_inserter(text), "{}{}", is_first ? "" : " ", to + 1);
      append_weight(arc, ' ', text);
      return;
    }
    if (form_ == numbered_form::matrix_market && !g_.directed && to > v) return;  // the lower triangle
    fmt::format_to(std::back_inserter(text), "{}{} {}", form_ == numbered_form::dimacs ? "a " : "", v + 1,
                   to + 1);
    if (has_weights())
      append_weight(arc, ' ', text);
    else if (form_ == numbered_form::dimacs)
      text += " 1";
    text += '\n';
  }

  numbered_form form_;
};

// Writes the rows in GAP's format, in chunks, by one fiber.
void write_serialized(const graph& g, const std::string& path, const progress_hook& progress) {
  constexpr std::uint64_t k_arcs_at_once = 1 << 20;
  const graph_view view = g.view();
  machine::output_file file(path);
  const auto put = [&file](const auto& value) { file.write(std::as_bytes(std::span(&value, 1))); };
  put(static_cast<std::uint8_t>(view.directed));
  put(view.arcs);
  put(view.vertices);
  std::vector<std::uint32_t> words;
  for (unsigned way = 0; way < (view.directed ? 2U : 1U); ++way) {
    remote_row_cache rows(view, way == 0 ? view.out : view.in);
    file.write(std::as_bytes(std::span(rows.offsets(), view.vertices + 1)));
    for (std::uint64_t first = 0; first < view.arcs; first += k_arcs_at_once) {
      const std::uint64_t last = std::min(first + k_arcs_at_once, view.arcs);
      report(progress, "writing", way * view.arcs + first, (view.directed ? 2 : 1) * view.arcs);
      words.clear();
      const vertex_id* const targets = rows.arcs(first, last);
      for (std::uint64_t i = first; i < last; ++i)
        words.push_back(static_cast<std::uint32_t>(targets[i - first]));
      if (view.weights != weight_type::none) {
        std::vector<std::uint32_t> pairs(2 * words.size());
        const std::byte* const weights = rows.weights(first, last);
        for (std::size_t i = 0; i < words.size(); ++i) {
          pairs[2 * i] = words[i];
          std::memcpy(&pairs[2 * i + 1], weights + i * sizeof(std::uint32_t), sizeof(std::uint32_t));
        }
        words = std::move(pairs);
      }
      file.write(std::as_bytes(std::span(words)));
    }
  }
  file.commit();
}

}  // namespace

bool is_numbered_form(std::string_view path) { return numbered_form_of(path).has_value(); }

void write_numbered(const graph& g, const std::string& path, const progress_hook& progress) {
  const numbered_form form = *numbered_form_of(path);
  check_form(g.view(), form, path);
  if (form == numbered_form::serialized || form == numbered_form::weighted_serialized)
    return write_serialized(g, path, progress);
  std::make_unique<numbered_writer>(g, path, form)->write(progress);
}

}  // namespace gossamer::graph
