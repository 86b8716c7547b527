#pragma once
// The files of a job, opened by every process: each must see the same files. Plain files are divided into
// ranges of bytes, one for each process, and these into chunks for the cores. Standard input belongs to
// process 0; a compressed file belongs to one process as a whole.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/io/source.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::files {

/// A chunk of a plain file, for one core: bytes [begin, end), cut at any byte.
struct file_chunk {
  std::uint32_t file;  // number of the file
  std::uint64_t begin, end;  // bytes of the file
  bool begins_in_quotes = false, ends_in_quotes = false;  // where chunks are cut at records
};

/// The kinds of contents.
enum class file_contents : std::uint8_t {
  text,  // perhaps compressed
  numbers,  // perhaps compressed, but no text
  records,  // compressed if the name ends like that: any bytes may begin a file of numbers
  bytes,  // read unchanged, even if they look compressed
};

/// The opened files of a process.
class input_files {
 public:
  std::string names;  // of all files, each followed by a zero byte

  /// Returns the number of files.
  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }
  /// Returns whether there are no files.
  bool empty() const { return files_.empty(); }
  /// Returns a file. Standard input is empty in all processes but the first.
  const io::text_file& operator[](std::size_t number) const { return files_[number]; }

  /// Returns the size on disk of all files that every process can read.
  std::uint64_t common_bytes() const;
  /// Returns the size of all files of this process.
  std::uint64_t bytes() const;

  /// Returns the rule for record ends of the last division.
  const io::record_rule& rule() const { return rule_; }
  /// Returns the chunks of this process, in the order of the input. After a division.
  std::span<const file_chunk> chunks() const { return chunks_; }
  /// Returns whether any process has found quotes, or may have: in a compressed file. After a division at
  /// records.
  bool has_quotes() const { return has_quotes_; }

  /// Returns the records that begin in a chunk.
  std::string_view records_of(const file_chunk& chunk) const;
  /// Returns the records of a plain file that begin in this process's range of it.
  std::string_view records_of(std::size_t number) const;
  /// Returns whether an undivided file belongs to this process: in the order of the input.
  bool is_here(std::size_t number) const;

 private:
  friend void open_files(per_process<input_files> files, const std::vector<std::string>& paths,
                         file_contents what);
  template <class T>
  friend void divide_files(per_process<T> state, input_files T::* member, const io::record_rule& rule,
                           bool in_order);
  void open(file_contents what);
  void divide(const io::record_rule& rule, bool in_order);
  void count_quotes();

  std::vector<io::text_file> files_;
  std::vector<std::uint64_t> before_;  // by file: bytes of divided files before it
  std::uint64_t divided_bytes_ = 0;
  io::record_rule rule_;
  std::vector<file_chunk> chunks_;
  bool has_quotes_ = false;
};

/// Opens files in all processes; "-" is standard input. By one fiber; suspends. Throws gossamer::error for a
/// file that cannot be read or differs between processes, for a pipe that several processes would read, and
/// for text in a known other format.
void open_files(per_process<input_files> files, const std::vector<std::string>& paths, file_contents what);

/// Does the same for objects that have the file names among their members.
template <class T>
void open_files(per_process<T> state, input_files T::* member, const std::vector<std::string>& paths,
                file_contents what) {
  const scoped_per_process<input_files> opened;
  open_files(opened.handle(), paths, what);
  on_all_processes(
      [state, member, opened = opened.handle()] { state.here().*member = std::move(opened.here()); });
}

/// Divides the plain files into chunks. `in_order`: the chunks of the processes follow one another in the
/// order of the input, compressed files included. If quotes matter, all cores count them. By one fiber;
/// suspends. Throws gossamer::error for line ends that are invalid.
template <class T>
void divide_files(per_process<T> state, input_files T::* member, const io::record_rule& rule, bool in_order) {
  on_all_processes([state, member, rule, in_order] { (state.here().*member).divide(rule, in_order); });
  if (rule.has_quotes()) on_all_processes([state, member] { (state.here().*member).count_quotes(); });
}

}  // namespace gossamer::files
