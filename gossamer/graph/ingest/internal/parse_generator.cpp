// Parses the names of generated graphs, and reports errors in them.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/ingest/internal/generator.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::graph {
namespace {

struct generator_name {
  std::string_view prefix;
  generator::kind how;
  std::string_view form;  // as shown in errors
  std::size_t least, most;  // number of parts between colons
};

constexpr generator_name k_generator_names[] = {
    {"kron:", generator::kind::kronecker, "kron:SCALE[:EDGEFACTOR]", 1, 2},
    {"rmat:", generator::kind::kronecker, "rmat:SCALE[:EDGEFACTOR[:A,B,C]]", 1, 3},
    {"uniform:", generator::kind::uniform, "uniform:SCALE[:EDGEFACTOR]", 1, 2},
    {"grid:", generator::kind::grid, "grid:ROWSxCOLUMNS", 1, 1},
    {"road:", generator::kind::road, "road:VERTICES", 1, 1},
    {"ba:", generator::kind::preferential, "ba:VERTICES:EDGES", 2, 2},
    {"ws:", generator::kind::small_world, "ws:VERTICES:NEIGHBOURS:PROBABILITY", 3, 3},
    {"sbm:", generator::kind::blocks, "sbm:SIZE,SIZE,...:INSIDE:BETWEEN", 3, 3},
};

const generator_name* name_at(std::string_view source) {
  for (const generator_name& n : k_generator_names)
    if (source.starts_with(n.prefix)) return &n;
  return nullptr;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  for (;;) {
    const std::size_t at = text.find(separator);
    all.push_back(text.substr(0, at));
    if (at == text.npos) return all;
    text.remove_prefix(at + 1);
  }
}

/// Parses the parts of a name, and reports errors in them.
class generator_parser {
 public:
  generator_parser(std::string_view source, std::uint64_t seed) : source_(source) { g_.seed = seed; }

  generator parse(const generator_name& name) {
    std::string_view rest = source_.substr(name.prefix.size());
    if (const std::size_t at = rest.find('@'); at != rest.npos) {
      g_.weights = weights(rest.substr(at + 1));
      rest = rest.substr(0, at);
    }
    parts_ = split_at(rest, ':');
    if (parts_.size() < name.least || parts_.size() > name.most)
      fail(std::string(name.form) + "[@LOW..HIGH]", source_);
    g_.how = name.how;
    take_parts();
    if (g_.vertices() >= k_no_vertex || g_.edges() > k_most_edges)
      throw error(fmt::format("{}: expected less than {} vertices and {} edges, found {} and {}", source_,
                              k_no_vertex, k_most_edges, g_.vertices(), g_.edges()));
    return g_;
  }

 private:
  static constexpr unsigned k_most_scale = sizeof(vertex_id) == 4 ? 31 : 40;
  static constexpr std::uint64_t k_most_edges = std::uint64_t{1} << 44, k_most_side = std::uint64_t{1} << 32;

  [[noreturn]] void fail(std::string_view expected, std::string_view found) const {
    throw error(fmt::format("{}: expected {}, found {}", source_, expected, in_quotes(found)));
  }

  std::uint64_t number(std::string_view text, const char* what, std::uint64_t least,
                       std::uint64_t most) const {
    std::uint64_t value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = status == std::errc{} && stop == text.data() + text.size();
    if (!good || value < least || value > most)
      fail(fmt::format("{} from {} to {}", what, least, most), text);
    return value;
  }

  double probability(std::string_view text, const char* what) const {
    const io::parsed<double> p = io::parse_double(text);
    if (p.state != io::number_state::ok || !(p.value >= 0 && p.value <= 1))
      fail(fmt::format("{}, a probability from 0 to 1", what), text);
    return p.value;
  }

  drawn_weights weights(std::string_view text) const {
    const std::size_t dots = text.find("..");
    const auto expect = [&](bool good) {
      if (!good) fail("a range of weights, as 1..255 or 0.5..2.0", text);
    };
    expect(dots != text.npos);
    const std::string_view ends[] = {text.substr(0, dots), text.substr(dots + 2)};
    drawn_weights range{.type = weight_type::int32, .whole = true};
    double values[2];
    for (int i = 0; i < 2; ++i) {
      const io::parsed<double> value = io::parse_double(ends[i]);
      expect(value.state == io::number_state::ok && std::isfinite(value.value));
      values[i] = value.value;
      constexpr double k_most_whole = 0x1p53;
      range.whole &=
          io::parse_integer(ends[i]).state == io::number_state::ok && std::abs(value.value) <= k_most_whole;
      if (!range.whole || std::abs(value.value) > std::numeric_limits<std::int32_t>::max())
        range.type = weight_type::float64;
    }
    expect(values[0] <= values[1]);
    range.low = values[0];
    range.high = values[1];
    return range;
  }

