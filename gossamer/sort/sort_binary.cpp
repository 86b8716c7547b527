#include "gossamer/sort/sort_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/files/chunk_output.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/any_process.hpp"
#include "gossamer/sort/internal/key_exchange.hpp"
#include "gossamer/sort/internal/key_runs.hpp"
#include "gossamer/sort/internal/line_job.hpp"
#include "gossamer/sort/internal/memory_to_sort.hpp"
#include "gossamer/sort/internal/stored_chunks.hpp"
#include "gossamer/sort/ordered_key.hpp"
#include "gossamer/sort/sort.hpp"

namespace gossamer {
namespace {

using files::chunk_output;
using files::output_chunks;

/// Encodes numbers as unsigned keys whose ascending order is the requested one, and decodes them.
struct number_code {
  void (*encode)(const char* from, char* to, std::size_t numbers);
  void (*decode)(const char* from, char* to, std::size_t numbers);
  std::size_t bytes;  // of a number
};

template <class T, bool Descending>
number_code code_of() {
  using code = sorting::ordered_key<T, Descending>;
  using key = typename code::key;
  return {[](const char* from, char* to, std::size_t n) {
            for (; n > 0; --n, from += sizeof(T), to += sizeof(T)) {
              T value;
              std::memcpy(&value, from, sizeof value);
              const key k = code::encode(value);
              std::memcpy(to, &k, sizeof k);
            }
          },
          [](const char* from, char* to, std::size_t n) {
            for (; n > 0; --n, from += sizeof(T), to += sizeof(T)) {
              key k;
              std::memcpy(&k, from, sizeof k);
              const T value = code::decode(k);
              std::memcpy(to, &value, sizeof value);
            }
          },
          sizeof(T)};
}

template <bool Descending>
number_code code_for(binary_type type) {
  switch (type) {
    case binary_type::u32:
      return code_of<std::uint32_t, Descending>();
    case binary_type::i32:
      return code_of<std::int32_t, Descending>();
    case binary_type::u64:
      return code_of<std::uint64_t, Descending>();
    case binary_type::i64:
      return code_of<std::int64_t, Descending>();
    case binary_type::f32:
      return code_of<float, Descending>();
    case binary_type::f64:
      return code_of<double, Descending>();
  }
  return {};
}

number_code code_for(binary_type type, bool reverse) {
  return reverse ? code_for<true>(type) : code_for<false>(type);
}

/// The files of one process, and its block of their numbers.
class binary_block {
 public:
  files::input_files input;
  std::string scratch;  // the folder; empty: the default one
  machine::output_file* file = nullptr;  // in process 0
  const sort_lines_options* options = nullptr;  // in process 0
  bool has_more = false;  // after the batch, in this process or, since agree(), in any

  /// Reads the block of the opened files. Throws gossamer::error for a file that ends inside a number.
  void open() { reader_.take_all(texts_); }
  std::uint64_t bytes() const { return texts_.bytes(); }

  /// Copies numbers from byte `at` of the block on, encoded.
  void copy(std::uint64_t at, std::span<char> to, const number_code& code) const;

  template <class Key>
  void write(array<Key> numbers, const number_code& code, io::compression how) const;

  /// Estimates the bytes that a process takes to sort in memory: its block of an array of all numbers, and
  /// the buffers of sort().
  std::uint64_t memory_needed() const { return copies() * reader_.text_bytes() / processes(); }
  /// Reads the next batch of the block instead of all of it, and stores whether more follows.
  void open_batch(std::uint64_t memory_bytes) { has_more = reader_.take(memory_bytes / copies(), texts_); }
  /// Combines has_more over the processes. Collective.
  void agree() { has_more = sorting::any_process(has_more); }
  std::string scratch_folder() const { return scratch.empty() ? machine::usual_scratch_folder() : scratch; }

 private:
  /// Returns the number of copies: the text, the array, and the buffers of sort().
  static std::uint64_t copies() { return processes() == 1 ? 4 : 7; }

