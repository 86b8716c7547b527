#pragma once
// The JSON object that --json prints. Its keys stay in the order in which they were set. Only json.cpp
// includes the JSON library.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "output/label.hpp"

namespace gossamer::cli {

class json_object {
 public:
  json_object();
  ~json_object();
  json_object(json_object&&) noexcept;
  json_object& operator=(json_object&&) noexcept;

  /// Sets the value at `path`. A slash enters an inner object, as in "seconds/load"; a missing one is made.
  /// Numbers that are not finite become null. Bytes that are not UTF-8 become replacement characters.
  void set(std::string_view path, std::uint64_t value);
  void set(std::string_view path, double value);
  void set(std::string_view path, bool value);
  void set(std::string_view path, std::string_view value);
  void set(std::string_view path, const char* value) { set(path, std::string_view(value)); }
  void set(std::string_view path, unsigned value) { set(path, std::uint64_t{value}); }
  void set(std::string_view path, const std::vector<std::uint64_t>& values);
  void set_label(std::string_view path, const label& value);
  /// Sets the value of a key that may contain slashes; null for std::monostate.
  void set_key(std::string_view key,
               const std::variant<std::monostate, std::int64_t, double, std::string>& value);
  /// Sets an empty array, so that the key exists even if nothing is appended.
  void set_array(std::string_view path);
  void append(std::string_view path, json_object value);
  void append(std::string_view path, std::string_view text);
  void append(std::string_view path, double value);
  void append_label(std::string_view path, const label& value);

  /// Parses a text as an object. Returns nothing if it is no object.
  static std::optional<json_object> parse(std::string_view text);
  /// Returns the number at `path`; nothing if there is none.
  std::optional<double> number(std::string_view path) const;
  void set(std::string_view path, const json_object& value);
  void set_null(std::string_view path);

  /// Returns the object on one line, so that results can be collected line by line.
  std::string text() const;

 private:
  nlohmann::ordered_json& at(std::string_view path);

  std::unique_ptr<nlohmann::ordered_json> value_;
};

/// Returns a JSON string with its quotes, for rows that are written one by one.
std::string json_quoted(std::string_view raw);

}  // namespace gossamer::cli
