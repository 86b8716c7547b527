// MapReduce: the four jobs of "hybrid address spaces" (table 1) by both engines, with the time of each stage, beside a serial
// loop over the same data in the same run. Sizes are chosen so that a job takes about a second or less.
//
//   word count          words of Zipf's distribution; texts are keys, in hash tables
//   histogram           bytes of a bitmap by colour: 768 keys, in arrays
//   linear regression   five sums over points: 5 keys, in arrays
//   matrix multiply     integers; a task is a block of rows, a key a row, its value a checksum of the row

#include "gossamer/mapreduce/map_reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/base/random.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

// What a task is.
constexpr std::uint64_t k_piece_bytes = 256 << 10, k_pixels = k_piece_bytes / 3, k_points = k_piece_bytes / 2,
                        k_rows = 16;

/// The times of a job and of its stages, in ms.
struct job_times {
  samples whole, merge;
  std::array<samples, 7> stages;
  static constexpr std::array<std::string_view, 7> k_stages = {"map",    "combine",  "partition", "group",
                                                               "reduce", "exchange", "sort"};

  void add(const map_reduce_statistics& what) {
    const double seconds[] = {what.map_seconds,   what.combine_seconds, what.partition_seconds,
                              what.group_seconds, what.reduce_seconds,  what.exchange_seconds,
                              what.sort_seconds};
    for (std::size_t i = 0; i < stages.size(); ++i) stages[i].push_back(1e3 * seconds[i]);
  }
};

/// Returns which stages an engine has: the first letter of each.
std::string_view stages_of(engine by, bool dense) {
  if (by == engine::hybrid) return "mre";
  return dense ? "mpr" : "mcpgrs";
}
bool has_stage(std::string_view letters, std::string_view stage) {
  return letters.find(stage[0]) != letters.npos;
}

void add_job_rows(const report& out, const std::string& name, const job_times& t, std::string_view stages,
                  bool right) {
  out.add(checked(row_of("mapreduce", name, "ms", t.whole), right));
  for (std::size_t i = 0; i < t.stages.size(); ++i)
    if (has_stage(stages, job_times::k_stages[i]))
      out.add(
          checked(row_of("mapreduce", fmt::format("{}: {}", name, job_times::k_stages[i]), "ms", t.stages[i]),
                  right));
  if (!t.merge.empty())
    out.add(checked(row_of("mapreduce", name + ": merge of all, by key", "ms", t.merge), right));
}

/// Runs a job by both engines on each number of cores. run_job(options, done, merge) calls done() where the job has ended
/// and its answer is looked at from then on, and returns whether that is right. It may add to `merge` what a sorted
/// collection of the answer took.
template <class RunJob>
void run_engines(const settings& s, const report& out, const std::string& what, bool dense, RunJob run_job) {
  for (const unsigned c : sort_core_counts(s))
    for (const engine by : {engine::hybrid, engine::messages}) {
      job_times t;
      bool right = true;
      run(core_job(c), [&] {
        for (unsigned r = 0; r <= s.repeats; ++r) {
          map_reduce_statistics stages;
          samples merge;
          const double begin = clock_ns(CLOCK_MONOTONIC);
          double end = begin;
          right &= run_job(
              map_reduce_options{.progress = {}, .statistics = &stages, .engine = by},
              [&] { end = clock_ns(CLOCK_MONOTONIC); }, merge);
          if (r == 0) continue;  // warms up
          t.whole.push_back((end - begin) / 1e6);
          t.merge.insert(t.merge.end(), merge.begin(), merge.end());
          t.add(stages);
        }
      });
      add_job_rows(
          out, fmt::format("{}, {}, {}", what, by == engine::hybrid ? "hybrid" : "messages", sort_cores(c)),
          t, stages_of(by, dense), right);
    }
}

/// Takes the time of a serial loop.
template <class F>
row serial_row(const settings& s, const std::string& what, F once) {
  return row_of("mapreduce", what + ", serial loop", "ms", repeat(s, [&] { return wall_ns_of(once) / 1e6; }));
}

// --- word count -----------------------------------------------------------------------------------

