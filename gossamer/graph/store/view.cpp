#include "gossamer/graph/store/view.hpp"

#include <algorithm>

#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer::graph {

namespace {

/// Returns the core that serves requests for the row of v: the cores of its process, round-robin.
core_id serving_core(const std::uint64_t* bounds, vertex_id v) {
  const auto* const next = std::upper_bound(bounds, bounds + processes() + 1, std::uint64_t{v});
  return first_core(static_cast<unsigned>(next - bounds) - 1) + static_cast<core_id>(v % cores_per_process());
}

/// The location of a row, and its first neighbours.
struct fetched {
  static constexpr std::size_t k_most = 64;
  std::uint64_t begin, end;
  vertex_id first[k_most];
};

}  // namespace

std::uint64_t rows::fetch_degree(vertex_id v) const {
  const core_id at = serving_core(process_bounds, v);
  if (memory::lies_here(at)) return adjacency::degree(v);
  return call_on(at, [in_place = adjacency(*this), v] { return in_place.degree(v); });
}

row rows::fetch(vertex_id v) const {
  const core_id at = serving_core(process_bounds, v);
  if (memory::lies_here(at)) return row(adjacency::operator[](v));
  const fetched f = call_on(at, [in_place = adjacency(*this), v] {
    fetched found{in_place.offsets[v], in_place.offsets[v + 1], {}};
    std::ranges::copy(in_place[v].first(std::min(fetched::k_most, in_place[v].size())), found.first);
    return found;
  });
  const std::size_t size = f.end - f.begin, known = std::min(size, fetched::k_most);
  auto all = std::make_unique_for_overwrite<vertex_id[]>(size);
  std::copy_n(f.first, known, all.get());
  if (known < size)
    message::wait_for_all([&] {
      memory::fetch(at, reinterpret_cast<const std::byte*>(targets + f.begin + known),
                    std::as_writable_bytes(std::span(all.get() + known, size - known)));
    });
  return {std::move(all), size};
}

}  // namespace gossamer::graph
