// MapReduce: the four jobs of "hybrid address spaces" (table 1) with both engines, with the time of each
// stage, compared with a serial loop over the same data. Each job is compared with STREAM's bandwidth
// (figures 14 and 15). On a simulated cluster jobs have an eighth of the work, and map functions declare
// their computation, for speed-ups in virtual time (figure 13).
//
//   word count          words of Zipf's distribution; texts are keys, in hash tables; sorted by word at the end
//   histogram           bytes of a bitmap by colour: 768 keys, in arrays
//   linear regression   five sums over points: 5 keys, in arrays
//   matrix multiply     integers; a task is a block of rows, a key a row, its value a checksum of the row
//
// The map functions of histogram and linear regression combine a chunk themselves; additional rows emit each
// byte, each term.

#include "gossamer/mapreduce/map_reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/machine/clock.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/map_kernels.hpp"
#include "micro/triad.hpp"
#include "micro/words.hpp"

namespace gossamer::bench {
namespace {

// The size of a task.
constexpr std::uint64_t k_chunk_bytes = 128 << 10, k_rows = 16;

// The computation that map functions declare to a simulation, in picoseconds: measured on one core of an AMD
// Zen 5 by this bench.
constexpr std::uint64_t k_pixel_ps = 870, k_point_ps = 143, k_product_ps = 57;

template <class T>
T size_for(const settings& s, T full, T small) {
  return is_simulated() ? s.pick(full / 8, small) : s.pick(full, small);
}

/// A job: the titles of its rows, the size of its input, and its budget with the hybrid engine on two cores.
struct job_kind {
  std::string_view title;  // without the size
  std::string name;
  std::uint64_t bytes;
  bool dense;
  double budget_ms;
};

/// The times of a job and of its stages, in ms.
struct job_times {
  samples whole;
  std::array<samples, 8> stages;
  static constexpr std::array<std::string_view, 8> k_stages = {"map",    "combine",  "partition", "group",
                                                               "reduce", "exchange", "sort",      "merge"};

  void add(const map_reduce_statistics& what) {
    const double seconds[] = {what.map_seconds,   what.combine_seconds, what.partition_seconds,
                              what.group_seconds, what.reduce_seconds,  what.exchange_seconds,
                              what.sort_seconds,  what.merge_seconds};
    for (std::size_t i = 0; i < stages.size(); ++i) stages[i].push_back(1e3 * seconds[i]);
  }
};

/// Returns whether a job has a stage with an engine. If keys are not dense, results are sorted.
bool has_stage(engine by, bool dense, std::string_view stage) {
  if (stage == "map" || stage == "reduce") return true;
  if (by == engine::hybrid) return stage == "exchange" || (stage == "sort" && !dense);
  return stage == "partition" || (!dense && stage != "exchange");
}

/// GB/s of STREAM's triad, by number of cores.
using bandwidths = std::map<unsigned, double>;

/// The cores of a job: of this process, or of a simulated cluster.
struct job_place {
  unsigned processes = 0, cores = 0;

