#include "arrow_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer::python {
namespace {

bool is_text(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }
bool is_integer(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos;
}

/// Returns whether a format is that of decimals of 128 bits: "d:digits,scale" and perhaps ",128".
bool is_decimal(std::string_view format) {
  if (!format.starts_with("d:")) return false;
  return std::ranges::count(format, ',') == 1 || format.ends_with(",128");
}

bool bit(const void* bits, std::int64_t place) {
  return (static_cast<const std::uint8_t*>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

/// Returns the first row that is null, in a chunk's own count. -1: none.
std::int64_t first_null(const arrow_chunk& c) {
  if (c.array->null_count == 0 || c.array->n_buffers == 0 || c.array->buffers[0] == nullptr) return -1;
  for (std::int64_t i = 0; i < c.size; ++i)
    if (!bit(c.array->buffers[0], c.begin + i)) return i;
  return -1;
}

}  // namespace

arrow_texts::arrow_texts(const arrow_array& from, std::string_view format)
    : buffers_(from.buffers),
      is_(format == "u"   ? layout::narrow
          : format == "U" ? layout::wide
                          : layout::views) {}

std::string_view arrow_texts::operator[](std::int64_t i) const {
  const auto cut = [&](auto begin, auto end) {
    if (begin == end) return std::string_view("");  // the buffer may be null where all texts are empty
    return std::string_view(static_cast<const char*>(buffers_[2]) + begin,
                            static_cast<std::size_t>(end - begin));
  };
  if (is_ == layout::narrow)
    return cut(arrow_load<std::int32_t>(buffers_[1], i), arrow_load<std::int32_t>(buffers_[1], i + 1));
  if (is_ == layout::wide)
    return cut(arrow_load<std::int64_t>(buffers_[1], i), arrow_load<std::int64_t>(buffers_[1], i + 1));
  // A view: its length; up to 12 bytes stand behind it, others in a buffer: 4 bytes of them, then buffer and offset.
  const char* const view = static_cast<const char*>(buffers_[1]) + i * 16;
  const auto size = static_cast<std::size_t>(arrow_load<std::int32_t>(view, 0));
  if (size <= 12) return {view + 4, size};
  const auto* const data = static_cast<const char*>(buffers_[2 + arrow_load<std::int32_t>(view, 2)]);
  return {data + arrow_load<std::int32_t>(view, 3), size};
}

arrow_kind arrow_column::kind() const {
  if (type_->dictionary != nullptr)
    return is_text(type_->dictionary->format) && is_integer(format()) ? arrow_kind::texts
                                                                      : arrow_kind::others;
  if (is_integer(format())) return arrow_kind::integers;
  if (format() == "f" || format() == "g") return arrow_kind::reals;
  if (format() == "b") return arrow_kind::booleans;
  if (!unit().empty()) return arrow_kind::dates;
  if (is_decimal(format())) return arrow_kind::decimals;
  return is_text(format()) ? arrow_kind::texts : arrow_kind::others;
}

std::string_view arrow_column::unit() const {
  const std::string_view f = format();
  if (f == "tdD") return "D";
  if (f == "tdm" || f.starts_with("tsm:")) return "ms";
  if (f.starts_with("tss:")) return "s";
  if (f.starts_with("tsu:")) return "us";
  return f.starts_with("tsn:") ? "ns" : "";
}

std::string_view arrow_column::number_format() const {
  if (unit().empty()) return format();
  return format() == "tdD" ? "i" : "l";
}

bool arrow_column::has_nulls() const {
  return std::ranges::any_of(chunks_, [](const arrow_chunk& c) { return first_null(c) >= 0; });
}

int arrow_column::scale() const {
  const std::string_view f = format();
  return std::atoi(std::string(f.substr(f.find(',') + 1)).c_str());
}

bool arrow_column::is_null(const arrow_chunk& c, std::int64_t i) {
  return c.array->null_count != 0 && c.array->n_buffers != 0 && c.array->buffers[0] != nullptr &&
         !bit(c.array->buffers[0], c.begin + i);
}

std::vector<std::uint8_t> arrow_column::nulls() const {
  std::vector<std::uint8_t> all;
  bool any = false;
  all.reserve(size());
  for (const arrow_chunk& c : chunks_) {
    const arrow_array* const words = type_->dictionary != nullptr ? c.array->dictionary : nullptr;
    const bool words_have = words != nullptr && first_null({words, words->offset, words->length}) >= 0;
    for (std::int64_t i = 0; i < c.size; ++i) {
      bool null = is_null(c, i);
      if (!null && words_have) null = first_null({words, words->offset + dictionary_place(c, i), 1}) >= 0;
      all.push_back(null ? 1 : 0);
      any |= null;
    }
  }
  if (!any) all.clear();
  return all;
}

std::vector<wide_integer> arrow_column::decimals() const {
  if (kind() != arrow_kind::decimals) refuse("decimals");
  std::vector<wide_integer> all;
  all.reserve(size());
  for (const arrow_chunk& c : chunks_)
    for (std::int64_t i = 0; i < c.size; ++i)
      all.push_back(arrow_load<wide_integer>(c.array->buffers[1], c.begin + i));
  return all;
}

std::vector<std::uint64_t> arrow_column::rows_with_values() const {
  std::vector<std::uint64_t> rows;
  std::uint64_t before = 0;
  for (const arrow_chunk& c : chunks_) {
    const bool all = first_null(c) < 0;
    for (std::int64_t i = 0; i < c.size; ++i)
      if (all || bit(c.array->buffers[0], c.begin + i))
        rows.push_back(before + static_cast<std::uint64_t>(i));
    before += static_cast<std::uint64_t>(c.size);
  }
  return rows;
}

std::uint64_t arrow_column::size() const {
  std::uint64_t sum = 0;
  for (const arrow_chunk& c : chunks_) sum += static_cast<std::uint64_t>(c.size);
  return sum;
}

void arrow_column::refuse(std::string_view expected) const {
  throw error(fmt::format("column {}: expected {}, found the Arrow type \"{}\"{}", name(), expected, format(),
                          type_->dictionary != nullptr ? " of a dictionary" : ""));
}

void arrow_column::refuse_nulls() const {
  std::int64_t before = 0;
  for (const arrow_chunk& c : chunks_) {
    std::int64_t row = first_null(c);
    if (row < 0 && type_->dictionary != nullptr && c.size != 0) {
      const arrow_array& words = *c.array->dictionary;
      if (first_null({&words, words.offset, words.length}) >= 0)
        for (std::int64_t i = 0; i < c.size && row < 0; ++i)
          if (first_null({&words, words.offset + dictionary_place(c, i), 1}) >= 0) row = i;
    }
    if (row >= 0)
      throw error(fmt::format("column {}, row {}: expected a value, found null", name(), before + row));
    before += c.size;
  }
}

std::int64_t arrow_column::dictionary_place(const arrow_chunk& c, std::int64_t i) const {
  const void* const places = c.array->buffers[1];
  const std::int64_t at = c.begin + i;
  std::int64_t place = -1;
  visit_number_type(format(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) place = static_cast<std::int64_t>(arrow_load<T>(places, at));
  });
  if (place < 0 || place >= c.array->dictionary->length)
    throw error(fmt::format("column {}: expected a place in the dictionary, below {}, found {}", name(),
                            c.array->dictionary->length, place));
  return place;
}

std::vector<std::int64_t> arrow_column::integers() const {
  const bool is_booleans = kind() == arrow_kind::booleans;
  if (kind() != arrow_kind::integers && kind() != arrow_kind::dates && !is_booleans) refuse("integers");
  std::vector<std::int64_t> all;
  all.reserve(size());
  if (is_booleans) {
    for (const arrow_chunk& c : chunks_)
      for (std::int64_t i = 0; i < c.size; ++i) all.push_back(bit(c.array->buffers[1], c.begin + i) ? 1 : 0);
    return all;
  }
  for_each_chunk([&]<class T>(const T* values, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      const T value = arrow_load<T>(values, static_cast<std::int64_t>(i));
      if constexpr (std::is_same_v<T, std::uint64_t>)
        if (value >> 63 != 0)
          throw error(
              fmt::format("column {}, row {}: expected less than 2^63, found {}", name(), all.size(), value));
      all.push_back(static_cast<std::int64_t>(value));
    }
  });
  return all;
}

