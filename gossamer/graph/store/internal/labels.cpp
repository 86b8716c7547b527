#include "gossamer/graph/store/internal/labels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/store/internal/label_index.hpp"

namespace gossamer::graph {
namespace {

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

struct distances {
  std::size_t whole;  // edit distance (Levenshtein) between both texts
  std::size_t start;  // edit distance between the text and the nearest prefix of the name
};

// Returns both distances. Stops when no longer prefix of `name` can come within `most`: `whole` is most + 1
// then.
distances edit_distances(std::string_view text, std::string_view name, std::size_t most,
                         std::vector<std::size_t>& column) {
  column.resize(text.size() + 1);
  for (std::size_t i = 0; i <= text.size(); ++i) column[i] = i;
  std::size_t start = text.size();
  for (std::size_t j = 1; j <= name.size(); ++j) {
    std::size_t diagonal = column[0], least = column[0] = j;
    for (std::size_t i = 1; i <= text.size(); ++i) {
      const std::size_t left = column[i];
      column[i] = std::min({left + 1, column[i - 1] + 1, diagonal + (text[i - 1] != name[j - 1])});
      diagonal = left;
      least = std::min(least, column[i]);
    }
    start = std::min(start, column[text.size()]);
    if (least > most) return {most + 1, start};
  }
  return {column[text.size()], start};
}

struct candidate {
  std::size_t rank;  // smaller is nearer
  std::size_t length;
  vertex_id vertex;
  auto operator<=>(const candidate&) const = default;
};

// Keeps the k smallest, in a heap with the worst on top.
void offer(std::vector<candidate>& best, std::size_t k, const candidate& c) {
  if (best.size() == k) {
    if (!(c < best.front())) return;
    std::pop_heap(best.begin(), best.end());
    best.pop_back();
  }
  best.push_back(c);
  std::push_heap(best.begin(), best.end());
}

}  // namespace

labels labels::range(std::uint64_t vertices, std::uint64_t first) {
  labels l;
  l.size_ = vertices;
  l.first_ = first;
  return l;
}

labels labels::integers(std::span<const std::uint64_t> ascending, storage keep) {
  labels l;
  l.form_ = kind::integers;
  l.size_ = ascending.size();
  l.values_ = ascending;
  l.keep_ = std::move(keep);
  return l;
}

labels labels::strings(std::span<const std::uint64_t> offsets, std::span<const char> bytes, storage keep) {
  GOSSAMER_ASSERT(!offsets.empty() && offsets.back() == bytes.size());
  labels l;
  l.form_ = kind::strings;
  l.size_ = offsets.size() - 1;
  l.values_ = offsets;
  l.bytes_ = bytes;
  l.keep_ = std::move(keep);
  l.index_ = std::make_shared<label_index>();
  return l;
}

labels labels::strings(buffer<std::uint64_t> offsets, buffer<char> bytes) {
  struct both {
    buffer<std::uint64_t> offsets;
    buffer<char> bytes;
  };
  const std::span<const std::uint64_t> places = offsets.all();
  const std::span<const char> text = bytes.all();
  return strings(places, text, std::make_shared<both>(both{std::move(offsets), std::move(bytes)}));
}

void labels::append(vertex_id v, std::string& text) const {
  if (form_ == kind::strings) {
    text.append(bytes_.data() + values_[v], values_[v + 1] - values_[v]);
    return;
  }
  std::array<char, 20> digits;
  const std::uint64_t value = form_ == kind::range ? first_ + v : values_[v];
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

std::string labels::label(vertex_id v) const {
  std::string text;
  append(v, text);
  return text;
}

// Compares the last eight bytes first: names of equal length often share a prefix, and differ there.
std::optional<vertex_id> labels::find_string(std::string_view text) const {
  constexpr std::uint64_t k_word = sizeof(std::uint64_t);
  const auto last_word = [](const char* end) {
    std::uint64_t word;
    std::memcpy(&word, end - k_word, k_word);
    return word;
  };
  std::array<char, k_word> padded{}, kept{};  // the end of the text, and the mask of its bytes in a word
  const std::size_t bytes = std::min<std::size_t>(k_word, text.size());
  std::copy(text.end() - static_cast<std::ptrdiff_t>(bytes), text.end(),
            padded.end() - static_cast<std::ptrdiff_t>(bytes));
  std::fill(kept.end() - static_cast<std::ptrdiff_t>(bytes), kept.end(), '\xff');
  const std::uint64_t wanted = last_word(padded.data() + k_word), mask = last_word(kept.data() + k_word);
  for (std::uint64_t v = 0; v < size_; ++v) {
    if (values_[v + 1] - values_[v] != text.size()) continue;
    const bool has_word = values_[v + 1] >= k_word;  // preceded by eight bytes of names
    if (has_word && (last_word(bytes_.data() + values_[v + 1]) & mask) != wanted) continue;
    if (this->text(static_cast<vertex_id>(v)) == text) return static_cast<vertex_id>(v);
  }
  return std::nullopt;
}

std::optional<vertex_id> labels::find(std::string_view text) const {
  if (form_ == kind::strings) {
    const label_table* const table = index_->table_of(*this);
    return table ? table->find(*this, text) : find_string(text);
  }
  const auto value = parse_integer(text);
  if (!value) return std::nullopt;
  if (form_ == kind::range) {
    if (*value < first_ || *value - first_ >= size_) return std::nullopt;
    return static_cast<vertex_id>(*value - first_);
  }
  const auto found = std::lower_bound(values_.begin(), values_.end(), *value);
  if (found == values_.end() || *found != *value) return std::nullopt;
  return static_cast<vertex_id>(found - values_.begin());
}

namespace {

std::vector<candidate> near_strings(const labels& l, std::string_view text, std::size_t k) {
  std::vector<candidate> best;
  std::vector<std::size_t> column;
  const std::size_t most = std::max<std::size_t>(2, text.size() / 3);
  const auto offsets = l.values();
  for (std::uint64_t v = 0; v < l.size(); ++v) {
    const std::string_view name(l.bytes().data() + offsets[v], offsets[v + 1] - offsets[v]);
    const distances d = edit_distances(text, name, most, column);
    // A completion counts half an edit: "firefox" suggests firefox-esr before firefly.
    const std::size_t rank = text.size() < 3 ? 2 * d.whole : std::min(2 * d.whole, 2 * d.start + 1);
    if (rank <= 2 * most) offer(best, k, {rank, name.size(), static_cast<vertex_id>(v)});
  }
  return best;
}

// Returns the k labels nearest to a number. Reads only its neighbours in ascending order.
std::vector<candidate> near_integers(const labels& l, std::uint64_t value, std::size_t k) {
  std::vector<candidate> best;
  const auto at = [&](std::uint64_t v) {
    return l.form() == labels::kind::range ? l.first() + v : l.values()[v];
  };
  std::uint64_t low = 0, high = l.size();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at(middle) < value)
      low = middle + 1;
    else
      high = middle;
  }
  const std::uint64_t begin = low > k ? low - k : 0, end = std::min(l.size(), low + k);
  for (std::uint64_t v = begin; v < end; ++v) {
    const std::uint64_t distance = at(v) > value ? at(v) - value : value - at(v);
    offer(best, k, {distance, 0, static_cast<vertex_id>(v)});
  }
  return best;
}

}  // namespace

std::vector<std::string> labels::nearest(std::string_view text, std::size_t k) const {
  std::vector<candidate> best;
  if (k == 0 || size_ == 0) return {};
  if (form_ == kind::strings)
    best = near_strings(*this, text, k);
  else
    best = near_integers(*this, parse_integer(text).value_or(0), k);
  std::sort(best.begin(), best.end());
  std::vector<std::string> result;
  result.reserve(best.size());
  for (const auto& c : best) result.push_back(label(c.vertex));
  return result;
}

std::uint64_t labels::memory_bytes() const {
  return values_.size_bytes() + bytes_.size_bytes() + (index_ ? index_->memory_bytes() : 0);
}

}  // namespace gossamer::graph