  std::string name() const {
    return processes == 1 ? sort_cores(cores)
                          : fmt::format("{} processes of {}", processes, sort_cores(cores / processes));
  }
};

void add_job_rows(const report& out, const job_kind& job, engine by, const job_place& at, const job_times& t,
                  bool right, const bandwidths& limits) {
  const std::string_view engine_name = by == engine::hybrid ? "hybrid" : "messages";
  const std::string name = fmt::format("{}, {}, {}", job.name, engine_name, at.name());
  row whole = checked(row_of("mapreduce", name, "ms", t.whole), right);
  if (by == engine::hybrid && at.cores == 2 && !is_simulated()) whole = within(whole, job.budget_ms);
  if (is_simulated()) whole = point(whole, fmt::format("{}, {}", job.title, engine_name), at.cores);
  out.add(whole);
  for (std::size_t i = 0; i < t.stages.size(); ++i)
    if (has_stage(by, job.dense, job_times::k_stages[i]))
      out.add(
          checked(row_of("mapreduce", fmt::format("{}: {}", name, job_times::k_stages[i]), "ms", t.stages[i]),
                  right));
  if (is_simulated()) return;
  samples share;
  for (const double ms : t.whole)
    share.push_back(100 * (static_cast<double>(job.bytes) / (1e6 * ms)) / limits.at(at.cores));
  out.add(checked(row_of("mapreduce", name + ": share of triad", "%", share), right));
}

/// Runs a job by `engines` on each number of cores. run_job(options, done) calls done() when the job has
/// ended, then checks its answer, and returns whether it is right.
template <class RunJob>
void run_engines(const settings& s, const report& out, const bandwidths& limits, const job_kind& job,
                 std::span<const engine> engines, RunJob run_job) {
  // 0 means all cores of the simulated cluster
  for (const unsigned c : is_simulated() ? std::vector<unsigned>{0} : sort_core_counts(s))
    for (const engine by : engines) {
      job_times t;
      bool right = true;
      job_place at;
      job_options o = job_options::from_environment();
      o.cores = c;
      run(o, [&] {
        at = {processes(), cores()};
        const bool warms_up = !is_simulated();  // in simulations all runs take the same time
        for (unsigned r = 0; r < (warms_up ? 1 + s.repeats : 1); ++r) {
          map_reduce_statistics stages;
          const std::uint64_t begin = machine::now_ns();
          std::uint64_t end = begin;
          right &= run_job(map_reduce_options{.progress = {}, .statistics = &stages, .engine = by},
                           [&] { end = machine::now_ns(); });
          if (warms_up && r == 0) continue;
          t.whole.push_back(static_cast<double>(end - begin) / 1e6);
          t.add(stages);
        }
      });
      add_job_rows(out, job, by, at, t, right, limits);
    }
}
constexpr std::array k_both = {engine::hybrid, engine::messages};
constexpr std::array k_hybrid = {engine::hybrid};

/// Measures a serial loop, once, because it takes long.
template <class F>
void add_serial_row(const report& out, const std::string& what, F once) {
  if (is_simulated()) return once();
  out.add(row_of("mapreduce", what + ", serial loop", "ms", {wall_ns_of(once) / 1e6}));
}

// --- word count -----------------------------------------------------------------------------------

/// Returns chunk i of a text, cut at blanks.
std::string_view text_chunk_of(const std::string& text, std::uint64_t i) {
  const auto cut = [&](std::uint64_t at) {
    return at == 0 ? 0
                   : std::min<std::uint64_t>(text.size(),
                                             text.find(' ', std::min<std::uint64_t>(at, text.size())));
  };
  const std::uint64_t begin = cut(i * k_chunk_bytes);
  return std::string_view(text).substr(begin, cut((i + 1) * k_chunk_bytes) - begin);
}

std::string megabytes(std::uint64_t bytes) { return fmt::format("{} MB", (bytes + 500'000) / 1'000'000); }
std::uint64_t chunks_of(std::uint64_t bytes) { return (bytes + k_chunk_bytes - 1) / k_chunk_bytes; }

void word_count(const settings& s, const report& out, const bandwidths& limits) {
  const auto bytes = size_for<std::uint64_t>(s, 400'000'000, 1 << 20);
  const job_kind job{"word count", fmt::format("word count of {}", megabytes(bytes)), bytes, false,
                     s.pick(400.0, k_none)};
  if (!out.room_for(8 * bytes, "mapreduce", job.name)) return;
  const auto text = std::make_unique<const std::string>(zipf_text(bytes, 1'000'000));
  std::unordered_map<std::string_view, std::uint64_t> expected;
  add_serial_row(out, job.name, [&] {
    expected.clear();
    io::for_each_word(*text, [&](std::string_view word) { ++expected[word]; });
  });
  run_engines(s, out, limits, job, k_both, [&](map_reduce_options o, auto done) {
    o.sorted = true;  // with either engine: both times include sorting
    const auto counts = map_reduce<std::string_view, std::uint64_t>(
        count_input(chunks_of(bytes), 1),
        [text = text.get()](std::uint64_t i, auto& emit_to) {
          io::for_each_word(text_chunk_of(*text, i), [&](std::string_view word) { emit_to.emit(word, 1); });
        },
        std::plus<>{}, o);
    done();
    const auto all = counts.collect();
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

/// Elements of a few bytes each, which tasks read chunk by chunk.
struct byte_elements {
  const unsigned char* data;
  std::uint64_t count, width;

  std::uint64_t per_chunk() const { return k_chunk_bytes / width; }
  count_input chunks() const { return count_input((count + per_chunk() - 1) / per_chunk(), 1); }
  std::span<const unsigned char> chunk(std::uint64_t i) const {
    const std::uint64_t begin = i * per_chunk();
    return {data + width * begin, width * (std::min(count, begin + per_chunk()) - begin)};
  }
};

/// Runs a job that has as many keys as `expected`. map(chunk, emit_to) maps the bytes of a chunk.
template <std::size_t N, class Map>
void run_on_bytes(const settings& s, const report& out, const bandwidths& limits, const job_kind& job,
                  std::span<const engine> engines, byte_elements elements,
                  const std::array<std::uint64_t, N>& expected, Map map) {
  run_engines(s, out, limits, job, engines, [&](map_reduce_options o, auto done) {
    const auto found = map_reduce<std::uint32_t, std::uint64_t>(
        elements.chunks(), dense_keys{N},
        [elements, map](std::uint64_t i, auto& emit_to) { map(elements.chunk(i), emit_to); }, std::plus<>{},
        o);
    done();
    return same(found, expected);
  });
}

/// Returns the job with a map function that emits without combining a chunk first.
job_kind emitting_each(job_kind job, std::string_view what) {
  job.name += fmt::format(", each {} emitted", what);
  job.budget_ms = k_none;
  return job;
}

void histogram(const settings& s, const report& out, const bandwidths& limits) {
  const std::uint64_t pixels = size_for<std::uint64_t>(s, 1'600'000'000, 3 << 18) / 3;
  const job_kind job{"histogram", fmt::format("histogram of a bitmap of {}", megabytes(3 * pixels)),
                     3 * pixels, true, s.pick(180.0, k_none)};
  if (!out.room_for(job.bytes, "mapreduce", job.name)) return;
  const std::vector<unsigned char> bitmap = random_bytes(3 * pixels);
  std::array<std::uint64_t, k_colours> expected;
  add_serial_row(out, job.name, [&] {
    expected.fill(0);
    for (std::uint64_t i = 0; i < bitmap.size(); i += 3)
      for (unsigned c = 0; c < 3; ++c) ++expected[256 * c + bitmap[i + c]];
  });
  const byte_elements elements{bitmap.data(), pixels, 3};
  run_on_bytes(s, out, limits, job, k_both, elements, expected,
               [](std::span<const unsigned char> chunk, auto& emit_to) {
                 emit_to.emit_range(0, count_colours(chunk.data(), chunk.size() / 3));
                 charge_work(chunk.size() / 3 * k_pixel_ps / 1000);
               });
  if (is_simulated()) return;
  run_on_bytes(s, out, limits, emitting_each(job, "byte"), k_hybrid, elements, expected,
               [](std::span<const unsigned char> chunk, auto& emit_to) {
                 for (std::size_t at = 0; at < chunk.size(); at += 3)
                   for (unsigned c = 0; c < 3; ++c) emit_to.emit(256 * c + chunk[at + c], 1);
               });
}

void linear_regression(const settings& s, const report& out, const bandwidths& limits) {
  const auto points = size_for<std::uint64_t>(s, 200'000'000, 1 << 17);
  const job_kind job{"linear regression", fmt::format("linear regression of {}", megabytes(2 * points)),
                     2 * points, true, s.pick(40.0, k_none)};
  if (!out.room_for(job.bytes, "mapreduce", job.name)) return;
  const std::vector<unsigned char> data = random_bytes(2 * points);
  std::array<std::uint64_t, 5> expected;
  add_serial_row(out, job.name, [&] {
    expected.fill(0);
    for (std::uint64_t i = 0; i < data.size(); i += 2) {
      const std::uint64_t x = data[i], y = data[i + 1];
      const std::uint64_t sums[] = {x, y, x * x, y * y, x * y};
      for (unsigned k = 0; k < 5; ++k) expected[k] += sums[k];
    }
  });
  const byte_elements elements{data.data(), points, 2};
  run_on_bytes(s, out, limits, job, k_both, elements, expected,
               [](std::span<const unsigned char> chunk, auto& emit_to) {
                 emit_to.emit_range(0, sum_points(chunk.data(), chunk.size() / 2));
                 charge_work(chunk.size() / 2 * k_point_ps / 1000);
               });
  if (is_simulated()) return;
  run_on_bytes(s, out, limits, emitting_each(job, "term"), k_hybrid, elements, expected,
               [](std::span<const unsigned char> chunk, auto& emit_to) {
                 for (std::size_t at = 0; at < chunk.size(); at += 2) {
                   const std::uint64_t x = chunk[at], y = chunk[at + 1];
                   emit_to.emit(0, x);
                   emit_to.emit(1, y);
                   emit_to.emit(2, x * x);
                   emit_to.emit(3, y * y);
                   emit_to.emit(4, x * y);
                 }
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

void matrix_multiply(const settings& s, const report& out, const bandwidths& limits) {
  const std::uint64_t n = is_simulated() ? s.pick(1024, 100) : s.pick(2048, 100);
  const job_kind job{"matrix multiply", fmt::format("matrix multiply, {0} x {0}", n),
                     2 * n * n * sizeof(std::uint32_t), true, s.pick(250.0, k_none)};
  std::vector<std::uint32_t> a(n * n), b(n * n);
  for (std::uint64_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<std::uint32_t>(hash64(i) % 1000);
    b[i] = static_cast<std::uint32_t>(hash64(i + n * n) % 1000);
  }
  std::vector<std::uint64_t> expected(n);
  std::vector<std::uint32_t> room;
  add_serial_row(out, job.name, [&] {
    for (std::uint64_t r = 0; r < n; ++r) expected[r] = product_row(a.data(), b.data(), n, r, room);
  });
  run_engines(s, out, limits, job, k_both, [&](map_reduce_options o, auto done) {
    const auto rows = map_reduce<std::uint32_t, std::uint64_t>(
        count_input((n + k_rows - 1) / k_rows, 1), dense_keys{n},
        [from = a.data(), by = b.data(), n](std::uint64_t block, auto& emit_to) {
          const std::uint64_t first = block * k_rows, count = std::min(n - first, k_rows);
          emit_to.emit_range(static_cast<std::uint32_t>(first),
                             multiply_rows(from + first * n, count, by, n));
          charge_work(count * n * n * k_product_ps / 1000);
        },
        std::plus<>{}, o);
    done();
    std::uint64_t at = 0;
    bool right = true;
    for (const auto& [r, sum] : rows.collect()) right &= r == at && sum == expected[at++];
    return right && at == n;
  });
}

/// Measures the bandwidth that jobs are compared with, and returns it.
bandwidths add_triad_rows(const settings& s, const report& out) {
  bandwidths all;
  if (is_simulated()) return all;
  for (const unsigned c : sort_core_counts(s)) {
    const row r =
        row_of("mapreduce", fmt::format("STREAM triad, {}", sort_cores(c)), "GB/s", triad_gb_per_s(s, c));
    all[c] = r.value;
    out.add(r);
  }
  return all;
}

}  // namespace

void map_reduces(const settings& s, const report& out) {
  const bandwidths limits = add_triad_rows(s, out);
  word_count(s, out, limits);
  histogram(s, out, limits);
  linear_regression(s, out, limits);
  matrix_multiply(s, out, limits);
}

}  // namespace gossamer::bench
