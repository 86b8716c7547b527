#include "gossamer/graph/ingest/internal/clean_names.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

// Returns the bytes of the UTF-8 character at the start of `text` (RFC 3629: shortest form, no surrogates).
// Returns 0 if there is none, or a control character.
std::size_t utf8_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool shortest = first != 0xe0 || byte(1) >= 0xa0;
    const bool no_surrogate = first != 0xed || byte(1) < 0xa0;
    return shortest && no_surrogate && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool in_range = (first != 0xf0 || byte(1) >= 0x90) && (first != 0xf4 || byte(1) < 0x90);
    return in_range && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_clean_name(std::string_view name) {
  while (!name.empty()) {
    const std::size_t length = utf8_character(name);
    if (length == 0) return false;
    name.remove_prefix(length);
  }
  return true;
}

void require_clean_names(const labels& names, const std::string& path) {
  if (names.form() != labels::kind::strings) return;
  struct search {
    labels names;
    std::atomic<std::uint64_t> bad;  // the first one; relaxed: the loop's end orders it
  };
  const auto state = std::make_unique<search>(names, names.size());
  local::forall_chunks(0, names.size(), 4096, [s = state.get()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      if (is_clean_name(s->names.text(static_cast<vertex_id>(b)))) continue;
      std::uint64_t least = s->bad.load(std::memory_order_relaxed);
      while (b < least && !s->bad.compare_exchange_weak(least, b, std::memory_order_relaxed)) {}
      return;
    }
  });
  const std::uint64_t v = state->bad.load(std::memory_order_relaxed);
  if (v == names.size()) return;
  throw error(fmt::format(
      "{}: expected names in UTF-8 without tabs, line ends and other control characters, found {}", path,
      in_quotes(names.text(static_cast<vertex_id>(v)))));
}

}  // namespace gossamer::graph
