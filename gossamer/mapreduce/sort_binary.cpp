#include "gossamer/mapreduce/sort_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/mapreduce/internal/containers/ordered_key.hpp"
#include "gossamer/mapreduce/internal/lines/line_job.hpp"
#include "gossamer/mapreduce/internal/lines/piece_output.hpp"
#include "gossamer/mapreduce/internal/sorting/key_runs.hpp"
#include "gossamer/mapreduce/sort.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {
namespace {

using mapreduce::output_pieces;
using mapreduce::piece_output;

/// Turns the bytes of numbers into unsigned keys whose ascending order is the one asked for, and back.
struct number_code {
  void (*encode)(const char* from, char* to, std::size_t numbers);
  void (*decode)(const char* from, char* to, std::size_t numbers);
  std::size_t bytes;  // of a number
};

template <class T, bool Descending>
number_code code_of() {
  using code = mapreduce::ordered_key<T, Descending>;
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

/// The files of one process, and its share of their numbers.
class binary_share {
 public:
  std::string paths;  // separated by zero bytes
  machine::output_file* file = nullptr;  // in process 0

  /// Takes the share of the opened files. Throws gossamer::error for a file that ends inside a number.
  void open(std::size_t number_bytes);

  std::uint64_t common_bytes() const { return files_.common_bytes(); }
  std::uint64_t bytes() const { return texts_.bytes(); }

  /// Copies numbers from byte `at` of the share on, encoded.
  void copy(std::uint64_t at, std::span<char> to, const number_code& code) const;

  template <class Key>
  void write(array<Key> numbers, const number_code& code, io::compression how) const;

  /// Estimates the bytes that a sort in memory takes: an array of all numbers, and the room of sort().
  std::uint64_t memory_needed() const { return k_copies * files_.text_bytes(); }
  /// Takes the next portion of the input instead of the share of this process, which is alone, and returns whether more follows.
  bool open_portion(std::size_t number_bytes, std::uint64_t memory_bytes) {
    return portions_.take_numbers(files_, number_bytes, memory_bytes / k_copies, texts_);
  }
  void open_files() { files_.open(paths); }

 private:
  static constexpr std::uint64_t k_copies = 4;  // the text, the array, and the room of sort()

  mapreduce::line_files files_;
  mapreduce::share_reader share_;
  mapreduce::portion_reader portions_;
  mapreduce::line_texts texts_;
};

void binary_share::open(std::size_t number_bytes) { share_.take_numbers(files_, number_bytes, texts_); }

void binary_share::copy(std::uint64_t at, std::span<char> to, const number_code& code) const {
  for (const auto& s : texts_.segments()) {
    if (to.empty()) return;
    if (at >= s.text.size()) {
      at -= s.text.size();
      continue;
    }
    const std::size_t n = std::min<std::size_t>(s.text.size() - at, to.size());
    files_.populate(s.text.substr(at, n), s.file);
    code.encode(s.text.data() + at, to.data(), n / code.bytes);
    to = to.subspan(n);
    at = 0;
  }
}

template <class Key>
void binary_share::write(array<Key> numbers, const number_code& code, io::compression how) const {
  const char* const all =
      reinterpret_cast<const char*>(numbers.local().data());  // of all cores of the process
  const std::uint64_t step = mapreduce::good_piece_bytes(how), end = bytes();
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t at = 0; at < end; at += step) sizes.push_back(std::min(step, end - at));
  const auto fill = [&](std::size_t p, char* to) { code.decode(all + p * step, to, sizes[p] / code.bytes); };
  const auto written = [] {};
  const output_pieces pieces{sizes, fill, written};
  if (process() != 0) return mapreduce::send_pieces(pieces, how);
  piece_output out(*file, how);
  out.write(pieces);
  for (unsigned p = 1; p < processes(); ++p) out.receive(p);
  out.finish();
}

/// Sorts the portion that was read, and all that follow, to runs, and merges these to the output. In a process alone.
template <class Key>
void sort_by_runs(per_process<binary_share> shares, machine::output_file& file, binary_type type,
                  bool reverse, io::compression how, std::uint64_t memory_bytes,
                  const sort_lines_options& options, const std::function<double(const char*)>& begin_stage,
                  sort_lines_statistics& what) {
  constexpr std::uint64_t k_piece_keys = 64 << 10;
  const number_code code = code_for(type, reverse);
  binary_share& mine = shares.here();
  mapreduce::key_runs<Key> runs(options.scratch.empty() ? machine::usual_scratch_folder() : options.scratch,
                                memory_bytes);
  for (bool more = true;;) {
    const std::uint64_t n = mine.bytes() / sizeof(Key);
    machine::require_piece(n * sizeof(Key), "sorting numbers");
    const scoped_array<Key> numbers(n);
    Key* const all = numbers.handle().local().data();  // of all cores, which are of one process
    const std::uint64_t pieces = (n + k_piece_keys - 1) / k_piece_keys;
    const auto piece = [&](std::uint64_t p) {
      return std::span(all + p * k_piece_keys, std::min(k_piece_keys, n - p * k_piece_keys));
    };
    local::forall_chunks(0, pieces, 1, [&](std::uint64_t p, std::uint64_t end) {
      for (; p < end; ++p)
        mine.copy(p * k_piece_keys * sizeof(Key),
                  {reinterpret_cast<char*>(piece(p).data()), piece(p).size_bytes()}, code);
    });
    what.deal_seconds += begin_stage("sorting");
    sort(numbers.handle());
    what.sort_seconds += begin_stage("storing");
    std::vector<std::vector<typename mapreduce::key_runs<Key>::block>> parts(pieces);
    local::forall_chunks(0, pieces, 1, [&](std::uint64_t p, std::uint64_t end) {
      for (; p < end; ++p) parts[p] = runs.write(piece(p));
    });
    std::vector<typename mapreduce::key_runs<Key>::block> run;
    for (const auto& part : parts) run.insert(run.end(), part.begin(), part.end());
    runs.append(std::move(run));
    what.lines_read += n;
    what.run_seconds += begin_stage("reading");
    if (!more) break;
    more = mine.open_portion(sizeof(Key), memory_bytes);
    what.open_seconds += begin_stage("reading");
  }
  begin_stage("writing");
  piece_output out(file, how);
  runs.merge(
      [&](std::span<const Key> keys) {
        std::string text(keys.size_bytes(), '\0');
        code.decode(reinterpret_cast<const char*>(keys.data()), text.data(), keys.size());
        return io::compress(how, std::move(text));
      },
      [&](const std::string& piece) { out.write_stored(piece); },
      [&](std::uint64_t done, std::uint64_t total) {
        if (options.progress) options.progress("writing", done, total);
      });
  what.lines_written = what.lines_read;
  what.runs = runs.size();
  what.run_bytes = runs.stored_bytes();
}

/// Sorts the opened files as keys. By the main fiber.
template <class Key>
void sort_keys_of(per_process<binary_share> shares, binary_type type, bool reverse, io::compression how,
                  const std::function<double(const char*)>& begin_stage, sort_lines_statistics& what) {
  struct counted {
    std::vector<std::uint64_t> numbers;  // by process
    std::uint64_t begin = 0;  // of this process's, in the array
  };
  const scoped_per_process<counted> counts;
  on_all_processes([shares, counts = counts.handle()] {
    counted& mine = counts.here();
    mine.numbers = all_gather_processes(shares.here().bytes() / sizeof(Key));
    for (unsigned p = 0; p < process(); ++p) mine.begin += mine.numbers[p];
  });
  std::vector<std::uint64_t> bounds{0};
  for (const std::uint64_t n : counts.here().numbers) {
    const std::uint64_t begin = bounds.back();
    for (unsigned c = 1; c <= cores_per_process(); ++c)
      bounds.push_back(begin + parallel::share_begin(0, n, c, cores_per_process()));
  }
  machine::require_piece((bounds.back() / processes() + 1) * sizeof(Key), "sorting numbers");
  const scoped_array<Key> numbers(bounds.back(), by_boundaries(bounds));
  on_all_cores([shares, type, reverse, counts = counts.handle(), data = numbers.handle()] {
    const std::span<Key> slice = data.local();
    const std::uint64_t before = data.local_begin() - counts.here().begin;
    shares.here().copy(before * sizeof(Key), {reinterpret_cast<char*>(slice.data()), slice.size_bytes()},
                       code_for(type, reverse));
  });
  what.deal_seconds = begin_stage("sorting");
  sort(numbers.handle());
  what.sort_seconds = begin_stage("writing");
  on_all_processes([shares, type, reverse, how, data = numbers.handle()] {
    shares.here().write(data, code_for(type, reverse), how);
  });
  what.lines_read = what.lines_written = bounds.back();
}

}  // namespace

