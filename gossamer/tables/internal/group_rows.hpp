#pragma once
// The groups of a query, distributed over the cores. The interface is independent of the size of rows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/text_input.hpp"
#include "gossamer/mapreduce/map_reduce_options.hpp"
#include "gossamer/tables/group_by.hpp"
#include "gossamer/tables/internal/group_plan.hpp"
#include "gossamer/tables/internal/group_reader.hpp"

namespace gossamer::tables {

/// Groups whose rows have a fixed number of words. One fiber calls each function; it suspends.
struct group_rows {
  virtual ~group_rows() = default;
  virtual std::uint64_t size() const = 0;
  /// Makes one pass over the text. Returns false if it has to be repeated.
  virtual bool run(const opened_text& text, const group_reader& reader, const map_reduce_options& o) = 0;
  /// Counts the different fields of result `r` in each group: makes another pass over the text.
  virtual void count_distinct(const opened_text& text, const group_reader& reader, std::uint8_t r,
                              const map_reduce_options& o) = 0;
  /// Finds the quantile of result `r` in each group, from all its numbers: makes another pass over the text.
  /// Without a memory limit, all numbers are stored separately in memory.
  virtual void find_quantile(const opened_text& text, const group_reader& reader, std::uint8_t r,
                             double share, const map_reduce_options& o) = 0;
  /// Finds the least and the largest text in each group, for a column with long ones: makes another pass over
  /// the text. Call it after the other passes, because it appends to the keys.
  virtual void find_texts(const opened_text& text, const group_reader& reader, std::uint8_t input,
                          const map_reduce_options& o) = 0;
  /// Calls f(key, row) for the first k groups in an order.
  virtual void first(std::uint64_t k, grouped_rows::order by, std::uint32_t numeric_keys,
                     function_ref<void(std::string_view, const std::uint64_t*)> f) const = 0;
  /// Writes all groups in an order: grouped_rows::write().
  virtual void write(grouped_rows::order by, std::uint32_t numeric_keys, const row_output& to,
                     per_process<group_format> format) const = 0;
  /// Returns a bit for each column of the key: whether all its fields are numbers. Reads all keys in the
  /// first call. Call it after run().
  std::uint32_t numeric_keys() {
    if (!numeric_keys_) numeric_keys_ = find_numeric_keys();
    return *numeric_keys_;
  }
  group_plan plan;

 private:
  virtual std::uint32_t find_numeric_keys() const = 0;
  std::optional<std::uint32_t> numeric_keys_;
};

/// Makes groups for rows of this number of words.
std::unique_ptr<group_rows> make_rows(std::size_t words);

}  // namespace gossamer::tables
