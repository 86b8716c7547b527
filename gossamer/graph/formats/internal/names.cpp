#include "gossamer/graph/formats/internal/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/memory.hpp"
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

std::uint64_t hash_name(std::string_view text) {
  std::uint64_t h = text.size();
  while (text.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    h = hash64(h ^ word);
    text.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return hash64(h ^ rest);
}

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

vertex_id name_dictionary::number(std::string_view name, std::uint64_t position) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_name(name);
  const std::uint64_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::uint64_t i = hash & mask;
  for (; slots_[i].number != k_no_vertex; i = (i + 1) & mask)
    if (slots_[i].tag == tag && this->name(slots_[i].number) == name) return slots_[i].number;

  if (!is_clean_name(name)) return k_no_vertex;
  const auto number = static_cast<vertex_id>(entries_.size());
  if (number == k_no_vertex - 1)
    throw error("more than 4,294,967,294 names: build with GOSSAMER_VERTEX_BITS=64");
  slots_[i] = {tag, number};
  entries_.push_back({hash, position, text_.size(), name.size()});
  text_.append(name);
  return number;
}

void name_dictionary::grow() {
  const std::uint64_t size = slots_.empty() ? 64 : slots_.size() * 2;
  const std::uint64_t average = entries_.empty() ? 16 : text_.size() / entries_.size();
  machine::require_piece(size * sizeof(slot) + size / 4 * (sizeof(entry) + average), "reading names");
  slots_.assign(size, {});
  for (std::uint64_t e = 0; e < entries_.size(); ++e) {
    std::uint64_t i = entries_[e].hash & (size - 1);
    while (slots_[i].number != k_no_vertex) i = (i + 1) & (size - 1);
    slots_[i] = {static_cast<std::uint32_t>(entries_[e].hash >> 32), static_cast<vertex_id>(e)};
  }
}

namespace {

// A name after duplicates between dictionaries are found: where its text is, where it came first.
struct unique_name {
  std::uint64_t position;
  std::uint32_t part;
  std::uint64_t entry;
  std::uint64_t order;  // its number before sorting by position
};

// Names are dealt to shares by hash, so that equal ones meet; each share is one core's work at a time.
struct merge_state {
  std::vector<const name_dictionary*> parts;
  std::uint64_t shares = 1;
  std::vector<std::vector<unique_name>> unique;  // per share
  std::vector<std::uint64_t> first;              // per share: number of its first, before sorting
  std::vector<unique_name> all;                  // by position
  std::vector<vertex_id> vertex;                 // by number before sorting
  std::vector<std::vector<vertex_id>> numbers;   // per part: index in the share, then the vertex
  buffer<std::uint64_t> offsets;
  buffer<char> bytes;

  std::uint64_t share_of(std::uint64_t hash) const { return (hash >> 20) % shares; }
};

void find_unique(merge_state& s, std::uint64_t share) {
  std::uint64_t entries = 0;
  for (const auto* part : s.parts)
    for (std::uint64_t e = 0; e < part->size(); ++e) entries += s.share_of(part->hash(e)) == share;
  std::uint64_t size = 64;
  while (size < entries * 2) size *= 2;
  std::vector<std::uint64_t> slots(size, ~std::uint64_t{0});

  auto& unique = s.unique[share];
  for (std::uint32_t p = 0; p < s.parts.size(); ++p) {
    const name_dictionary& part = *s.parts[p];
    for (std::uint64_t e = 0; e < part.size(); ++e) {
      const std::uint64_t hash = part.hash(e);
      if (s.share_of(hash) != share) continue;
      std::uint64_t i = hash64(hash) & (size - 1);
      const auto differs = [&](const unique_name& u) {
        return s.parts[u.part]->name(u.entry) != part.name(e);
      };
      while (slots[i] != ~std::uint64_t{0} && differs(unique[slots[i]])) i = (i + 1) & (size - 1);
      if (slots[i] == ~std::uint64_t{0}) {
        slots[i] = unique.size();
        unique.push_back({part.position(e), p, e, 0});
      }
      unique_name& u = unique[slots[i]];
      u.position = std::min(u.position, part.position(e));
      s.numbers[p][e] = static_cast<vertex_id>(slots[i]);
    }
  }
}

void order_by_position(merge_state& s) {
  for (auto& share : s.unique) {
    s.first.push_back(s.all.size());
    for (auto& u : share) {
      u.order = s.all.size();
      s.all.push_back(u);
    }
    share = {};
  }
  if (s.all.size() >= k_no_vertex)
    throw error("more than 4,294,967,294 names: build with GOSSAMER_VERTEX_BITS=64");
  std::sort(s.all.begin(), s.all.end(),
            [](const unique_name& a, const unique_name& b) { return a.position < b.position; });
  s.vertex.resize(s.all.size());
  s.offsets = buffer<std::uint64_t>(s.all.size() + 1);
  std::uint64_t bytes = 0;
  for (std::uint64_t v = 0; v < s.all.size(); ++v) {
    s.vertex[s.all[v].order] = static_cast<vertex_id>(v);
    s.offsets[v] = bytes;
    bytes += s.parts[s.all[v].part]->name(s.all[v].entry).size();
  }
  s.offsets[s.all.size()] = bytes;
  s.bytes = buffer<char>(bytes);
}

}  // namespace

merged_names merge_names(const std::vector<const name_dictionary*>& parts) {
  const auto state = std::make_unique<merge_state>();
  merge_state* const s = state.get();
  s->parts = parts;
  s->shares = local::cores();
  std::uint64_t names = 0, text = 0;
  for (const auto* part : parts) names += part->size(), text += part->text_bytes();
  // Twice by position, a table at most half full, numbers before and after, where the text begins.
  constexpr std::uint64_t k_name_bytes =
      2 * sizeof(unique_name) + 4 * sizeof(std::uint64_t) + 2 * sizeof(vertex_id) + 2 * sizeof(std::uint64_t);
  machine::require_piece(names * k_name_bytes + text, "sorting names");
  s->unique.resize(s->shares);
  for (const auto* part : parts) s->numbers.emplace_back(part->size());

  local::forall_chunks(0, s->shares, 1, [s](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) find_unique(*s, b);
  });
  order_by_position(*s);
  local::forall_chunks(0, s->all.size(), 4096, [s](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const std::string_view name = s->parts[s->all[b].part]->name(s->all[b].entry);
      if (!name.empty()) std::memcpy(s->bytes.data() + s->offsets[b], name.data(), name.size());
    }
  });
  for (std::uint64_t p = 0; p < parts.size(); ++p) {
    local::forall_chunks(0, parts[p]->size(), 4096, [s, p](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) {
        vertex_id& number = s->numbers[p][b];
        number = s->vertex[s->first[s->share_of(s->parts[p]->hash(b))] + number];
      }
    });
  }

  const std::span<const std::uint64_t> offsets = s->offsets.all();
  const std::span<const char> bytes = s->bytes.all();
  struct both {
    storage offsets, bytes;
  };
  auto keep = std::make_shared<both>(both{std::move(s->offsets).share(), std::move(s->bytes).share()});
  std::vector<std::uint64_t> positions;
  positions.reserve(s->all.size());
  for (const unique_name& u : s->all) positions.push_back(u.position);
  return {labels::strings(offsets, bytes, std::move(keep)), std::move(s->numbers), std::move(positions)};
}

}  // namespace gossamer::graph