arrow_table::arrow_table(arrow_array_stream& stream) {
  const auto fail = [&] {
    const char* const why = stream.get_last_error(&stream);
    const std::string text = why != nullptr ? why : "the producer does not say why";
    throw error(fmt::format("reading an Arrow stream: {}", text));
  };
  struct releases {
    arrow_array_stream& stream;
    arrow_table* table;  // null: complete
    ~releases() {
      stream.release(&stream);
      if (table != nullptr) table->release();
    }
  } end{stream, this};
  if (stream.get_schema(&stream, &schema_) != 0) fail();
  if (std::string_view(schema_.format) != "+s")
    throw error(fmt::format("expected a table, found an Arrow stream of the type \"{}\"", schema_.format));
  for (;;) {
    arrow_array next{};
    if (stream.get_next(&stream, &next) != 0) fail();
    if (next.release == nullptr) break;
    chunks_.push_back(next);
    if (next.n_children != schema_.n_children)
      throw error(
          fmt::format("expected {} columns in each chunk, found {}", schema_.n_children, next.n_children));
    if (const std::int64_t row = first_null({&next, next.offset, next.length}); row >= 0)
      throw error(fmt::format("row {} of a chunk: expected values, found null", row));
  }
  end.table = nullptr;
}

arrow_table::~arrow_table() { release(); }

void arrow_table::release() {
  for (arrow_array& each : chunks_)
    if (each.release != nullptr) each.release(&each);
  chunks_.clear();
  if (schema_.release != nullptr) schema_.release(&schema_);
}

std::uint64_t arrow_table::rows() const {
  std::uint64_t sum = 0;
  for (const arrow_array& each : chunks_) sum += static_cast<std::uint64_t>(each.length);
  return sum;
}

arrow_column arrow_table::column(std::size_t i) const {
  std::vector<arrow_chunk> chunks;
  for (const arrow_array& each : chunks_) {
    const arrow_array& values = *each.children[i];
    chunks.push_back({&values, values.offset + each.offset, each.length});
  }
  return {*schema_.children[i], std::move(chunks)};
}

}  // namespace gossamer::python
