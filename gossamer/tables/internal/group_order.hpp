#pragma once
// The values of a row of results, and the order of rows by any of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/io/numbers.hpp"
#include "gossamer/mapreduce/result_order.hpp"
#include "gossamer/tables/group_by.hpp"
#include "gossamer/tables/internal/group_key.hpp"
#include "gossamer/tables/internal/group_plan.hpp"

namespace gossamer::tables {

/// Returns result `r` of a row. `key` includes the appended texts, which a result may refer to.
group_value result_in(const group_plan& p, std::size_t r, std::string_view key, const std::uint64_t* row);

/// Decodes keys and rows of results into values, in an internal buffer.
class group_values {
 public:
  explicit group_values(const group_plan& plan) : plan_(plan), values_(plan.keys + plan.results) {}
  /// Returns the values of a group. They are valid until the next call, and as long as the key and the words.
  std::span<const group_value> of(std::string_view key, const std::uint64_t* words) {
    const std::string_view group = without_texts(key, plan_.appended);
    for (std::size_t c = 0; c < plan_.keys; ++c)
      values_[c] = {.is = group_value::type::text, .text = key_field(group, c, plan_.keys)};
    for (std::size_t r = 0; r < plan_.results; ++r) values_[plan_.keys + r] = result_in(plan_, r, key, words);
    return values_;
  }

 private:
  const group_plan& plan_;
  std::vector<group_value> values_;
};

/// Compares rows by a column, then by the key. Trivially copyable.
struct group_order {
  group_plan plan;
  grouped_rows::order by;
  std::uint32_t numeric_keys;

  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    if (by.column >= plan.keys) {
      const int c = compare_results(a.key.text(), a.value.words.data(), b.key.text(), b.value.words.data());
      if (c != 0) return c < 0;
    } else if (is_by_bytes()) {
      return mapreduce::key_order{}(a.key, b.key);
    } else {
      const int c = compare_fields(a.key.text(), b.key.text(), by.column);
      if (c != 0) return by.descending ? c > 0 : c < 0;
    }
    const bool turned = by.descending && by.column < plan.keys;
    for (std::uint8_t k = 0; k < plan.keys; ++k)
      if (const int c = compare_fields(a.key.text(), b.key.text(), k); c != 0) return turned ? c > 0 : c < 0;
    return false;
  }

  /// Returns a code of level 0 or 1, as by_key does: of the column, then of the key.
  template <class Slot>
  std::uint64_t code(const Slot& s, unsigned level) const {
    if (by.column >= plan.keys) {
      const std::uint64_t code = result_code(s.key.text(), s.value.words.data());
      if (level == 0) return code;
      return code == k_last_code || !results_have_codes()
                 ? 0
                 : field_code(s.key.text(), 0, 0);  // the last code means no value, and a number
    }
    if (is_by_bytes()) return mapreduce::key_order::code(s.key, level);
    const std::uint64_t ascending = field_code(s.key.text(), by.column, level);
    return by.descending ? ~ascending : ascending;
  }

 private:
  /// Returns whether the order compares the bytes of whole keys.
  bool is_by_bytes() const {
    return plan.keys == 1 && plan.appended == 0 && numeric_keys == 0 && !by.descending;
  }
  std::string_view field_in(std::string_view key, std::size_t k) const {
    return key_field(without_texts(key, plan.appended), k, plan.keys);
  }
  int compare_fields(std::string_view a, std::string_view b, std::size_t k) const {
    const std::string_view x = field_in(a, k), y = field_in(b, k);
    if ((numeric_keys >> k & 1) != 0)
      if (const int c = io::compare(io::parse_exact(x), io::parse_exact(y)); c != 0) return c;
    return x.compare(y);
  }
  static constexpr std::uint64_t k_last_code = ~std::uint64_t{0};
  int compare_results(std::string_view a_key, const std::uint64_t* a, std::string_view b_key,
                      const std::uint64_t* b) const;
  std::uint64_t field_code(std::string_view key, std::size_t k, unsigned level) const;
  std::uint64_t result_code(std::string_view key, const std::uint64_t* row) const;
  bool results_have_codes() const;  // equal codes mean equal results
};

}  // namespace gossamer::tables
