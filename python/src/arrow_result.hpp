#pragma once
// Results as an Arrow stream, for all that reads __arrow_c_stream__: the other direction of arrow_table.hpp. What the consumer
// takes is kept until it releases it, from any thread, without Python.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arrow_abi.hpp"

namespace gossamer::python {

/// Texts as Arrow has them in its large utf8: side by side, and where each begins.
struct result_texts {
  std::vector<std::int64_t> offsets{0};
  std::string bytes;

  /// Appends a text. It must be UTF-8.
  void add(std::string_view text) {
    bytes.append(text);
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

/// A column of a result.
struct result_column {
  std::string name;
  std::variant<std::vector<std::int64_t>, std::vector<double>, result_texts> values;
  std::string format =
      {};  // of integers that are counts of time: "tss:" for seconds. Empty: as the values are
  std::vector<std::uint8_t> valid = {};  // one bit per row, as Arrow has them; empty: no row is null
  std::int64_t nulls = 0;  // how many rows are null

  std::int64_t size() const;

  /// Makes a row null.
  void set_null(std::int64_t row);
};

/// Returns a stream of one chunk with these columns, which have the same number of rows. The caller releases it.
arrow_array_stream stream_of(std::vector<result_column> columns);

}  // namespace gossamer::python