/// Draws words by Zipf's distribution with exponent 1 of a vocabulary of 50,000; word k has 2 to 12 letters.
std::string zipf_text(std::uint64_t bytes) {
  constexpr std::uint64_t k_vocabulary = 50'000;
  std::vector<std::string> words;
  std::vector<double> ends;
  double sum = 0;
  for (std::uint64_t k = 0; k < k_vocabulary; ++k) {
    std::string word(2 + hash64(k) % 11, ' ');
    for (std::size_t i = 0; i < word.size(); ++i) word[i] = static_cast<char>('a' + hash64(k * 16 + i) % 26);
    words.push_back(word);
    ends.push_back(sum += 1 / static_cast<double>(k + 1));
  }
  xoshiro256 draw(1);
  std::string text;
  text.reserve(bytes + 16);
  while (text.size() < bytes) {
    const double at = static_cast<double>(draw() >> 11) * 0x1p-53 * sum;
    text +=
        words[static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end() - 1, at) - ends.begin())];
    text += ' ';
  }
  return text;
}

/// Returns piece i of a text, between two blanks.
std::string_view text_piece_of(const std::string& text, std::uint64_t i) {
  const auto cut = [&](std::uint64_t at) {
    return at == 0 ? 0
                   : std::min<std::uint64_t>(text.size(),
                                             text.find(' ', std::min<std::uint64_t>(at, text.size())));
  };
  const std::uint64_t begin = cut(i * k_piece_bytes);
  return std::string_view(text).substr(begin, cut((i + 1) * k_piece_bytes) - begin);
}

std::uint64_t pieces_of(std::uint64_t bytes) { return (bytes + k_piece_bytes - 1) / k_piece_bytes; }

void word_count(const settings& s, const report& out) {
  const std::uint64_t bytes = s.pick<std::uint64_t>(32 << 20, 1 << 20);
  const std::string name = fmt::format("word count of {}", size_of(bytes));
  if (!out.room_for(8 * bytes, "mapreduce", name)) return;
  const auto text = std::make_unique<const std::string>(zipf_text(bytes));
  std::unordered_map<std::string_view, std::uint64_t> expected;
  out.add(serial_row(s, name, [&] {
    expected.clear();
    io::for_each_word(*text, [&](std::string_view word) { ++expected[word]; });
  }));
  run_engines(s, out, name, false, [&](map_reduce_options o, auto done, samples& merge) {
    const auto counts = map_reduce<std::string_view, std::uint64_t>(
        count_input(pieces_of(bytes), 1),
        [text = text.get()](std::uint64_t i, auto& emit_to) {
          io::for_each_word(text_piece_of(*text, i), [&](std::string_view word) { emit_to.emit(word, 1); });
        },
        std::plus<>{}, o);
    done();
    std::vector<std::pair<std::string, std::uint64_t>> all;
    merge.push_back(wall_ns_of([&] { all = counts.collect(); }) / 1e6);
    bool right = all.size() == expected.size();
    for (const auto& [word, n] : all) right &= expected.contains(word) && expected.at(word) == n;
    return right;
  });
}

// --- histogram, linear regression -----------------------------------------------------------------

template <std::size_t N>
bool same(const key_values<std::uint32_t, std::uint64_t>& found,
          const std::array<std::uint64_t, N>& expected) {
  std::uint64_t wrong = 0, pairs = 0;
  for (const auto& [key, value] : found.collect()) {
    wrong += key >= N || expected[key] != value ? 1 : 0;
    ++pairs;
  }
  for (const std::uint64_t e : expected) pairs -= e != 0 ? 1 : 0;
  return wrong == 0 && pairs == 0;
}

std::vector<unsigned char> random_bytes(std::uint64_t n) {
  std::vector<unsigned char> bytes(n + 8);
  for (std::uint64_t i = 0; i < n; i += 8) {
    const std::uint64_t draw = hash64(i);
    std::memcpy(bytes.data() + i, &draw, 8);
  }
  bytes.resize(n);
  return bytes;
}

void histogram(const settings& s, const report& out) {
  const std::uint64_t pixels = s.pick<std::uint64_t>(16 << 20, 1 << 18);
  const std::string name = fmt::format("histogram of {} bitmap", size_of(3 * pixels));
  if (!out.room_for(3 * pixels, "mapreduce", name)) return;
  const std::vector<unsigned char> bitmap = random_bytes(3 * pixels);
  std::array<std::uint64_t, 768> expected;
  out.add(serial_row(s, name, [&] {
    expected.fill(0);
    for (std::uint64_t i = 0; i < bitmap.size(); i += 3)
      for (unsigned c = 0; c < 3; ++c) ++expected[256 * c + bitmap[i + c]];
  }));
  run_engines(s, out, name, true, [&](map_reduce_options o, auto done, samples&) {
    const auto counts = map_reduce<std::uint32_t, std::uint64_t>(
        count_input((pixels + k_pixels - 1) / k_pixels, 1), dense_keys{768},
        [data = bitmap.data(), pixels](std::uint64_t piece, auto& emit_to) {
          const std::uint64_t end = std::min(pixels, (piece + 1) * k_pixels);
          for (std::uint64_t i = piece * k_pixels; i < end; ++i)
            for (unsigned c = 0; c < 3; ++c) emit_to.emit(256 * c + data[3 * i + c], 1);
        },
        std::plus<>{}, o);
    done();
    return same(counts, expected);
  });
}

