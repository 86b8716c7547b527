#pragma once
// Binary files of records of one size as the input of a MapReduce job. Files are mapped and read in place in
// the page cache; records are in the byte order of this machine.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gossamer/files/input_files.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

namespace files {

/// Throws gossamer::error for a file that ends inside a record.
void check_records(const input_files& files, std::size_t record_bytes);

}  // namespace files

/// Files of records of type Record, trivially copyable. Every process reads its block of them: each must see
/// the same files. The map function receives a reference to each record, which is valid only while the
/// function runs.
template <class Record>
class record_input {
  static_assert(std::is_trivially_copyable_v<Record>, "records are read as bytes");

 public:
  /// The argument of the map function.
  using element = Record;

  /// The input of a process.
  class block {
   public:
    /// Returns the number of tasks of this process.
    std::uint64_t tasks() const { return files_.chunks().size(); }
    /// Calls f for each record of a task.
    template <class F>
    void run(std::uint64_t task, F f) const {
      const files::file_chunk& chunk = files_.chunks()[task];
      const std::string_view bytes = files_.records_of(chunk);
      files_[chunk.file].populate(bytes);
      const auto* const first = reinterpret_cast<const Record*>(bytes.data());
      for (const Record& r : std::span(first, bytes.size() / sizeof(Record))) f(r);
      files_[chunk.file].discard(bytes);
    }

   private:
    friend class record_input;
    files::input_files files_;
  };

  /// Sets the files; opens none.
  explicit record_input(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// Opens the files in all processes. By one fiber; suspends. Throws gossamer::error for a file that cannot
  /// be read, differs between processes, or does not have a whole number of records.
  void open(per_process<block> blocks) const {
    files::open_files(blocks, &block::files_, paths_, files::file_contents::bytes);
    on_all_processes([blocks] { files::check_records(blocks.here().files_, sizeof(Record)); });
    files::divide_files(blocks, &block::files_, {.bytes = sizeof(Record)}, false);
  }

 private:
  std::vector<std::string> paths_;
};

}  // namespace gossamer
