// The native form: headers and contents of any kind behind right checksums (an even first choice) or
// wrong ones. What opens is read from end to end, so that a sanitizer sees any index outside.
#include <cstring>

#include "fuzz/corpus.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/internal/serialized.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/temporary_native.hpp"

using namespace gossamer;

namespace {

std::uint64_t read_all(const graph::graph& g) {
  const graph::graph_view v = g.view();
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < v.vertices; ++i) {
    const auto id = static_cast<graph::vertex_id>(i);
    for (const auto to : v.out[id]) sum += v.in.degree(to);
    for (const auto from : v.in[id]) sum += v.out.degree(from);
    sum += g.names().label(id).size();
  }
  return sum;
}

void open_any(std::span<std::byte> bytes, bool serialized) {
  try {
    const graph::graph g =
        serialized ? graph::read_serialized(bytes, "input") : graph::open_native_bytes(bytes, "input");
    read_all(g);
  } catch (const error& e) {
    GOSSAMER_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > (1 << 20)) return 0;
  job_options options;
  options.cores = 1;
  run(options, [&] {
    const bool serialized = !graph::is_native(std::as_bytes(std::span(data, size)));
    // as files are mapped: at a page, nothing readable is promised behind the end
    const graph::buffer<std::byte> copy(size);
    if (size != 0) std::memcpy(copy.data(), data, size);
    const std::span<std::byte> bytes(copy.data(), size);
    open_any(bytes, serialized);
    if (serialized) return;
    graph::reseal_native(bytes);
    open_any(bytes, false);
  });
  return 0;
}

std::vector<std::string> test::fuzz_corpus() {
  std::string sg(1, '\0');
  const std::uint64_t numbers[] = {2, 2, 0, 1, 2};
  const std::uint32_t ids[] = {1, 0};
  sg.append(reinterpret_cast<const char*>(numbers), sizeof numbers)
      .append(reinterpret_cast<const char*>(ids), sizeof ids);
  return {native_bytes("kron:3"), native_bytes("uniform:1"), native_text("a b\nb c\nc a\nd d\n"),
          native_text("5 900\n77 5\n"), sg};
}
