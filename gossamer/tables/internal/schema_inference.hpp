#pragma once
// What the first records of a text say of its columns, and the plan for a query of them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/files/text_input.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/tables/group_by.hpp"
#include "gossamer/tables/internal/group_plan.hpp"

namespace gossamer::tables {

/// Returns the head of the first file: whole records, or as much as there is.
std::string whole_head(const opened_text& text, bool quotes);

/// What is seen of the head of the first file, which stays.
class schema_inference {
 public:
  /// Finds separator and columns. Throws gossamer::error for an empty file.
  schema_inference(const group_query& q, const std::string& head);

  bool header() const { return header_; }
  const io::delimited_format& format() const { return format_; }
  const std::vector<std::string>& names() const { return names_; }

  /// Lays out what the query asks for.
  group_plan plan(const group_query& q) const;

  /// Returns the name of a result or a column of the key.
  std::string name_of_column(const std::string& wanted) const;

 private:
  std::uint32_t find(const std::string& name) const;
  [[noreturn]] void refuse_name(const std::string& name) const;
  std::string first_line() const;
  std::string separator_name() const;
  static bool names_columns(const group_query& q, const std::vector<std::string>& first);
  void learn_numbers(group_plan& p) const;

  std::string path_;
  io::delimited_format format_;
  std::vector<std::string> names_;
  std::uint32_t width_ = 0;
  bool header_ = false, is_asked_ = false;  // is_asked_: whether there is a header was said
  std::vector<std::string> first_, nulls_;  // first_: the fields of the first record
  std::string_view records_;
};

}  // namespace gossamer::tables
