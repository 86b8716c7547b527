#include "row_keys.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <type_traits>
#include <utility>

#include "gossamer/parallel/loop.hpp"

namespace gossamer::python {
namespace {

constexpr std::uint64_t k_block_rows = 1 << 14;

}  // namespace

std::size_t row_keys::field::most_bytes(std::uint64_t row) const {
  return integers ? bytes : 2 * texts[row].size() + 2;
}

char* row_keys::field::write(std::uint64_t row, char* to) const {
  if (integers) {
    const std::uint64_t distance = range.distance(integers->all()[row]);
    for (unsigned b = bytes; b-- > 0;) *to++ = static_cast<char>(distance >> (8 * b));
    return to;
  }
  std::string_view text = texts[row];
  if (last) return std::ranges::copy(text, to).out;
  for (std::size_t zero; (zero = text.find('\0')) != text.npos; text.remove_prefix(zero + 1)) {
    to = std::ranges::copy(text.substr(0, zero + 1), to).out;
    *to++ = 1;
  }
  to = std::ranges::copy(text, to).out;
  *to++ = 0;
  *to++ = 0;
  return to;
}

std::int64_t row_keys::field::take_integer(std::string_view& from) const {
  std::uint64_t distance = 0;
  for (unsigned b = 0; b < bytes; ++b) distance = distance << 8 | static_cast<unsigned char>(from[b]);
  from.remove_prefix(bytes);
  return range.at(distance);
}

std::string row_keys::field::take_text(std::string_view& from) const {
  if (last) return std::string(std::exchange(from, {}));
  std::string text;
  for (;;) {
    const std::size_t zero = from.find('\0');
    const bool end = from[zero + 1] == 0;
    text.append(from.substr(0, end ? zero : zero + 1));
    from.remove_prefix(zero + 2);
    if (end) return text;
  }
}

row_keys::row_keys(const std::vector<arrow_column>& columns) {
  for (const arrow_column& c : columns) {
    c.refuse_nulls();
    field& f = fields_.emplace_back();
    if (c.kind() == arrow_kind::integers) {
      f.integers.emplace(c);
      if (columns.size() == 1) continue;
      f.range = range_of(f.integers->all());
      f.bytes = static_cast<unsigned>(std::bit_width(f.range.last) + 7) / 8;
    } else {
      std::vector<std::string_view> texts;
      texts.reserve(c.size());
      c.for_each_text([&](std::string_view text) { texts.push_back(text); });
      f.texts = std::move(texts);
    }
  }
  fields_.back().last = true;
  are_integers_ = std::ranges::all_of(fields_, [](const field& f) { return f.integers.has_value(); }) &&
                  ranges_fit_a_number();
  if (fields_.size() > 1) {
    if (are_integers_)
      make_numbers(columns[0].size());
    else
      make_texts(columns[0].size());
  } else if (are_integers_) {
    integers_ = fields_[0].integers->all();
  } else {
    texts_ = fields_[0].texts;
  }
}

bool row_keys::ranges_fit_a_number() const {
  unsigned __int128 product = 1;
  for (const field& f : fields_) {
    product *= static_cast<unsigned __int128>(f.range.last) + 1;  // at most 2^63 times 2^64
    if (product > std::uint64_t{1} << 63) return false;
  }
  return true;
}

void row_keys::make_numbers(std::uint64_t rows) {
  numbers_ = std::make_unique_for_overwrite<std::int64_t[]>(rows);
  integers_ = {numbers_.get(), rows};
  local::forall_chunks(
      0, rows, k_block_rows,
      [fields = std::span<const field>(fields_), numbers = numbers_.get()](std::uint64_t begin,
                                                                           std::uint64_t end) {
        std::fill(numbers + begin, numbers + end, 0);
        for (const field& f : fields) {
          const std::int64_t* const values = f.integers->all().data();
          for (std::uint64_t i = begin; i < end; ++i)
            numbers[i] = static_cast<std::int64_t>(
                static_cast<std::uint64_t>(numbers[i]) * (f.range.last + 1) + f.range.distance(values[i]));
        }
      });
}

void row_keys::make_texts(std::uint64_t rows) {
  views_ = std::make_unique_for_overwrite<std::string_view[]>(rows);
  texts_ = {views_.get(), rows};
  blocks_.resize((rows + k_block_rows - 1) / k_block_rows);
  local::forall_chunks(0, blocks_.size(), 1,
                       [fields = std::span<const field>(fields_), views = views_.get(),
                        blocks = blocks_.data(), rows](std::uint64_t block, std::uint64_t) {
                         const std::uint64_t begin = block * k_block_rows,
                                             end = std::min(rows, begin + k_block_rows);
                         std::size_t most = 0;
                         for (const field& f : fields)
                           for (std::uint64_t i = begin; i < end; ++i) most += f.most_bytes(i);
                         blocks[block] = std::make_unique_for_overwrite<char[]>(most);
                         char* at = blocks[block].get();
                         for (std::uint64_t i = begin; i < end; ++i) {
                           const char* const from = at;
                           for (const field& f : fields) at = f.write(i, at);
                           views[i] = {from, static_cast<std::size_t>(at - from)};
                         }
                       });
}

std::vector<key_column> row_keys::columns_of(std::vector<std::int64_t> keys) const {
  if (fields_.size() == 1) {
    std::vector<key_column> one;
    one.emplace_back(std::move(keys));
    return one;
  }
  std::vector<key_column> columns(fields_.size());
  for (std::size_t c = fields_.size(); c-- > 0;) {  // the last column is the lowest digit
    const integer_range& range = fields_[c].range;
    std::vector<std::int64_t> values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto key = static_cast<std::uint64_t>(keys[i]);
      values[i] = range.at(key % (range.last + 1));
      keys[i] = static_cast<std::int64_t>(key / (range.last + 1));
    }
    columns[c] = std::move(values);
  }
  return columns;
}

std::vector<key_column> row_keys::columns_of(std::vector<std::string> keys) const {
  std::vector<key_column> columns;
  if (fields_.size() == 1) {
    columns.emplace_back(std::move(keys));
    return columns;
  }
  std::vector<std::string_view> rest(keys.begin(), keys.end());
  for (const field& f : fields_) {
    const auto take_each = [&](auto take) {
      std::vector<std::invoke_result_t<decltype(take), const field&, std::string_view&>> values;
      for (std::string_view& key : rest) values.push_back(std::invoke(take, f, key));
      columns.emplace_back(std::move(values));
    };
    f.integers ? take_each(&field::take_integer) : take_each(&field::take_text);
  }
  return columns;
}

}  // namespace gossamer::python