void sort_binary(const std::vector<std::string>& files, binary_type type, bool reverse,
                 const std::string& output, const sort_lines_options& options) {
  const io::compression how = io::compression_for(output);
  machine::output_file file(output == "-" ? "/dev/stdout" : output);
  const scoped_per_process<binary_share> owned;
  const per_process<binary_share> shares = owned.handle();
  shares.here().paths = mapreduce::joined_paths(files);
  shares.here().file = &file;
  std::uint64_t began = machine::now_ns();
  const auto begin_stage = [&](const char* name) {
    if (options.progress) options.progress(name, 0, 0);
    const std::uint64_t now = machine::now_ns();
    return static_cast<double>(now - std::exchange(began, now)) * 1e-9;
  };
  sort_lines_statistics what;
  begin_stage("reading");
  share_text(shares, &binary_share::paths);
  const std::size_t number_bytes = code_for(type, reverse).bytes;
  if (options.memory_bytes != 0 && processes() > 1)
    throw error(
        "sorting numbers: a bound of the memory needs one process, found more: each holds its numbers in "
        "memory");
  if (processes() == 1) {
    binary_share& mine = shares.here();
    mine.open_files();
    std::uint64_t bound = options.memory_bytes;
    if (bound == 0 && mine.memory_needed() > machine::available_memory())
      bound = machine::available_memory() / 2;
    if (bound != 0) {
      bound = std::max(bound, sort_lines_options::k_least_memory);
      if (mine.open_portion(number_bytes, bound)) {
        what.open_seconds = begin_stage("reading");
        if (number_bytes == sizeof(std::uint32_t))
          sort_by_runs<std::uint32_t>(shares, file, type, reverse, how, bound, options, begin_stage, what);
        else
          sort_by_runs<std::uint64_t>(shares, file, type, reverse, how, bound, options, begin_stage, what);
        file.commit();
        what.write_seconds = begin_stage("writing");
        if (options.statistics != nullptr) *options.statistics = what;
        return;
      }
    } else {
      mine.open(number_bytes);
    }
  } else {
    on_all_processes([shares, number_bytes] {
      shares.here().open_files();
      shares.here().open(number_bytes);
    });
  }
  on_all_processes([shares] { mapreduce::check_same_files(shares.here().common_bytes()); });
  what.open_seconds = begin_stage("reading");
  if (number_bytes == sizeof(std::uint32_t))
    sort_keys_of<std::uint32_t>(shares, type, reverse, how, begin_stage, what);
  else
    sort_keys_of<std::uint64_t>(shares, type, reverse, how, begin_stage, what);
  file.commit();
  what.write_seconds = begin_stage("writing");
  if (options.statistics != nullptr) *options.statistics = what;
}

}  // namespace gossamer
