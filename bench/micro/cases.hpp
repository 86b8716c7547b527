#pragma once
// What is measured: names, sizes and curves of the cases, for ours and the peers alike, so that their rows
// meet. Budgets are ours and stand in the benches.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/kernels/structures.hpp"
#include "micro/measure.hpp"

namespace gossamer::bench {

/// Formats a number as "1,000,000". Does the same as format_count() of the library, which peers do not link.
inline std::string amount(std::uint64_t n) {
  return n < 1000 ? fmt::format("{}", n) : fmt::format("{},{:03}", amount(n / 1000), n % 1000);
}
inline std::string size_of(std::uint64_t bytes) {
  if (bytes >= 1U << 30 && bytes % (1U << 30) == 0) return fmt::format("{} GiB", bytes >> 30);
  if (bytes >= 1U << 20 && bytes % (1U << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 1U << 10 && bytes % (1U << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

// --- fibers: yield, create, wake ------------------------------------------------------------------

inline constexpr std::string_view k_yield_curve = "yield against number of fibers";
inline std::vector<std::uint64_t> yield_fibers(const settings& s) {
  if (s.quick) return {2, 100, 1000};
  return {2, 10, 100, 1000, 10'000, 100'000, 1'000'000};
}
/// Where there are many, stacks of one page (ours; Boost.Fiber's of two): the rest are 64 KiB.
inline constexpr std::uint64_t k_small_stacks_from = 10'000;
inline std::string yield_case(std::uint64_t fibers) { return amount(fibers) + " fibers"; }

inline constexpr std::string_view k_create_case = "create + run + join, reused stack";
inline constexpr std::string_view k_memory_case = "memory per fiber that touched one page";
inline constexpr std::string_view k_wake_case = "wake, same core";
inline constexpr std::string_view k_wake_switch_case = "wake + switch, same core, one way";
inline constexpr std::string_view k_wake_other_case = "wake of another spinning core, one way";
inline constexpr std::string_view k_signal_case = "wake of another core's fiber, the call";
inline constexpr std::size_t k_sleepers = 1000;  // fibers that wait, to be woken one after the other

// --- shared structures: pool, matching ------------------------------------------------------------

inline constexpr std::string_view k_pool_curve = "pool get + return against threads";
inline constexpr std::string_view k_matching_curve = "matching, per operation, against threads";
inline constexpr std::string_view k_first_curve = "matching, first comer's insert, against threads";
inline constexpr std::string_view k_second_curve =
    "matching, second comer's failed insert + erase, against threads";
inline constexpr std::string_view k_cold_pool_curve = "pool get + return, caches emptied, against threads";
inline constexpr std::string_view k_cold_first_curve =
    "matching, first comer's insert, caches emptied, against threads";
inline constexpr std::string_view k_cold_second_curve =
    "matching, second comer's failed insert + erase, caches emptied, against threads";
/// Returns the numbers of threads to measure: up to the paper's 24.
inline std::vector<unsigned> thread_counts(const settings& s) {
  if (s.quick) return {1, 2, 4};
  return {1, 2, 4, 8, 16, 24};
}
inline constexpr std::uint64_t k_pool_packets = 4096;  // in all
inline constexpr std::size_t k_pool_burst = 64;  // most packets that a thread has out
inline constexpr std::uint64_t k_matching_slots = 1 << 16;  // of the table, as in the paper
/// Returns the keys of one thread in it at once, so that those of all threads have room.
inline std::uint64_t matching_burst(unsigned threads) { return threads <= 8 ? 1 << 12 : 1 << 11; }

/// Returns the first key of a thread's burst: (source, tag) in one word.
inline std::uint64_t matching_key(unsigned thread, std::uint64_t tag) {
  return std::uint64_t{thread} << 48 | tag;
}

/// Says, too, where they share processors.
inline std::string threads(unsigned n) {
  if (n == 1) return "1 thread";
  const std::size_t processors = allowed_processors().size();
  return n <= processors
             ? fmt::format("{} threads", n)
             : fmt::format("{} threads on {} processor{}", n, processors, processors == 1 ? "" : "s");
}
inline std::string pool_case(unsigned n) { return "get + return, " + threads(n); }
inline constexpr std::string_view k_pool_stream_case = "one thread gets, the other returns";
inline std::string matching_case(unsigned n) { return "per operation, " + threads(n); }
inline std::string first_case(unsigned n) { return "first comer: insert, " + threads(n); }
inline std::string second_case(unsigned n) { return "second comer: failed insert + erase, " + threads(n); }
inline constexpr std::string_view k_matching_batched_case = "per operation, batched, 1 thread";

// --- messages: pingpong, stream, bandwidth --------------------------------------------------------

inline constexpr std::string_view k_pingpong_case = "8 bytes, two cores, one way";
inline constexpr std::string_view k_pingpong_size_curve = "latency against message size";
inline constexpr std::string_view k_pingpong_fibers_curve = "time per message against fibers per core";
inline constexpr std::string_view k_pingpong_fibers64_curve =
    "time per 64-byte message against fibers per core";
inline std::string pingpong_size_case(std::uint64_t bytes) { return size_of(bytes) + " one way"; }
inline std::string pingpong_fibers_case(std::uint64_t n, std::uint64_t bytes) {
  return fmt::format("{} x {} per core, per message", size_of(bytes), amount(n));
}
inline std::vector<std::uint64_t> message_sizes(const settings& s) {
  if (s.quick) return {8, 1024, 16384};
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t b = 8; b <= 64 << 10; b *= 2) sizes.push_back(b);
  return sizes;
}
inline std::vector<std::uint64_t> pingpong_fibers(const settings& s) {
  if (s.quick) return {16, 256};
  return {2, 4, 8, 16, 128, 1024, 16'384, 131'072, 1'000'000};
}

inline constexpr std::uint64_t k_paper_pairs = 14;  // one thread each, in the paper's figure
inline constexpr std::string_view k_paper_pairs_curve = "time per message against message size, 14 pairs";
inline std::vector<std::uint64_t> paper_sizes(const settings& s) {
  if (s.quick) return {1, 1024};
  return {1, 8, 64, 256, 1024, 4096, 16'384};
}
/// A message that holds a number as far as it is long enough.
class numbered_message {
 public:
  explicit numbered_message(std::size_t bytes)
      : bytes_(bytes), storage_(std::max(bytes, sizeof(std::uint64_t))) {}

  std::byte* data() { return storage_.data(); }
  std::size_t size() const { return bytes_; }
  void set(std::uint64_t n) { std::memcpy(data(), &n, sizeof n); }
  bool holds(std::uint64_t n) const {
    return std::memcmp(storage_.data(), &n, std::min(bytes_, sizeof n)) == 0;
  }

 private:
  std::size_t bytes_;
  std::vector<std::byte> storage_;
};

/// Pairs of fibers that exchange messages through one matching table. Those of 64 bytes grow to a million fibers, and those of 14
/// pairs to 16 KiB, as the figures of the paper do.
struct exchange_size {
  std::uint64_t bytes, pairs;
  std::string_view curve;
  double x;
};
inline constexpr std::string_view k_exchange_pairs_curve =
    "time per 64-byte message through one matching table against pairs";
inline constexpr std::string_view k_exchange_sizes_curve =
    "time per message through one matching table against message size, 14 pairs";
inline std::string exchange_case(const exchange_size& e) {
  return fmt::format("{} x {} per core, per message", size_of(e.bytes), amount(e.pairs));
}
inline constexpr std::string_view k_exchange_processes = "exchange-processes";  // the bench of two processes
/// Returns what is measured, inside a process or between two. most_pairs: what a library has memory or threads for.
inline std::vector<exchange_size> exchange_sizes(const settings& s, std::uint64_t most_pairs) {
  std::vector<exchange_size> all;
  const std::vector<std::uint64_t> pairs =
      s.quick ? std::vector<std::uint64_t>{1, k_paper_pairs}
              : std::vector<std::uint64_t>{1, k_paper_pairs, 128, 1024, 8192, 65'536, 500'000};
  for (const std::uint64_t n : pairs)
    if (n <= most_pairs) all.push_back({64, n, k_exchange_pairs_curve, static_cast<double>(n)});
  for (const std::uint64_t bytes : paper_sizes(s))
    if (bytes != 64)
      all.push_back({bytes, k_paper_pairs, k_exchange_sizes_curve, static_cast<double>(bytes)});
  return all;
}

inline constexpr std::string_view k_stream8_case = "8-byte messages, one core to one, aggregated";
inline constexpr std::string_view k_stream64_case = "64-byte messages, one core to one, aggregated";
inline constexpr std::string_view k_stream_two_sided_case =
    "8-byte messages, one core to one, send and receive";
inline constexpr std::size_t k_stream_window = 64;  // receives open at once

inline constexpr std::string_view k_aggregated_curve = "bandwidth against message size, aggregated";
inline constexpr std::string_view k_unaggregated_curve = "bandwidth against message size, not aggregated";
inline std::string bandwidth_case(std::uint64_t bytes, bool aggregated) {
  return size_of(bytes) + (aggregated ? ", aggregated" : ", not aggregated");
}

inline constexpr std::uint64_t k_large_bytes = 1 << 20;  // of a large message
inline constexpr std::size_t k_large_window = 4;  // of them under way
inline constexpr std::string_view k_large_copied_case = "4 x 1 MiB, memcpy";
inline std::string large_case(bool both) {
  return both ? "1 MiB messages, both ways at once" : "1 MiB messages, one way";
}

// --- structures -----------------------------------------------------------------------------------

using kernels::structure;
using kernels::structure_work;

inline std::string_view structure_name(structure kind) {
  return kernels::k_structures[static_cast<unsigned>(kind)];
}
inline std::string structure_case(const structure_work& w, std::string_view where) {
  std::string name = w.bulk ? fmt::format("{}, bulk", structure_name(w.kind))
                            : fmt::format("{}, {} % puts", structure_name(w.kind), w.puts);
  if (w.erases > 0) name += fmt::format(", {} % erases", w.erases);
  if (w.keyed()) name += fmt::format(", keys 0-{}", amount(w.keys - 1));
  if (w.cells > 0) name += fmt::format(", room for {}", amount(w.cells));
  if (w.pending) name += ", pending lookups";
  if (w.phases) name += ", in phases";
  if (!w.bulk) name += fmt::format(", {} fibers", amount(w.fibers));
  if (w.kind != structure::set) name += fmt::format(", {}", size_of(w.payload));
  if (w.operations > 0) name += fmt::format(", {} operations", amount(w.operations));
  return fmt::format("{}, {}", name, where);
}
/// Returns the number of operations. The default takes a second or less, and 256 MiB of values.
inline std::uint64_t structure_operations(const settings& s, const structure_work& w, bool merges) {
  if (w.operations > 0) return w.operations;
  if (s.quick) return 1 << 14;
  return std::min<std::uint64_t>(merges ? 1 << 21 : 1 << 19, (std::uint64_t{256} << 20) / w.payload);
}

/// Returns the mixes of the paper, with erasures and larger values, or what was asked for.
inline std::vector<structure_work> structure_works(const settings& s) {
  const requests& r = s.asked;
  std::vector<structure_work> all;
  const auto add = [&](structure kind, unsigned puts, unsigned erases = 0, std::uint64_t payload = 8) {
    structure_work w;
    w.kind = kind;
    w.puts = r.puts.value_or(puts);
    w.erases = r.erases.value_or(erases);
    w.keys = r.keys.value_or(w.keys);
    w.cells = w.keyed() ? r.cells.value_or(0) : 0;
    w.fibers = r.fibers.value_or(s.pick<std::uint64_t>(w.fibers, 64));
    w.operations = r.operations.value_or(0);
    w.payload = kind == structure::set ? 8 : r.payload.value_or(payload);
    w.bulk = r.bulk;
    w.pending = r.pending && kind == structure::set;
    w.phases = r.phases;
    if (w.bulk) w.puts = 100;
    all.push_back(w);
  };
  const auto add_bulk = [&](structure kind) {
    add(kind, 100);
    all.back().bulk = true;
    all.back().keys = s.pick<std::uint64_t>(1 << 20, 1 << 10);
  };
  const bool keys_only = r.erases.value_or(0) > 0;
  for (const structure kind : {structure::stack, structure::queue, structure::set, structure::map}) {
    const bool keyed = kind == structure::set || kind == structure::map;
    if (r.structure ? *r.structure != static_cast<unsigned>(kind) : keys_only && !keyed) continue;
    if (r.pending && kind != structure::set) continue;
    if (r.phases && !keyed) continue;
    if (!keyed && !r.puts && !r.bulk) add(kind, 100);
    add(kind, 50);
    if (r.any()) continue;
    if (keyed) add(kind, 40, 20);
    if (kind == structure::stack)
      for (const std::uint64_t bytes : {64, 1024}) add(kind, 100, 0, bytes);
    if (kind == structure::set) {
      add(kind, 50);
      all.back().pending = true;
      add(kind, 50);
      all.back().phases = true;
    }
    if (kind != structure::map) continue;
    for (const std::uint64_t bytes : {64, 1024}) add(kind, 50, 0, bytes);
    add_bulk(kind);
  }
  return all;
}

// --- sort -----------------------------------------------------------------------------------------

struct sort_input {
  std::string_view name;
  std::uint64_t (*at)(std::uint64_t);
};
inline constexpr sort_input k_sort_inputs[] = {
    {"uniform", [](std::uint64_t i) { return hash64(i); }},
    {"sorted", [](std::uint64_t i) { return i; }},
    {"16 distinct", [](std::uint64_t i) { return hash64(i) % 16; }},
};
inline std::vector<std::uint64_t> sort_sizes(const settings& s) {
  if (s.quick) return {1 << 20};
  return {4 << 20, 8 << 20};
}
inline std::vector<unsigned> sort_core_counts(const settings& s) {
  if (s.cores != 0) return {s.cores};
  return {1, 2};
}
inline std::string sort_cores(unsigned n) { return n == 1 ? "1 core" : fmt::format("{} cores", n); }
template <class T>
std::string sort_case(std::uint64_t n, const sort_input& how, std::string_view by) {
  return fmt::format("{} M of {} bits, {}, {}", n >> 20, 8 * sizeof(T), how.name, by);
}
/// Returns whether these are the elements of the input, in order.
template <class T>
bool sorted_right(const T* sorted, std::uint64_t n, const sort_input& how) {
  T sum = 0;
  bool right = true;
  for (std::uint64_t i = 0; i < n; ++i) {
    right &= i == 0 || sorted[i - 1] <= sorted[i];
    sum += sorted[i] - static_cast<T>(how.at(i));
  }
  return right && sum == 0;
}

// --- memory: gups, gather, call -------------------------------------------------------------------

inline std::string table_case(std::uint64_t bytes, unsigned cores) {
  return fmt::format("{} table, {} cores", size_of(bytes), cores);
}
inline std::vector<std::uint64_t> table_sizes(const settings& s) {
  if (s.table_bytes != 0) return {s.table_bytes};
  if (s.quick) return {std::uint64_t{1} << 20};
  return {std::uint64_t{1} << 30, std::uint64_t{8} << 20};
}
inline std::uint64_t table_operations(const settings& s) { return s.pick<std::uint64_t>(1 << 24, 1 << 16); }

/// Returns the value of the i-th update of a repetition; update_cell() returns the cell that it goes to.
inline std::uint64_t update_value(std::uint64_t repetition, std::uint64_t i) {
  return hash64(i + (repetition << 40));
}
inline std::uint64_t update_cell(std::uint64_t value, std::uint64_t cells) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>(wide{value} * cells >> 64);
}
/// Returns the sum of the cells, each times 2 x index + 1, after so many repetitions.
inline std::uint64_t expected_sum(std::uint64_t repetitions, std::uint64_t updates, std::uint64_t cells) {
  std::uint64_t sum = 0;
  for (std::uint64_t r = 0; r < repetitions; ++r)
    for (std::uint64_t i = 0; i < updates; ++i)
      sum += update_value(r, i) * (2 * update_cell(update_value(r, i), cells) + 1);
  return sum;
}

/// Returns the numbers of cores to measure. The first one has the budget and the peers.
inline std::vector<unsigned> core_counts(const settings& s) {
  if (s.cores != 0) return {s.cores};
  if (s.quick) return {2};
  return {2, 4, 8};
}

}  // namespace gossamer::bench
