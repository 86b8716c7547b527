#pragma once
// Reads the records of a chunk of text, with the key and the row of results of each.

#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/files/text_input.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/tables/internal/group_key.hpp"
#include "gossamer/tables/internal/group_plan.hpp"
#include "gossamer/tables/internal/known_extremes.hpp"
#include "gossamer/tables/internal/row_combiner.hpp"

namespace gossamer::tables {

/// The position of a chunk in the order of the input.
struct chunk_place {
  std::uint64_t file, block_begin, begin;
  auto operator<=>(const chunk_place&) const = default;
};
inline chunk_place place_in_order(const text_chunk& p) { return {p.file, p.block_begin, p.begin}; }

/// The state of a query in a process, besides the plan, and the facts that its cores learn about the text.
struct group_state {
  std::string head;  // up to and including the header; copied from process 0 to all
  std::vector<std::string> names;  // empty: there is no header
  std::string nulls;  // texts that are no number, each with its end; copied from process 0 to all
  std::atomic<std::uint64_t> learnt{0};  // bits of group_plan::known for each column of numbers
  std::atomic<std::uint64_t> guessed{0};  // the same, from chunks that may have begun inside of quotes
  std::atomic<bool> doubted{false};  // such a chunk has an error, or a new fact
  /// The first chunk with a malformed record, if such records are not skipped. Each core reports the first
  /// one that it finds. Later chunks need not be read. Points to a core's scratch.
  std::atomic<const chunk_place*> failure{nullptr};

  /// Clears the facts. Called between two passes.
  void begin_pass() {
    learnt = guessed = 0;
    doubted = false;
    failure = nullptr;
  }
  bool again() const {
    return learnt.load(std::memory_order_relaxed) != 0 || doubted.load(std::memory_order_relaxed);
  }
  void learn(std::uint8_t input, std::uint8_t known, bool sure = true) {
    (sure ? learnt : guessed)
        .fetch_or(std::uint64_t{known} << (input * group_plan::k_known_bits), std::memory_order_relaxed);
    if (!sure) doubted.store(true, std::memory_order_relaxed);
  }
  /// Reports that a record of a chunk is malformed. `mine` belongs to the core, which sets it once.
  void fail(const chunk_place& mine);
  /// Returns whether a chunk comes after one that failed.
  bool is_behind_failure(const text_chunk& chunk) const {
    const chunk_place* const first = failure.load(std::memory_order_acquire);  // pairs with fail()
    return first != nullptr && *first < place_in_order(chunk);
  }
};

/// Returns the facts that a number implies for its column: bits of group_plan::known.
std::uint8_t known_of(const io::exact_number& number);

/// Returns whether a field resembles a missing value.
bool looks_missing(std::string_view field);

/// Returns the position of the first record of a chunk: at the beginning of a file, after byte-order mark and
/// header.
std::size_t rows_begin(const text_chunk& chunk, bool header, const io::delimited_format& format,
                       std::span<const std::string> names);

/// The working memory of a core that reads records.
struct group_scratch {
  io::delimited_scratch records = io::delimited_scratch();
  std::string key;
  std::optional<chunk_place> failure = {};  // the first one that this core has found
  known_extremes extremes = {};  // for a pass that finds texts
};

/// The parameters for reading records. Trivially copyable.
struct group_reader {
  group_plan plan;
  io::delimited_format format;
  per_process<group_state> state;
  per_core<group_scratch> scratch;
  per_core<skipped_rows> skipped;
  std::uint64_t header, skip_bad, by_records,
      has_nulls;  // words: a capture must not end with padding

  /// Calls give(key, fields) for each record of a chunk, whose row it writes to the words at place(), which is
  /// called for each. Returns false if this pass over the text has to be repeated.
  template <class Place, class Give>
  [[nodiscard]] bool read(const text_chunk& chunk, Place place, Give give) const;
  /// Does the same for callers that need no rows.
  template <class Give>
  [[nodiscard]] bool read(const text_chunk& chunk, Give give) const {
    std::array<std::uint64_t, group_plan::k_most_words> row;
    return read(chunk, [&row] { return row.data(); }, give);
  }

  /// Returns what combines rows. Not a member: a capture travels in a message.
  row_combiner combiner() const { return row_combiner(plan, state); }

  /// Returns whether a field is a text for a missing value. Such texts have no zero byte.
  bool is_null(std::string_view field) const;

 private:
  enum class outcome : std::uint8_t { ok, bad, again };
  outcome fill(std::uint64_t* row, std::span<const std::string_view> fields, bool sure,
               std::uint8_t& bad) const;
  outcome fill_other(std::uint64_t* row, std::uint8_t i, std::string_view field, bool sure) const;
  std::string problem_of(std::uint8_t field, std::string_view text) const;
  bool begins_outside_quotes(const text_chunk& chunk) const {
    return by_records || !format.quotes || (chunk.begin == 0 && chunk.block_begin == 0);
  }
};

template <class Place, class Give>
bool group_reader::read(const text_chunk& chunk, Place place, Give give) const {
  group_state& known = state.here();
  if (known.again() || known.is_behind_failure(chunk)) return false;
  // Unless quotes were counted, a chunk may begin inside of quotes. Facts found there count only after quotes
  // were counted.
  const bool sure = begins_outside_quotes(chunk);
  const auto doubt = [&known] { known.doubted.store(true, std::memory_order_relaxed); };
  if (chunk.begin == 0 && chunk.block_begin == 0 && header && format.quotes && !by_records &&
      io::count_quotes(chunk.text) % 2 != 0)
    return doubt(), false;
  group_scratch& mine = scratch.here();
  const std::size_t begin = rows_begin(chunk, header != 0, format, known.names);
  bool failed = false;
  const auto refuse = [&](std::size_t at, auto what) {
    if (!sure) return doubt();
    if (failed) return;
    skipped.here().add(chunk, at, what);
    if (skip_bad) return;
    failed = true;
    if (mine.failure) return;
    mine.failure = place_in_order(chunk);
    known.fail(*mine.failure);
  };
  std::array<std::uint64_t, group_plan::k_most_words> empty;
  combiner().neutral(empty.data());
  const auto take = [&](const io::delimited_record& r) {
    std::uint64_t* const row = place();
    std::memcpy(row, empty.data(), plan.words * sizeof empty[0]);
    std::uint8_t bad = 0;
    if (const outcome came = fill(row, r.fields, sure, bad); came != outcome::ok) [[unlikely]] {
      if (came == outcome::bad) refuse(begin + r.at, [&] { return problem_of(bad, r.fields[bad]); });
      return;
    }
    if (plan.keys == 1) return give(r.fields[plan.key[0]], r.fields);
    mine.key.clear();
    for (std::uint8_t k = 0; k < plan.keys; ++k)
      append_key_field(mine.key, r.fields[plan.key[k]], k + 1 == plan.keys);
    give(std::string_view(mine.key), r.fields);
  };
  const auto skip = [&](const io::delimited_problem& p) {
    const bool of_fields =
        p.fault == io::delimited_fault::few_fields || p.fault == io::delimited_fault::many_fields;
    if (!sure ||
        (!of_fields && format.quotes && !by_records)) {  // of quotes: the chunk may end inside of them
      doubt();
      return false;
    }
    refuse(begin + p.record_at, [&] { return io::describe(p); });
    return !failed;
  };
  io::read_records(chunk.text.substr(begin), format, std::span(plan.columns).first(plan.fields), mine.records,
                   take, skip);
  return !known.again() && !failed;
}

}  // namespace gossamer::tables