void linear_regression(const settings& s, const report& out) {
  const std::uint64_t points = s.pick<std::uint64_t>(8 << 20, 1 << 17);
  const std::string name = fmt::format("linear regression of {} points", amount(points));
  if (!out.room_for(2 * points, "mapreduce", name)) return;
  const std::vector<unsigned char> data = random_bytes(2 * points);
  std::array<std::uint64_t, 5> expected;
  out.add(serial_row(s, name, [&] {
    expected.fill(0);
    for (std::uint64_t i = 0; i < data.size(); i += 2) {
      const std::uint64_t x = data[i], y = data[i + 1];
      const std::uint64_t sums[] = {x, y, x * x, y * y, x * y};
      for (unsigned k = 0; k < 5; ++k) expected[k] += sums[k];
    }
  }));
  run_engines(s, out, name, true, [&](map_reduce_options o, auto done, samples&) {
    const auto sums = map_reduce<std::uint32_t, std::uint64_t>(
        count_input((points + k_points - 1) / k_points, 1), dense_keys{5},
        [from = data.data(), points](std::uint64_t piece, auto& emit_to) {
          const std::uint64_t end = std::min(points, (piece + 1) * k_points);
          for (std::uint64_t i = piece * k_points; i < end; ++i) {
            const std::uint64_t x = from[2 * i], y = from[2 * i + 1];
            emit_to.emit(0, x);
            emit_to.emit(1, y);
            emit_to.emit(2, x * x);
            emit_to.emit(3, y * y);
            emit_to.emit(4, x * y);
          }
        },
        std::plus<>{}, o);
    done();
    return same(sums, expected);
  });
}

// --- matrix multiply ------------------------------------------------------------------------------

/// Returns a checksum of row r of the product of two square matrices.
std::uint64_t product_row(const std::uint32_t* a, const std::uint32_t* b, std::uint64_t n, std::uint64_t r,
                          std::vector<std::uint32_t>& row) {
  row.assign(n, 0);
  for (std::uint64_t k = 0; k < n; ++k)
    for (std::uint64_t j = 0; j < n; ++j) row[j] += a[r * n + k] * b[k * n + j];
  std::uint64_t sum = 0;
  for (std::uint64_t j = 0; j < n; ++j) sum += row[j] * (2 * j + 1);
  return sum;
}

void matrix_multiply(const settings& s, const report& out) {
  const std::uint64_t n = s.pick<std::uint64_t>(768, 96);
  const std::string name = fmt::format("matrix multiply, {0} x {0}", n);
  std::vector<std::uint32_t> a(n * n), b(n * n);
  for (std::uint64_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<std::uint32_t>(hash64(i) % 1000);
    b[i] = static_cast<std::uint32_t>(hash64(i + n * n) % 1000);
  }
  std::vector<std::uint64_t> expected(n);
  std::vector<std::uint32_t> room;
  out.add(serial_row(s, name, [&] {
    for (std::uint64_t r = 0; r < n; ++r) expected[r] = product_row(a.data(), b.data(), n, r, room);
  }));
  run_engines(s, out, name, true, [&](map_reduce_options o, auto done, samples&) {
    const auto rows = map_reduce<std::uint32_t, std::uint64_t>(
        count_input((n + k_rows - 1) / k_rows, 1), dense_keys{n},
        [from = a.data(), by = b.data(), n](std::uint64_t block, auto& emit_to) {
          std::vector<std::uint32_t> row;
          for (std::uint64_t r = block * k_rows, end = std::min(n, r + k_rows); r < end; ++r)
            emit_to.emit(static_cast<std::uint32_t>(r), product_row(from, by, n, r, row));
        },
        std::plus<>{}, o);
    done();
    std::uint64_t at = 0;
    bool right = true;
    for (const auto& [r, sum] : rows.collect()) right &= r == at && sum == expected[at++];
    return right && at == n;
  });
}

}  // namespace

void map_reduces(const settings& s, const report& out) {
  word_count(s, out);
  histogram(s, out);
  linear_regression(s, out);
  matrix_multiply(s, out);
}

}  // namespace gossamer::bench
