#pragma once
// The results of further passes over the text: pairs of a group and a field, each once, and how often it
// occurred. The core that has the group also has its pairs (distinct_hash.hpp).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "gossamer/files/text_input.hpp"
#include "gossamer/mapreduce/key_values.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/tables/internal/distinct_hash.hpp"
#include "gossamer/tables/internal/group_reader.hpp"

namespace gossamer::tables {

/// Pairs of a group and a field in the format of distinct_hash, and the number of rows with both.
using found_fields = key_values<std::string_view, std::uint64_t, distinct_hash>;

/// The fields that a pass finds, and their form.
struct wanted_fields {
  enum class form : std::uint64_t {
    texts,  // unchanged
    extremes,  // texts; a core may omit those that are neither the least nor the largest of their group
    integers,  // as 8 bytes that compare like the numbers
    reals,  // the same
  };
  std::uint64_t field;  // index among the fields read
  form as;
};

/// Returns the bytes of a number's code.
inline std::string bytes_of_code(std::uint64_t code) {
  const std::uint64_t highest_first = __builtin_bswap64(code);
  return {reinterpret_cast<const char*>(&highest_first), sizeof highest_first};
}
inline std::uint64_t code_of_bytes(std::string_view bytes) {
  std::uint64_t highest_first;
  std::memcpy(&highest_first, bytes.data(), sizeof highest_first);
  return __builtin_bswap64(highest_first);
}

/// Makes a pass over the text. Skips missing fields. By one fiber; suspends.
found_fields find_fields(const opened_text& text, const group_reader& reader, wanted_fields wanted,
                         const map_reduce_options& o);

}  // namespace gossamer::tables