  void take_parts() {
    const std::uint64_t most = std::uint64_t{k_no_vertex} - 1;
    switch (g_.how) {
      case generator::kind::kronecker:
      case generator::kind::uniform:
        g_.scale = static_cast<unsigned>(number(parts_[0], "a scale", 0, k_most_scale));
        if (parts_.size() > 1)
          g_.edge_factor = number(parts_[1], "an edge factor", 0, std::uint64_t{1} << 20);
        if (parts_.size() > 2) take_initiator();
        return;
      case generator::kind::grid: {
        const auto sides = split_at(parts_[0], 'x');
        if (sides.size() != 2) fail("ROWSxCOLUMNS, as 100x200", parts_[0]);
        g_.count = number(sides[0], "rows", 1, k_most_side);
        g_.width = number(sides[1], "columns", 1, k_most_side);
        return;
      }
      case generator::kind::road:
        g_.count = number(parts_[0], "vertices", 1, most);
        return;
      case generator::kind::preferential:
        g_.count = number(parts_[0], "vertices", 1, most);
        g_.width = number(parts_[1], "edges of a vertex", 1, std::uint64_t{1} << 20);
        return;
      case generator::kind::small_world:
        g_.count = number(parts_[0], "vertices", 1, most);
        g_.width = number(parts_[1], "neighbours on the ring", 0, g_.count - 1);
        if (g_.width % 2 != 0) fail("an even number of neighbours on the ring", parts_[1]);
        g_.chance = probability(parts_[2], "rewiring");
        return;
      case generator::kind::blocks:
        take_sizes(most);
        g_.chance = probability(parts_[1], "edges inside");
        g_.chance_between = probability(parts_[2], "edges between");
        return;
    }
  }

  void take_initiator() {
    const auto texts = split_at(parts_[2], ',');
    if (texts.size() != 3) fail("A,B,C, as 0.57,0.19,0.19", parts_[2]);
    double rest = 1;
    for (std::size_t i = 0; i < 3; ++i) rest -= g_.initiator[i] = probability(texts[i], "A, B and C");
    if (rest < -1e-9) fail("A, B and C of 1 in sum at most", parts_[2]);
    g_.initiator[3] = std::max(rest, 0.0);
    const bool is_usual = g_.initiator[0] == 0.57 && g_.initiator[1] == 0.19 && g_.initiator[2] == 0.19;
    if (is_usual) g_.initiator[3] = 0.05;
  }

  void take_sizes(std::uint64_t most) {
    const auto texts = split_at(parts_[0], ',');
    const auto add = [&](std::uint64_t size) {
      if (g_.width == generator::k_most_blocks)
        fail(fmt::format("{} blocks at most", generator::k_most_blocks), parts_[0]);
      const std::uint64_t before = g_.width == 0 ? 0 : g_.bounds[g_.width - 1];
      g_.bounds[g_.width++] = before + size;
    };
    for (const std::string_view text : texts) {
      const auto times = split_at(text, 'x');  // 8x1000: number of blocks, and their size
      if (times.size() > 2) fail("a size, as 1000 or 8x1000", text);
      const std::uint64_t blocks =
          times.size() == 2 ? number(times[0], "blocks", 1, generator::k_most_blocks) : 1;
      const std::uint64_t size = number(times.back(), "vertices of a block", 1, most);
      for (std::uint64_t i = 0; i < blocks; ++i) add(size);
    }
  }

  std::string_view source_;
  std::vector<std::string_view> parts_;
  generator g_;
};

}  // namespace

bool is_generator_name(std::string_view source) { return name_at(source) != nullptr; }

std::optional<generator> parse_generator(std::string_view source, std::uint64_t seed) {
  const generator_name* const name = name_at(source);
  if (name == nullptr) return std::nullopt;
  return generator_parser(source, seed).parse(*name);
}

std::uint64_t generator::vertices() const {
  switch (how) {
    case kind::kronecker:
    case kind::uniform:
      return std::uint64_t{1} << scale;
    case kind::grid: {
      std::uint64_t all = 0;
      return __builtin_mul_overflow(count, width, &all) ? ~std::uint64_t{0} : all;
    }
    case kind::blocks:
      return bounds[width - 1];
    case kind::road:
    case kind::preferential:
    case kind::small_world:
      break;
  }
  return count;
}

std::uint64_t generator::edges() const {
  switch (how) {
    case kind::kronecker:
    case kind::uniform:
      return edge_factor << scale;
    case kind::grid:
      return count * (width - 1) + (count - 1) * width;
    case kind::road:
      return count + count / 4;
    case kind::preferential:
      return (count - 1) * width;
    case kind::small_world:
      return count * (width / 2);
    case kind::blocks:
      break;
  }
  const auto all = static_cast<double>(vertices());
  double inside = 0, before = 0;
  for (std::uint64_t b = 0; b < width; ++b) {
    const double size = static_cast<double>(bounds[b]) - before;
    inside += size * (size - 1) / 2;
    before = static_cast<double>(bounds[b]);
  }
  const double between = all * (all - 1) / 2 - inside;
  return static_cast<std::uint64_t>(inside * chance + between * chance_between);
}

std::string name_of(const generator& g) {
  const auto with_weights = [&g](std::string name) {
    if (g.weights.type != weight_type::none) name += fmt::format("@{}..{}", g.weights.low, g.weights.high);
    return name;
  };
  switch (g.how) {
    case generator::kind::kronecker:
      return with_weights(fmt::format("kron:{}:{}", g.scale, g.edge_factor));
    case generator::kind::uniform:
      return with_weights(fmt::format("uniform:{}:{}", g.scale, g.edge_factor));
    case generator::kind::grid:
      return with_weights(fmt::format("grid:{}x{}", g.count, g.width));
    case generator::kind::road:
      return with_weights(fmt::format("road:{}", g.count));
    case generator::kind::preferential:
      return with_weights(fmt::format("ba:{}:{}", g.count, g.width));
    case generator::kind::small_world:
      return with_weights(fmt::format("ws:{}:{}:{}", g.count, g.width, g.chance));
    case generator::kind::blocks:
      break;
  }
  return with_weights(fmt::format("sbm of {} vertices", g.vertices()));
}

}  // namespace gossamer::graph
