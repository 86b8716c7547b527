// Equal names of several dictionaries are found by ranges of hashes, each small enough for a cache, whose
// names are adjacent in each dictionary. Then first appearances are numbered by ranges of positions; each
// dictionary is in order of position.
#include "gossamer/graph/ingest/internal/merge_names.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_chunk_names = 4096;  // of a range of hashes

// The names in a range of positions.
struct stretch {
  std::vector<std::uint64_t> begin, end;  // by dictionary
  std::uint64_t names = 0, bytes = 0;  // first appearances; later those of the ranges before
};

struct merge_state {
  std::vector<const name_dictionary*> dictionaries;
  std::vector<std::uint64_t>
      begin;  // by dictionary: the index of its first name among those of all dictionaries
  buffer<std::uint64_t> first;  // by index: the index of the name's first appearance
  unsigned bits = 0;  // of hashes that choose a chunk
  std::vector<stretch> stretches;
  buffer<vertex_id> vertices;
  buffer<std::uint64_t> offsets;
  buffer<char> bytes;
  std::vector<std::uint64_t> positions;

  bool is_first(std::size_t dictionary, std::uint64_t name) const {
    return first[begin[dictionary] + name] == begin[dictionary] + name;
  }
};

// A name of a chunk, and its first appearance so far.
struct unique_name {
  std::uint64_t hash, position, index;
  std::uint32_t length, dictionary;
};

struct chunk_table {
  std::vector<std::uint32_t> slots;
  std::vector<unique_name> unique;
  struct met {
    std::uint64_t index;
    std::uint32_t unique;
  };
  std::vector<met> all;
};

void find_firsts(merge_state& s, std::uint64_t chunk, chunk_table& t) {
  constexpr std::uint32_t k_free = ~std::uint32_t{0};
  std::uint64_t names = 0;
  for (const auto* dictionary : s.dictionaries)
    dictionary->for_each_of(chunk, s.bits, [&](auto&&...) { ++names; });
  t.slots.assign(std::bit_ceil(2 * names + 1), k_free);
  t.unique.clear();
  t.all.clear();
  for (std::uint32_t p = 0; p < s.dictionaries.size(); ++p) {
    const name_dictionary& dictionary = *s.dictionaries[p];
    dictionary.for_each_of(chunk, s.bits, [&](std::uint64_t hash, vertex_id number, std::uint32_t length) {
      const auto same = [&](const unique_name& u) {
        return u.hash == hash && u.length == length &&
               (length <= k_short_name + 1 ||
                s.dictionaries[u.dictionary]->name(u.index - s.begin[u.dictionary]) ==
                    dictionary.name(number));
      };
      const std::uint64_t mask = t.slots.size() - 1, index = s.begin[p] + number,
                          position = dictionary.position(number);
      std::uint64_t i = hash & mask;
      while (t.slots[i] != k_free && !same(t.unique[t.slots[i]])) i = (i + 1) & mask;
      if (t.slots[i] == k_free) {
        t.slots[i] = static_cast<std::uint32_t>(t.unique.size());
        t.unique.push_back({hash, position, index, length, p});
      }
      unique_name& u = t.unique[t.slots[i]];
      if (position < u.position) {
        u.position = position;
        u.index = index;
        u.dictionary = p;
      }
      t.all.push_back({index, t.slots[i]});
    });
  }
  for (const auto& m : t.all) s.first[m.index] = t.unique[m.unique].index;
}

// Divides positions at the boundaries of equal chunks of the largest dictionary.
void cut_stretches(merge_state& s) {
  const auto by_size = [](const auto* a, const auto* b) { return a->size() < b->size(); };
  const name_dictionary& largest = **std::ranges::max_element(s.dictionaries, by_size);
  const std::uint64_t count =
      std::min<std::uint64_t>(std::uint64_t{8} * local::cores(), 1 + largest.size() / k_chunk_names);
  s.stretches.resize(count);
  for (std::uint64_t r = 0; r < count; ++r) {
    stretch& now = s.stretches[r];
    now.begin = r == 0 ? std::vector<std::uint64_t>(s.dictionaries.size(), 0) : s.stretches[r - 1].end;
    for (std::size_t p = 0; p < s.dictionaries.size(); ++p) {
      const name_dictionary& dictionary = *s.dictionaries[p];
      std::uint64_t low = now.begin[p], high = dictionary.size();
      if (r + 1 == count) low = high;
      while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (dictionary.position(middle) < largest.position(largest.size() * (r + 1) / count))
          low = middle + 1;
        else
          high = middle;
      }
      now.end.push_back(low);
    }
  }
}

