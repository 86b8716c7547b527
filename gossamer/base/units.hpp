#pragma once
// Numbers as people write them: bytes, counts, durations. Independent of the locale.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer {

/// Formats bytes: "0 B", "512 B", "12.4 GiB". Uses powers of 1024, with one digit after the point from KiB
/// on.
std::string format_bytes(std::uint64_t bytes);

/// Formats a count: "15,728,640".
std::string format_count(std::uint64_t n);

/// Formats a sum of weights: whole numbers up to 2^53 in full ("1,234,567"), others with six digits.
std::string format_sum(double sum);

/// Formats a duration in three figures: "850 ns", "12.3 us", "4.56 ms", "7.89 s", "2 min 05 s", "3 h 07 min".
std::string format_duration(double seconds);

/// Formats a share: "12.3 %"; "-" where the whole is 0.
std::string percent(double part, double whole);

/// Formats a count with its noun: "1 vertex", "2 vertices".
std::string plural(std::uint64_t n, std::string_view one, std::string_view many);

/// Parses bytes: "65536", "64K", "1.5G", "2 MiB", "10 kb". Units are powers of 1024, in any case. Returns
/// nothing where the text is no such thing, is negative, or does not fit.
std::optional<std::uint64_t> try_parse_bytes(std::string_view text) noexcept;

/// Does the same as try_parse_bytes(), but throws gossamer::error where that returns nothing: `expected bytes
/// such as 4096, 64K or 1.5G, found "x"`.
std::uint64_t parse_bytes(std::string_view text);

/// Quotes a text for an error line, so that any garbage stays on one line. Writes double quotes, control and
/// non-ASCII bytes as \xNN, and "..." after `most` bytes.
std::string in_quotes(std::string_view text, std::size_t most = 60);

/// Shortens a text of more than `most` bytes: keeps its begin and more of its end, with "..." between them. Cuts no
/// character of UTF-8. `most` is at least 3.
std::string abridged(std::string_view text, std::size_t most);

}  // namespace gossamer
