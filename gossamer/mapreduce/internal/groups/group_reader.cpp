#include "gossamer/mapreduce/internal/groups/group_reader.hpp"

#include <bit>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"

namespace gossamer::mapreduce {

void row_combiner::overflow(std::uint8_t word) const {
  const std::vector<std::string>& names = state_.here().names;
  const std::uint32_t column = columns[word];
  throw error(fmt::format("the sum of column {} exceeds 64 bits in a group",
                          column < names.size() ? names[column] : std::to_string(column + 1)));
}

/// Returns where the records of a piece begin: behind mark and header, at the beginning of a file.
std::size_t group_reader::beginning(const text_piece& piece) const {
  if (piece.begin != 0 || piece.share_begin != 0) return 0;
  if (!header) return io::byte_order_mark(piece.text);
  return io::skip_header(piece.text, format, state.here().names, *piece.path);
}

/// Fills a neutral row from the fields of a record. `bad`: the field that is no number.
group_reader::outcome group_reader::fill(std::uint64_t* row, std::span<const std::string_view> fields,
                                         std::uint8_t& bad) const {
  row[0] = 1;
  for (std::uint8_t i = 0; i < plan.inputs; ++i) {
    const group_plan::input& in = plan.of[i];
    const std::string_view field = fields[in.field];
    if (field.empty()) continue;
    std::uint64_t word;
    if (in.real) {
      const auto number = io::parse_double(field);
      bad = in.field;
      if (number.state != io::number_state::ok) return outcome::bad;
      word = std::bit_cast<std::uint64_t>(number.value);
    } else {
      const auto number = io::parse_integer(field);
      if (number.state != io::number_state::ok) [[unlikely]] {
        bad = in.field;
        if (io::parse_double(field).state != io::number_state::ok) return outcome::bad;
        state.here().real_inputs.fetch_or(1U << i, std::memory_order_relaxed);
        return outcome::again;
      }
      word = static_cast<std::uint64_t>(number.value);
    }
    row[in.count] = 1;
    if (in.sum != group_plan::k_none) row[in.sum] = word;
    if (in.minimum != group_plan::k_none) row[in.minimum] = word;
    if (in.maximum != group_plan::k_none) row[in.maximum] = word;
  }
  return outcome::ok;
}

}  // namespace gossamer::mapreduce
