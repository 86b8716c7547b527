#pragma once
// Errors of system calls as gossamer::error, and small files read whole: helpers of this layer.

#include <optional>
#include <string>
#include <string_view>

namespace gossamer::machine {

/// Throws "<doing> <on>: <text of errno>".
[[noreturn]] void throw_errno(std::string_view doing, std::string_view on, int error_number);

/// Reads a small file (/proc, /sys) whole, without trailing white space. Returns nothing if it cannot be
/// read.
std::optional<std::string> read_small_file(const std::string& path);

/// Returns the text after `key` on the first line of `text` that starts with it, trimmed.
std::optional<std::string> value_after(std::string_view text, std::string_view key);

}  // namespace gossamer::machine
