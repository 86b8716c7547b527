#include "gossamer/graph/write.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/decompress.hpp"
#include "gossamer/graph/native.hpp"
#include "gossamer/graph/row_reader.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_chunk_arcs = 1 << 16;  // formatted (and compressed) by one core at a time

compression compression_of(const std::string& path) {
  if (path.ends_with(".gz")) return compression::gzip;
  if (path.ends_with(".zst")) return compression::zstd;
  return compression::none;
}

// A gzip member of its own: members one after the other are one gzip file.
std::string to_gzip(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw error("no memory to compress");
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw error("zlib failed to compress");
  return out;
}

std::string to_zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3);
  if (ZSTD_isError(size)) throw error(std::string("zstd failed to compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

std::string compressed(compression how, std::string text) {
  if (how == compression::gzip) return to_gzip(text);
  if (how == compression::zstd) return to_zstd(text);
  return text;
}

class text_writer {
 public:
  text_writer(const graph& g, const std::string& path)
      : g_(g.view()),
        rows_(g_, g_.out),
        back_(g_, g_.in),
        names_(g.names()),
        file_(path),
        how_(compression_of(path)) {
    cut();
    chunks_.resize(std::max<std::size_t>(1, std::size_t{4} * local::cores()));
  }

  // Chunks are made in rounds, on the cores of process 0, which has the names, and written in order.
  void write(const progress_hook& progress) {
    file_.write(compressed(how_, heading()));
    text_writer* const self = this;  // on the heap
    for (std::uint64_t first = 0; first + 1 < cuts_.size(); first += chunks_.size()) {
      const std::uint64_t last = std::min<std::uint64_t>(first + chunks_.size(), cuts_.size() - 1);
      const std::uint64_t* const offsets = rows_.offsets();
      report(progress, "writing", offsets[cuts_[first]], g_.arcs);
      round_ = offsets[cuts_[first]];
      targets_ = rows_.arcs(round_, offsets[cuts_[last]]);
      local::forall_chunks(first, last, 1, [self, first](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) self->chunks_[b - first] = compressed(self->how_, self->format(b));
      });
      for (std::uint64_t c = first; c < last; ++c) file_.write(chunks_[c - first]);
    }
    file_.commit();
  }

 private:
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

  // Names that a reader would take for something else.
  void check(std::string_view name) const {
    if (names_.form() != labels::kind::strings) return;
    if (name.empty() || name[0] == '#' || name[0] == '%' || name[0] == ' ' ||
        name.find('\t') != std::string_view::npos)
      throw error(fmt::format(
          "cannot write {}: the name {} cannot stand in an edge list; write the native form (.gsg)",
          file_.path(), in_quotes(name)));
  }

  std::string format(std::uint64_t chunk) const {
    std::string text, from;
    const std::uint64_t* const offsets = rows_.offsets();
    text.reserve((offsets[cuts_[chunk + 1]] - offsets[cuts_[chunk]]) * 16);
    for (std::uint64_t v = cuts_[chunk]; v < cuts_[chunk + 1]; ++v) {
      from.clear();
      names_.append(static_cast<vertex_id>(v), from);
      check(from);
      from += '\t';
      for (std::uint64_t i = offsets[v]; i < offsets[v + 1]; ++i) {
        const vertex_id to = targets_[i - round_];
        if (!g_.directed && to < v) continue;
        text += from;
        names_.append(to, text);
        text += '\n';
      }
    }
    return text;
  }

  graph_view g_;
  row_reader rows_, back_;
  std::uint64_t round_ = 0;              // first arc of the round
  const vertex_id* targets_ = nullptr;   // of its arcs
  const labels& names_;
  machine::output_file file_;
  compression how_;
  std::vector<std::uint64_t> cuts_;     // first vertex of each chunk, then the number of vertices
  std::vector<std::string> chunks_;     // of one round
};

}  // namespace

void write(const graph& g, const std::string& path, const progress_hook& progress) {
  if (path.ends_with(".gsg")) return write_native(g, path, progress);
  std::make_unique<text_writer>(g, path)->write(progress);
}

}  // namespace gossamer::graph
