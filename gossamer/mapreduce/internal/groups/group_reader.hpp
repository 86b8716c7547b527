#pragma once
// Reads the records of a piece of text: the key of each, and its row of results.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/mapreduce/internal/groups/group_key.hpp"
#include "gossamer/mapreduce/internal/groups/group_plan.hpp"
#include "gossamer/mapreduce/internal/groups/row_combiner.hpp"
#include "gossamer/mapreduce/skipped_rows.hpp"
#include "gossamer/mapreduce/text_input.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// What a process knows of a query beside the plan, and what its cores found out about the text.
struct group_state {
  std::string head;  // up to and with the header; process 0's comes to all
  std::vector<std::string> names;  // empty: no header
  std::atomic<std::uint32_t> real_inputs{0};  // bits: columns of numbers that hold others than integers
  std::atomic<bool> quoted_lines{false};  // a piece was cut inside of quotes, or may have been
  bool again() const {
    return real_inputs.load(std::memory_order_relaxed) != 0 || quoted_lines.load(std::memory_order_relaxed);
  }
};

/// What a core needs to read records.
struct group_scratch {
  io::delimited_scratch records = io::delimited_scratch();
  std::string key;
};

/// How records are read: trivially copyable.
struct group_reader {
  group_plan plan;
  io::delimited_format format;
  row_combiner how;
  per_process<group_state> state;
  per_core<group_scratch> scratch;
  per_core<skipped_rows> skipped;
  std::uint64_t header, skip_bad, by_records;  // words: a capture has no undefined bytes at its end

  /// Calls give(key, row, fields) for each record of a piece. Returns false where this pass over the text is in vain.
  template <class Give>
  [[nodiscard]] bool read(const text_piece& piece, Give give) const;

 private:
  enum class outcome : std::uint8_t { ok, bad, again };
  outcome fill(std::uint64_t* row, std::span<const std::string_view> fields, std::uint8_t& bad) const;
  std::size_t beginning(const text_piece& piece) const;
};

template <class Give>
bool group_reader::read(const text_piece& piece, Give give) const {
  group_state& known = state.here();
  if (known.again()) return false;
  group_scratch& mine = scratch.here();
  const std::size_t begin = beginning(piece);
  const auto refuse = [&](std::size_t at, const std::string& what) {
    if (!skip_bad) fail_at(piece, at, what);
    skipped.here().add(piece, at, what);
  };
  std::array<std::uint64_t, group_plan::k_most_words> empty, row;
  how.neutral(empty.data());
  const auto take = [&](const io::delimited_record& r) {
    std::memcpy(row.data(), empty.data(), plan.words * sizeof row[0]);
    std::uint8_t bad = 0;
    if (const outcome came = fill(row.data(), r.fields, bad); came != outcome::ok) [[unlikely]] {
      if (came == outcome::bad)
        refuse(begin + r.at, fmt::format("expected a number in column {}, found \"{}\"",
                                         known.names.empty() ? std::to_string(plan.columns[bad] + 1)
                                                             : known.names[plan.columns[bad]],
                                         r.fields[bad].substr(0, 40)));
      return;
    }
    if (plan.keys == 1) return give(r.fields[plan.key[0]], row.data(), r.fields);
    mine.key.clear();
    for (std::uint8_t k = 0; k < plan.keys; ++k)
      append_key_field(mine.key, r.fields[plan.key[k]], k + 1 == plan.keys);
    give(std::string_view(mine.key), row.data(), r.fields);
  };
  const auto skip = [&](const io::delimited_problem& p) {
    // A piece that was cut inside of quotes has an odd number of them, or the one before it has.
    if (format.quotes && !by_records && io::count_quotes(piece.text) != 0) {
      known.quoted_lines.store(true, std::memory_order_relaxed);
      return false;
    }
    refuse(begin + p.record_at, io::describe(p));
    return true;
  };
  io::read_records(piece.text.substr(begin), format, std::span(plan.columns).first(plan.fields), mine.records,
                   take, skip);
  return !known.again();
}

}  // namespace gossamer::mapreduce
