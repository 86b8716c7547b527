#include "gossamer/graph/load.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/decompress.hpp"
#include "gossamer/graph/edge_list.hpp"
#include "gossamer/graph/generate.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::graph {

graph load(const std::string& source, const load_options& options) {
  if (const auto what = parse_generator(source, options.seed)) {
    if (options.how == direction::directed)
      throw error(source + ": generated graphs are undirected; expected no --directed");
    return generate(*what, options.progress);
  }
  const machine::mapped_file file(source);
  text_options text;
  text.path = source;
  text.progress = options.progress;
  const machine::mapped_file* const mapped = &file;
  text.prepare = [mapped](std::size_t offset, std::size_t bytes) { mapped->populate(offset, bytes); };
  return read_edge_list(file.bytes(), std::move(text), options);
}

bool is_generator(std::string_view source) {
  return source.starts_with("kron:") || source.starts_with("uniform:");
}

}  // namespace gossamer::graph
