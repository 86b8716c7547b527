#include "gossamer/graph/formats/internal/row_writer.hpp"

#include <fmt/format.h>

#include <iterator>

namespace gossamer::graph {

row_writer::row_writer(const graph& g, const std::string& path)
    : g_(g.view()),
      rows_(g_, g_.out),
      file_(path == "-" ? "/dev/stdout" : path),
      how_(io::compression_for(path)),
      chunks_(std::max<std::size_t>(1, std::size_t{4} * local::cores())) {
  // Chunks have about equal numbers of arcs, or of vertices if rows are empty; a row is never divided.
  const std::uint64_t* const offsets = rows_.offsets();
  cuts_.push_back(0);
  for (std::uint64_t v = 0; v < g_.vertices; ++v)
    if (offsets[v + 1] - offsets[cuts_.back()] + (v + 1 - cuts_.back()) / 4 >= k_chunk_arcs)
      cuts_.push_back(v + 1);
  if (cuts_.back() != g_.vertices) cuts_.push_back(g_.vertices);
}

void row_writer::write_rows(const std::string& heading, const progress_hook& progress) {
  file_.write(io::compress(how_, heading));
  for (std::uint64_t first = 0; first + 1 < cuts_.size(); first += chunks_.size()) {
    const std::uint64_t last = std::min<std::uint64_t>(first + chunks_.size(), cuts_.size() - 1);
    report(progress, "writing", rows_.offsets()[cuts_[first]], g_.arcs);
    bring(cuts_[first], cuts_[last]);
    local::forall_chunks(first, last, 1, [this, first](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) {
        const std::string text = format(cuts_[b], cuts_[b + 1]);
        inspect_text(b - first, text, cuts_[b], cuts_[b + 1]);
        chunks_[b - first] = io::compress(how_, text);
      }
    });
    for (std::uint64_t c = first; c < last; ++c) {
      written(c - first);
      file_.write(chunks_[c - first]);
    }
  }
  finished();
  file_.commit();
}

void row_writer::bring(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t* const offsets = rows_.offsets();
  first_arc_ = offsets[begin];
  targets_ = rows_.arcs(first_arc_, offsets[end]);
  if (has_weights()) weights_ = rows_.weights(first_arc_, offsets[end]);
}

void row_writer::append_weight(std::uint64_t arc, char separator, std::string& text) const {
  if (!has_weights()) return;
  with_weight_type(g_.weights, [&]<class Weight>(std::type_identity<Weight>) {
    const Weight w = reinterpret_cast<const Weight*>(weights_)[arc - first_arc_];
    if constexpr (std::is_integral_v<Weight>)
      fmt::format_to(std::back_inserter(text), "{}{}", separator, w);
    else
      fmt::format_to(std::back_inserter(text), "{}{}", separator, static_cast<double>(w));
  });
}

}  // namespace gossamer::graph
