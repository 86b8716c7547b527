#pragma once
// Cuts delimited text into chunks that begin where records begin. With quotes, a line feed ends a record only when an
// even number of quotes stands before it, which no place in a text shows by itself. So the quotes are counted first,
// in chunks of any kind and in parallel. Their sums say for each place whether it is inside quotes, and then each
// chunk finds its first record alone. That is the two-pass form of Ge, Li, Eilebrecht, Chandramouli, Kossmann,
// "Speculative Distributed CSV Data Parsing for Big Data Analytics", SIGMOD 2019.
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

/// Returns the place after the first line feed at or after `from`: for text without quotes. The text's size where
/// there is none.
std::size_t next_record(std::string_view text, std::size_t from);

/// Returns the place after the first line feed of `chunk` that is outside quotes. The chunk's size where there is
/// none. `in_quotes`: an odd number of quotes stands before the chunk.
std::size_t first_record_after(std::string_view chunk, bool in_quotes);

/// Returns the first place at or after `at` where a record begins; the text's size where there is none.
/// `in_quotes`: an odd number of quotes stands before `at`; false for text without quotes, where `quotes` is false.
std::size_t record_start(std::string_view text, std::size_t at, bool in_quotes, bool quotes = true);

/// Returns how many bytes of the text are whole records: up to and with the last line feed outside quotes. The text
/// begins where a record begins. For text that arrives in chunks, of which the rest goes before the next one.
std::size_t whole_records(std::string_view text, bool quotes = true);

}  // namespace gossamer::io
