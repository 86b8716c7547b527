#pragma once
// Cuts delimited text into chunks that begin at record boundaries. With quotes, a line feed ends a record
// only if an even number of quotes precedes it, which a local scan cannot decide. So a first pass counts the
// quotes, in arbitrary chunks and in parallel. Prefix sums determine whether each chunk begins inside quotes,
// and then each chunk finds its first record independently. This is the two-pass method of Ge, Li,
// Eilebrecht, Chandramouli, Kossmann, "Speculative Distributed CSV Data Parsing for Big Data Analytics",
// SIGMOD 2019.
//
//   quotes[k] = count_quotes(text.substr(begin[k], length))          on all cores, a chunk each
//   in_quotes[k] = (quotes[0] + ... + quotes[k - 1]) % 2             on one
//   start[k] = record_start(text, begin[k], in_quotes[k])            on all cores; records of chunk k: from start[k]
//                                                                    up to start[k + 1]

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::io {

/// Returns the number of quotes in the text.
std::uint64_t count_quotes(std::string_view text);

/// Returns the position after the first line feed at or after `from`, for text without quotes. Returns the
/// text's size if there is none.
std::size_t next_record(std::string_view text, std::size_t from);

/// Returns the position after the first line feed of `chunk` that is outside quotes, or the chunk's size if
/// there is none. `in_quotes`: an odd number of quotes precedes the chunk.
std::size_t first_record_after(std::string_view chunk, bool in_quotes);

/// Returns the first position at or after `at` where a record begins, or the text's size if there is none.
/// `in_quotes`: an odd number of quotes precedes `at`; false for text without quotes, for which `quotes` is
/// false.
std::size_t record_start(std::string_view text, std::size_t at, bool in_quotes, bool quotes = true);

/// Returns the number of bytes of the text that are whole records: up to and including the last line feed
/// outside quotes. The text begins with a record. For text that arrives in chunks: the rest is prepended to
/// the next chunk.
std::size_t whole_records(std::string_view text, bool quotes = true);

}  // namespace gossamer::io