void count_stretch(merge_state& s, stretch& r) {
  for (std::size_t p = 0; p < s.dictionaries.size(); ++p)
    for (std::uint64_t n = r.begin[p]; n < r.end[p]; ++n)
      if (s.is_first(p, n)) {
        ++r.names;
        r.bytes += s.dictionaries[p]->name(n).size();
      }
}

// Numbers the first appearances in a range: merges the dictionaries, each of which is in order.
void number_stretch(merge_state& s, stretch& r) {
  constexpr std::uint64_t k_never = ~std::uint64_t{0};
  std::uint64_t vertex = r.names, byte = r.bytes;
  const auto head = [&](std::size_t p) {
    return r.begin[p] < r.end[p] ? s.dictionaries[p]->position(r.begin[p]) : k_never;
  };
  for (;;) {
    std::size_t least = 0;
    std::uint64_t position = head(0), until = k_never;  // of the next dictionary
    for (std::size_t p = 1; p < s.dictionaries.size(); ++p) {
      const std::uint64_t other = head(p);
      until = std::min(until, std::max(position, other));
      if (other < position) position = other, least = p;
    }
    if (position == k_never) return;
    const name_dictionary& dictionary = *s.dictionaries[least];
    for (std::uint64_t& n = r.begin[least]; n < r.end[least] && dictionary.position(n) <= until; ++n) {
      if (!s.is_first(least, n)) continue;
      const std::string_view name = dictionary.name(n);
      s.vertices[s.begin[least] + n] = static_cast<vertex_id>(vertex);
      s.offsets[vertex] = byte;
      std::ranges::copy(name, s.bytes.data() + byte);
      if (!s.positions.empty()) s.positions[vertex] = dictionary.position(n);
      ++vertex;
      byte += name.size();
    }
  }
}

// Finds the first appearance of each name that several dictionaries have.
void find_all_firsts(merge_state* s, std::uint64_t names) {
  s->bits = static_cast<unsigned>(std::bit_width(std::min<std::uint64_t>(names / k_chunk_names, 1 << 16)));
  const local::scoped_per_core<chunk_table> tables;
  local::forall_chunks(0, std::uint64_t{1} << s->bits, 1,
                       [s, tables = tables.handle()](std::uint64_t b, std::uint64_t e) {
                         for (; b < e; ++b) find_firsts(*s, b, tables.here());
                       });
}

}  // namespace

merged_names merge_names(std::vector<const name_dictionary*> dictionaries, bool positions) {
  const auto state = std::make_unique<merge_state>();
  merge_state* const s = state.get();
  std::uint64_t names = 0, text = 0;
  std::size_t with_names = 0;
  for (const auto* dictionary : dictionaries) {
    s->begin.push_back(names);
    names += dictionary->size();
    text += dictionary->text_bytes();
    with_names += dictionary->size() != 0;
  }
  s->begin.push_back(names);
  s->dictionaries = std::move(dictionaries);
  // The first appearance, the vertex, the offset of the text, and the position.
  machine::require_chunk(names * (3 * sizeof(std::uint64_t) + sizeof(vertex_id)) + text, "sorting names");
  s->first = buffer<std::uint64_t>(names);
  s->vertices = buffer<vertex_id>(names);
  const bool as_numbered = with_names <= 1;
  if (!as_numbered)
    find_all_firsts(s, names);
  else
    for (std::uint64_t n = 0; n < names; ++n) s->first[n] = n;
  cut_stretches(*s);
  local::forall_chunks(0, s->stretches.size(), 1, [s](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) count_stretch(*s, s->stretches[b]);
  });
  std::uint64_t vertices = 0, bytes = 0;
  for (stretch& r : s->stretches) {
    vertices += std::exchange(r.names, vertices);
    bytes += std::exchange(r.bytes, bytes);
  }
  check_count(vertices, "names");
  s->offsets = buffer<std::uint64_t>(vertices + 1);
  s->offsets[vertices] = bytes;
  s->bytes = buffer<char>(bytes);
  if (positions) s->positions.resize(vertices);
  local::forall_chunks(0, s->stretches.size(), 1, [s](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) number_stretch(*s, s->stretches[b]);
  });
  local::forall_chunks(0, as_numbered ? 0 : names, 1 << 14, [s](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b)
      if (s->first[b] != b) s->vertices[b] = s->vertices[s->first[b]];
  });
  merged_names all;
  all.as_numbered = as_numbered;
  all.names = labels::strings(std::move(s->offsets), std::move(s->bytes));
  all.positions = std::move(s->positions);
  all.vertices = std::move(s->vertices);
  all.begin = std::move(s->begin);
  return all;
}

}  // namespace gossamer::graph
