#pragma once
// Every GOSSAMER_ variable of the environment, in one table: what it is called, and which values it may have.
// A variable that is not in it is a slip (GOSSAMER_CORE for GOSSAMER_CORES), which would change nothing
// without a word. The table also names those that only tests and tools read. docs/settings.md describes what
// jobs read.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/options.hpp"

namespace gossamer {

struct setting {
  enum class kind { text, number, bytes, choice };
  enum class reader {
    job,
    tool,
    test
  };  // tool: programs beside the library, build systems; test: tests only

  std::string_view name;
  kind holds = kind::text;
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::string_view> choices = {};
  reader read_by = reader::job;
};

/// Returns all settings, in the same order in every process.
std::span<const setting> settings();

/// Returns the value of a setting in the table (asserted): a number, bytes, or the position among its
/// choices. Returns nothing where the setting is not set. Throws gossamer::error where the value does not
/// fit.
std::optional<std::uint64_t> read_setting(const options& given, std::string_view name);

/// Throws gossamer::error, of one line, for the first of `names` that begins with GOSSAMER_ and is not in the
/// table, with the nearest name; then for a value in `given` that does not fit. Texts are not looked at: what
/// reads them checks them. Some microseconds.
void check_settings(const options& given, std::span<const std::string> names);

/// Does the same as check_settings(given, names) for the environment. Not while another thread changes the
/// environment (setenv).
void check_settings();

}  // namespace gossamer
