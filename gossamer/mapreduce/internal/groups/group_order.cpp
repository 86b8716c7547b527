#include "gossamer/mapreduce/internal/groups/group_order.hpp"

#include <bit>
#include <cmath>

namespace gossamer::mapreduce {

group_value result_in(const group_plan& p, std::size_t r, const std::uint64_t* row) {
  using type = group_value::type;
  const group_plan::result& result = p.result_of[r];
  if (result.what == aggregate::count) return {type::integer, {}, static_cast<std::int64_t>(row[0]), 0};
  if (result.what == aggregate::distinct)
    return {type::integer, {}, static_cast<std::int64_t>(row[result.word]), 0};
  const group_plan::input& in = p.of[result.input];
  const std::uint64_t count = row[in.count];
  if (count == 0) return {};
  if (result.what == aggregate::mean) {
    // Where the sum is a double, its quotient is rounded once. Else more digits, so that it is rounded once, nearly always.
    if (in.real && std::bit_cast<double>(row[in.sum + 1]) == 0)
      return {type::real, {}, 0, std::bit_cast<double>(row[in.sum]) / static_cast<double>(count)};
    const long double sum = in.real ? static_cast<long double>(std::bit_cast<double>(row[in.sum])) +
                                          static_cast<long double>(std::bit_cast<double>(row[in.sum + 1]))
                                    : static_cast<long double>(static_cast<std::int64_t>(row[in.sum]));
    return {type::real, {}, 0, static_cast<double>(sum / static_cast<long double>(count))};
  }
  const std::uint64_t word = row[result.what == aggregate::sum       ? in.sum
                                 : result.what == aggregate::minimum ? in.minimum
                                                                     : in.maximum];
  if (in.real) return {type::real, {}, 0, std::bit_cast<double>(word)};
  return {type::integer, {}, static_cast<std::int64_t>(word), 0};
}

int group_order::compare_results(const std::uint64_t* a, const std::uint64_t* b) const {
  const group_value x = result_in(plan, by.column - plan.keys, a);
  const group_value y = result_in(plan, by.column - plan.keys, b);
  const auto none = [](const group_value& v) {
    return v.is == group_value::type::none || std::isnan(v.real);
  };
  const bool no_x = none(x), no_y = none(y);
  if (no_x || no_y) return compare(no_x, no_y);
  const int c = x.is == group_value::type::integer ? compare(x.integer, y.integer) : compare(x.real, y.real);
  return by.descending ? -c : c;
}

std::uint64_t group_order::field_code(std::string_view key, std::size_t k, unsigned level) const {
  const std::string_view field = key_field(key, k, plan.keys);
  if ((numeric_keys >> k & 1) == 0) return text_code(field, level);
  return level == 0 ? ordered_key<double, false>::encode(io::parse_double(field).value + 0.0)
                    : 0;  // of zeros one
}

std::uint64_t group_order::result_code(const std::uint64_t* row) const {
  const group_value v = result_in(plan, by.column - plan.keys, row);
  if (v.is == group_value::type::none || std::isnan(v.real)) return k_last_code;
  const std::uint64_t ascending = v.is == group_value::type::integer
                                      ? ordered_key<std::int64_t, false>::encode(v.integer)
                                      : ordered_key<double, false>::encode(v.real + 0.0);
  return by.descending ? ~ascending : ascending;
}

}  // namespace gossamer::mapreduce