  sorting::line_reader reader_{input};
  sorting::line_texts texts_;
};

void binary_block::copy(std::uint64_t at, std::span<char> to, const number_code& code) const {
  for (const auto& s : texts_.segments()) {
    if (to.empty()) return;
    if (at >= s.text.size()) {
      at -= s.text.size();
      continue;
    }
    const std::size_t n = std::min<std::size_t>(s.text.size() - at, to.size());
    input[s.file].populate(s.text.substr(at, n));
    code.encode(s.text.data() + at, to.data(), n / code.bytes);
    to = to.subspan(n);
    at = 0;
  }
}

template <class Key>
void binary_block::write(array<Key> numbers, const number_code& code, io::compression how) const {
  const char* const all =
      reinterpret_cast<const char*>(numbers.local().data());  // of all cores of the process
  const std::uint64_t step = files::good_chunk_bytes(how), end = bytes();
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t at = 0; at < end; at += step) sizes.push_back(std::min(step, end - at));
  const auto fill = [&](std::size_t p, char* to) { code.decode(all + p * step, to, sizes[p] / code.bytes); };
  const auto written = [] {};
  const files::output_chunks chunks{sizes, fill, written};
  if (process() != 0) return files::send_chunks(chunks, how);
  files::chunk_output out(*file, how);
  out.write(chunks);
  for (unsigned p = 1; p < processes(); ++p) out.receive(p);
  out.finish();
}

/// Reads the next batch in all processes. Returns whether one of them has more. By the main fiber.
bool open_batches(per_process<binary_block> blocks, std::uint64_t memory_bytes) {
  on_all_processes([blocks, memory_bytes] { blocks.here().open_batch(memory_bytes); });
  on_all_processes([blocks] { blocks.here().agree(); });
  return blocks.here().has_more;
}

using stage_clock =
    std::function<double(const char*)>;  // begins a stage, and returns the seconds of the previous one

/// Sorts the numbers that the processes have read, as keys, and calls f(array) in each process, which has as
/// many of them as it has read. Returns the total number. By the main fiber.
template <class Key, class F>
std::uint64_t sort_read(per_process<binary_block> blocks, binary_type type, bool reverse, pivots by,
                        const stage_clock& begin_stage, sort_lines_statistics& what, F f) {
  struct counted {
    std::vector<std::uint64_t> numbers;  // by process
    std::uint64_t begin = 0;  // of this process, in the array
  };
  const scoped_per_process<counted> counts;
  on_all_processes([blocks, counts = counts.handle()] {
    counted& mine = counts.here();
    mine.numbers = all_gather_processes(blocks.here().bytes() / sizeof(Key));
    for (unsigned p = 0; p < process(); ++p) mine.begin += mine.numbers[p];
  });
  std::vector<std::uint64_t> bounds{0};
  for (const std::uint64_t n : counts.here().numbers) {
    const std::uint64_t begin = bounds.back();
    for (unsigned c = 1; c <= cores_per_process(); ++c)
      bounds.push_back(begin + parallel::block_begin(0, n, c, cores_per_process()));
  }
  machine::require_chunk((bounds.back() / processes() + 1) * sizeof(Key), "sorting numbers");
  const scoped_array<Key> numbers(bounds.back(), by_boundaries(bounds));
  on_all_cores([blocks, type, reverse, counts = counts.handle(), data = numbers.handle()] {
    const std::span<Key> block = data.local();
    const std::uint64_t before = data.local_begin() - counts.here().begin;
    blocks.here().copy(before * sizeof(Key), {reinterpret_cast<char*>(block.data()), block.size_bytes()},
                       code_for(type, reverse));
  });
  what.deal_seconds += begin_stage("sorting");
  sort(numbers.handle(), std::less<>(), {.choose_pivots = by});
  f(numbers.handle());
  return bounds.back();
}

/// Writes this process's numbers of a sorted array as a run.
template <class Key>
void store_run(sorting::key_runs<Key>& runs, std::span<const Key> keys) {
  constexpr std::uint64_t k_chunk_keys = 64 << 10;
  const std::uint64_t n = keys.size(), chunks = (n + k_chunk_keys - 1) / k_chunk_keys;
  std::vector<std::vector<typename sorting::key_runs<Key>::block>> stored(chunks);
  local::forall_chunks(0, chunks, 1, [&](std::uint64_t p, std::uint64_t end) {
    for (; p < end; ++p)
      stored[p] = runs.write(keys.subspan(p * k_chunk_keys, std::min(k_chunk_keys, n - p * k_chunk_keys)));
  });
  std::vector<typename sorting::key_runs<Key>::block> run;
  for (const auto& one : stored) run.insert(run.end(), one.begin(), one.end());
  runs.append(std::move(run));
}

/// The runs of a process, and their exchange with other processes.
template <class Key>
struct number_runs {
  std::unique_ptr<sorting::key_runs<Key>> runs;
  std::unique_ptr<sorting::key_exchange<Key>> exchange;
  std::uint64_t stored_bytes = 0;  // of all processes
};

/// Moves all keys to the processes of their ranges.
template <class Key>
void exchange_runs(per_process<number_runs<Key>> all, std::uint64_t memory_bytes) {
  on_all_processes([all, memory_bytes] {
    number_runs<Key>& mine = all.here();
    mine.exchange = std::make_unique<sorting::key_exchange<Key>>(*mine.runs, memory_bytes);
    mine.exchange->choose_ranges();
  });
  on_all_processes([all] { all.here().exchange->cut(); });
  while (all.here().exchange->has_more()) {
    on_all_processes([all] { all.here().exchange->pack(); });
    on_all_processes([all] { all.here().exchange->swap(); });
  }
  on_all_processes([all] {
    all.here().exchange->finish();
    all.here().exchange.reset();
  });
}

/// Merges the runs of all processes to the output.
template <class Key>
void merge_runs(binary_block& block, sorting::key_runs<Key>& runs, const number_code& code,
                io::compression how) {
  const auto merge_to = [&](function_ref<void(const std::string& stored)> take) {
    runs.merge(
        [&](std::span<const Key> keys) {
          std::string text(keys.size_bytes(), '\0');
          code.decode(reinterpret_cast<const char*>(keys.data()), text.data(), keys.size());
          return io::compress(how, std::move(text));
        },
        take,
        [&](std::uint64_t done, std::uint64_t total) {
          if (block.options != nullptr && block.options->progress)
            block.options->progress("writing", done, total);
        });
  };
  sorting::write_merged(block.file, how, {}, block.scratch_folder(), merge_to);
}

/// Sorts the current batch and all later ones into runs, and merges these to the output.
template <class Key>
void sort_by_runs(per_process<binary_block> blocks, binary_type type, bool reverse, io::compression how,
                  std::uint64_t memory_bytes, pivots by, const stage_clock& begin_stage,
                  sort_lines_statistics& what) {
  const scoped_per_process<number_runs<Key>> owned;
  const per_process<number_runs<Key>> all = owned.handle();
  on_all_processes([blocks, all, memory_bytes] {
    all.here().runs = std::make_unique<sorting::key_runs<Key>>(blocks.here().scratch_folder(), memory_bytes);
  });
  for (bool more = true;;) {
    what.lines_read += sort_read<Key>(blocks, type, reverse, by, begin_stage, what, [&](array<Key> numbers) {
      what.sort_seconds += begin_stage("storing");
      on_all_processes([blocks, all, numbers] {
        // The numbers of all cores of the process.
        store_run<Key>(*all.here().runs, {numbers.local().data(), blocks.here().bytes() / sizeof(Key)});
      });
      what.run_seconds += begin_stage("reading");
    });
    if (!more) break;
    more = open_batches(blocks, memory_bytes);
    what.open_seconds += begin_stage("reading");
  }
  on_all_processes([all] {
    number_runs<Key>& mine = all.here();
    for (const std::uint64_t bytes : all_gather_processes(mine.runs->stored_bytes()))
      mine.stored_bytes += bytes;
  });
  what.runs = all.here().runs->size();
  what.run_bytes = all.here().stored_bytes;
  if (processes() > 1) {
    begin_stage("exchanging");
    exchange_runs(all, memory_bytes);
    what.exchange_seconds = begin_stage("writing");
  }
  begin_stage("writing");
  on_all_processes([blocks, all, type, reverse, how] {
    merge_runs(blocks.here(), *all.here().runs, code_for(type, reverse), how);
  });
  what.lines_written = what.lines_read;
}

/// Sorts the opened files as keys. By the main fiber.
template <class Key>
void sort_keys_of(per_process<binary_block> blocks, binary_type type, bool reverse, io::compression how,
                  pivots by, const stage_clock& begin_stage, sort_lines_statistics& what) {
  what.lines_read = sort_read<Key>(blocks, type, reverse, by, begin_stage, what, [&](array<Key> numbers) {
    what.sort_seconds = begin_stage("writing");
    on_all_processes([blocks, type, reverse, how, numbers] {
      blocks.here().write(numbers, code_for(type, reverse), how);
    });
  });
  what.lines_written = what.lines_read;
}

}  // namespace

