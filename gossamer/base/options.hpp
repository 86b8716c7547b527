#pragma once
// Typed options from names: by default the environment (GOSSAMER_CORES=4), in tests anything that
// maps a name to a text. A value that does not fit is a gossamer::error of one line:
// GOSSAMER_CORES: expected a number from 1 to 65535, found "x"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

class options {
 public:
  using lookup = std::function<std::optional<std::string>(std::string_view name)>;

  /// Reads the environment. Not while another thread changes it (setenv).
  options();
  explicit options(lookup find);

  /// Returns the value as text. All readers return nothing where the name is not set or set to nothing.
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t least = 0,
                                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  std::optional<double> real(std::string_view name, double least, double most) const;
  /// Reads bytes with units: 64K, 1.5G.
  std::optional<std::uint64_t> bytes(std::string_view name, std::uint64_t least = 0,
                                     std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// Reads 1, yes, true or on as true, and 0, no, false or off as false.
  std::optional<bool> flag(std::string_view name) const;
  /// Returns the position of the value in `choices`.
  std::optional<std::size_t> choice(std::string_view name,
                                    const std::vector<std::string_view>& choices) const;

 private:
  lookup find_;
};

}  // namespace gossamer
