#include "gossamer/sort/internal/line_texts.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_cuts.hpp"

namespace gossamer::sorting {

void line_texts::add(std::string_view text, std::uint32_t file) {
  if (text.empty()) return;
  const std::uint64_t unit = bases_.size(), units = ((text.size() - 1) >> k_unit_bits) + 1;
  if (units > k_units - unit)
    throw error("sorting lines: expected at most 1 TiB of text in a process, found more: use more processes");
  const std::uint64_t place = unit << k_unit_bits;
  segments_.push_back({text, place, file});
  bases_.resize(unit + units, reinterpret_cast<std::uintptr_t>(text.data()) - place);
  bytes_ += text.size();
}

void line_texts::clear() { *this = {}; }

const line_texts::segment& line_texts::segment_of(std::uint64_t place) const {
  return *(std::ranges::upper_bound(segments_, place, {}, &segment::place) - 1);
}

std::string_view line_texts::long_line(std::uint64_t line, bool quotes) const {
  const std::uint64_t place = place_of(line);
  const segment& from = segment_of(place);
  const std::string_view rest = from.text.substr(place - from.place);
  return rest.substr(0, record_length(rest, quotes));
}

std::size_t record_length(std::string_view text, bool quotes) {
  if (!quotes) return std::min(text.find('\n'), text.size());
  const std::size_t end = io::first_record_after(text, false);
  const std::string_view record = text.substr(0, end);
  // If there is no line end at the end of the text, the record is all of it.
  return record.ends_with('\n') && io::count_quotes(record) % 2 == 0 ? end - 1 : end;
}

}  // namespace gossamer::sorting
