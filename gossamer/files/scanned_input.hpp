#pragma once
// Files of records of any kind as the input of a MapReduce job. A user's function returns the length of a
// record, so the beginning of a record follows from the records before it. Every process finds its block by
// scanning the records from the beginning of a file ("hybrid address spaces", section 4.1.1: the generic
// splitter), without messages.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// A record of a file. Converts to std::string_view.
struct scanned_record {
  std::string_view bytes;  ///< valid only while the map function runs
  const io::text_file* from;  ///< the file
  std::uint64_t begin;  ///< where the record begins in the file

  /// Returns the bytes. Implicit, because most map functions need only these.
  operator std::string_view() const { return bytes; }
};

namespace files {

/// Returns the length of the record at the beginning of the rest of a file.
using record_length = function_ref<std::uint64_t(std::string_view)>;

/// Returns the records of this process in chunks: those that begin in its block of all files. Throws gossamer::error for a file that ends
/// inside a record, and for a record of length 0.
std::vector<file_chunk> scan_records(const input_files& files, record_length length);

}  // namespace files

/// Files of records whose lengths a function returns: length(rest), with a std::string_view that begins at a
/// record, returns its length in bytes. It usually reads the head of the record, and is copied as bytes to
/// all processes. Files are mapped, and read unchanged, even if they look compressed. Every process reads its
/// block of them, so each must see the same files. Opening costs a call of `length` for each record of the
/// files up to the end of the block, by one core of each process.
template <class Length>
class scanned_input {
  static_assert(std::is_trivially_copyable_v<Length>, "the function is copied to all processes as bytes");
  static_assert(std::is_invocable_r_v<std::uint64_t, const Length&, std::string_view>,
                "length(rest) returns the bytes of the record that `rest` begins with");

 public:
  /// The argument of the map function.
  using element = scanned_record;

  /// The input of a process.
  class block {
   public:
    /// Returns the number of tasks of this process.
    std::uint64_t tasks() const { return chunks_.size(); }
    /// Calls f for each record of a task.
    template <class F>
    void run(std::uint64_t task, F f) const {
      const files::file_chunk& chunk = chunks_[task];
      const io::text_file& file = files_[chunk.file];
      const std::string_view text = file.text().substr(chunk.begin, chunk.end - chunk.begin);
      file.populate(text);
      for (std::size_t at = 0; at < text.size();) {
        const std::string_view record = text.substr(at, (*length_)(text.substr(at)));
        f(scanned_record{record, &file, chunk.begin + at});
        at += record.size();
      }
      file.discard(text);
    }

   private:
    friend class scanned_input;
    files::input_files files_;
    std::optional<Length> length_;
    std::vector<files::file_chunk> chunks_;
  };

  /// Sets the files; opens none.
  scanned_input(std::vector<std::string> paths, Length length) : paths_(std::move(paths)), length_(length) {}

  /// Opens the files in all processes. By one fiber; suspends. Throws gossamer::error for a file that cannot be read, or
  /// differs between processes, or does not hold whole records.
  void open(per_process<block> blocks) const {
    files::open_files(blocks, &block::files_, paths_, files::file_contents::bytes);
    on_all_processes([blocks, length = length_] {
      block& mine = blocks.here();
      mine.length_.emplace(length);
      mine.chunks_ = files::scan_records(mine.files_, *mine.length_);
    });
  }

 private:
  std::vector<std::string> paths_;
  Length length_;
};

}  // namespace gossamer
