#pragma once
// A table that an Arrow stream gave: its columns in chunks, read where they lie. The table owns what the producer made, until its end.
// Columns of integers and of texts are read; nulls, and other types, are refused by the name of the column and the row.

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_abi.hpp"
#include "gossamer/base/wide_integer.hpp"

namespace gossamer::python {

/// What a column holds.
enum class arrow_kind : std::uint8_t { integers, reals, texts, dates, booleans, decimals, others };

/// Texts of one chunk: utf8, large utf8 or views.
class arrow_texts {
 public:
  /// Reads an array of the format "u", "U" or "vu".
  arrow_texts(const arrow_array& from, std::string_view format);
  /// Returns the text at a place of the buffers, the array's offset included. Valid as long as the array.
  std::string_view operator[](std::int64_t i) const;

 private:
  enum class layout : std::uint8_t { narrow, wide, views };
  const void* const* buffers_;
  layout is_;
};

/// Some rows of a column.
struct arrow_chunk {
  const arrow_array* array;
  std::int64_t begin;  ///< in the buffers: all offsets are included
  std::int64_t size;
};

/// A column of a table. Refers to the table.
class arrow_column {
 public:
  arrow_column(const arrow_schema& type, std::vector<arrow_chunk> chunks)
      : type_(&type), chunks_(std::move(chunks)) {}

  std::string_view name() const { return type_->name != nullptr ? type_->name : ""; }
  arrow_kind kind() const;
  /// Returns the specification's letters for the type.
  std::string_view format() const { return type_->format; }
  /// Returns the letters of the number that a value is: of dates and times that of their count.
  std::string_view number_format() const;
  /// Returns the unit of dates and times, as NumPy has it: D, s, ms, us or ns. Nothing for other columns.
  std::string_view unit() const;
  /// Returns how many digits of decimals are behind the point.
  int scale() const;
  const std::vector<arrow_chunk>& chunks() const { return chunks_; }
  std::uint64_t size() const;

  /// Throws gossamer::error for the first null.
  void refuse_nulls() const;
  /// Calls f(pointer to the values, how many) for each chunk of integers or reals: the pointer has their type. Throws
  /// gossamer::error for other columns.
  template <class F>
  void for_each_chunk(F f) const;
  /// Calls f(text) for each row of a column of texts; of nulls of a dictionary with no text. A dictionary's text is looked up for each row. Throws gossamer::error for other
  /// columns.
  template <class F>
  void for_each_text(F f) const;
  /// Does the same for some rows, which lie in one chunk.
  template <class F>
  void for_each_text(const arrow_chunk& rows, F f) const;

  /// Returns the rows that are no null, by number.
  std::vector<std::uint64_t> rows_with_values() const;
  /// Returns whether there is a null.
  bool has_nulls() const;
  /// Returns which rows are null, also by their dictionary: bytes other than 0. Nothing where none is.
  std::vector<std::uint8_t> nulls() const;
  /// Returns all values of a column of decimals of 128 bits, without their point; of nulls, any.
  std::vector<wide_integer> decimals() const;
  /// Returns all values of a column of integers, dates or Booleans; of nulls, any. Throws gossamer::error for one of 2^63 and more.
  std::vector<std::int64_t> integers() const;
  /// Throws gossamer::error: the column has another type.
  [[noreturn]] void refuse(std::string_view expected) const;

 private:
  static bool is_null(const arrow_chunk& c, std::int64_t i);
  /// Returns the place in the dictionary, of a row. Throws gossamer::error for one beyond it.
  std::int64_t dictionary_place(const arrow_chunk& chunk, std::int64_t i) const;

  const arrow_schema* type_;
  std::vector<arrow_chunk> chunks_;
};

/// A table.
class arrow_table {
 public:
  /// Reads all of a stream, and ends it. Throws gossamer::error for what the producer says, and for what is no table.
  explicit arrow_table(arrow_array_stream& stream);
  ~arrow_table();
  arrow_table(const arrow_table&) = delete;
  arrow_table& operator=(const arrow_table&) = delete;

  std::size_t columns() const { return static_cast<std::size_t>(schema_.n_children); }
  std::uint64_t rows() const;
  arrow_column column(std::size_t i) const;

 private:
  void release();

  arrow_schema schema_{};
  std::vector<arrow_array> chunks_;
};

/// Returns element i of a buffer, which need not be aligned.
template <class T>
T arrow_load(const void* buffer, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

/// Calls f(T()) with the type of a number, by the specification's letter. Returns false where the format is none of a number.
template <class F>
bool visit_number_type(std::string_view format, F f) {
  if (format.size() != 1) return false;
  switch (format[0]) {
    case 'c':
      return f(std::int8_t{}), true;
    case 'C':
      return f(std::uint8_t{}), true;
    case 's':
      return f(std::int16_t{}), true;
    case 'S':
      return f(std::uint16_t{}), true;
    case 'i':
      return f(std::int32_t{}), true;
    case 'I':
      return f(std::uint32_t{}), true;
    case 'l':
      return f(std::int64_t{}), true;
    case 'L':
      return f(std::uint64_t{}), true;
    case 'f':
      return f(float{}), true;
    case 'g':
      return f(double{}), true;
    default:
      return false;
  }
}

template <class F>
void arrow_column::for_each_chunk(F f) const {
  const auto all = [&]<class T>(T) {
    for (const arrow_chunk& c : chunks_)
      if (c.size != 0)
        f(static_cast<const T*>(c.array->buffers[1]) + c.begin, static_cast<std::uint64_t>(c.size));
  };
  if (type_->dictionary != nullptr || !visit_number_type(number_format(), all)) refuse("numbers");
}

template <class F>
void arrow_column::for_each_text(F f) const {
  if (kind() != arrow_kind::texts) refuse("texts");
  for (const arrow_chunk& c : chunks_) for_each_text(c, f);
}

template <class F>
void arrow_column::for_each_text(const arrow_chunk& rows, F f) const {
  if (rows.size == 0) return;  // its buffers may be null
  if (type_->dictionary != nullptr) {
    const arrow_array& all = *rows.array->dictionary;
    const arrow_texts words(all, type_->dictionary->format);
    for (std::int64_t i = 0; i < rows.size; ++i) {
      const std::int64_t place = is_null(rows, i) ? -1 : dictionary_place(rows, i);
      const bool has_word = place >= 0 && !is_null({&all, all.offset, all.length}, place);
      f(has_word ? words[all.offset + place] : std::string_view(""));
    }
    return;
  }
  const arrow_texts texts(*rows.array, format());
  for (std::int64_t i = 0; i < rows.size;
       ++i)  // behind a null may be anything, also a place outside the buffers
    f(is_null(rows, i) ? std::string_view("") : texts[rows.begin + i]);
}

}  // namespace gossamer::python