void sort_binary(const std::vector<std::string>& paths, binary_type type, bool reverse,
                 const std::string& output, const sort_lines_options& options) {
  const io::compression how = io::compression_for(output);
  machine::output_file file(output == "-" ? "/dev/stdout" : output);
  const scoped_per_process<binary_block> owned;
  const per_process<binary_block> blocks = owned.handle();
  blocks.here().file = &file;
  std::uint64_t began = machine::now_ns();
  const auto begin_stage = [&](const char* name) {
    if (options.progress) options.progress(name, 0, 0);
    const std::uint64_t now = machine::now_ns();
    return static_cast<double>(now - std::exchange(began, now)) * 1e-9;
  };
  sort_lines_statistics what;
  begin_stage("reading");
  const std::size_t number_bytes = code_for(type, reverse).bytes;
  files::open_files(blocks, &binary_block::input, paths, files::file_contents::records);
  files::divide_files(blocks, &binary_block::input, {.bytes = number_bytes}, true);
  blocks.here().scratch = options.scratch;
  share_text(blocks, &binary_block::scratch);
  blocks.here().options = &options;
  const std::uint64_t bound = sorting::memory_to_sort(options, blocks.here().memory_needed());
  const bool in_runs = bound != 0 && open_batches(blocks, bound);
  if (bound == 0) on_all_processes([blocks] { blocks.here().open(); });
  what.open_seconds = begin_stage("reading");
  const pivots by = options.choose_pivots;
  const bool is_narrow = number_bytes == sizeof(std::uint32_t);
  if (in_runs && is_narrow)
    sort_by_runs<std::uint32_t>(blocks, type, reverse, how, bound, by, begin_stage, what);
  else if (in_runs)
    sort_by_runs<std::uint64_t>(blocks, type, reverse, how, bound, by, begin_stage, what);
  else if (is_narrow)
    sort_keys_of<std::uint32_t>(blocks, type, reverse, how, by, begin_stage, what);
  else
    sort_keys_of<std::uint64_t>(blocks, type, reverse, how, by, begin_stage, what);
  file.commit();
  what.write_seconds = begin_stage("writing");
  if (options.statistics != nullptr) *options.statistics = what;
}

}  // namespace gossamer
