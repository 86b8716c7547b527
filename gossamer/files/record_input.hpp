#pragma once
// Binary files of records of one size as the input of a MapReduce job. Files are mapped and read where they lie in the
// page cache; records are in the byte order of this machine.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/files/input_files.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

namespace files {

/// The mapped files of a process, and which records of them are its share: a piece for each task.
struct record_share {
  input_files files;
};

/// Opens the files in all processes. By one fiber; suspends.
void open_records(const std::vector<std::string>& paths, std::size_t record_bytes,
                  per_process<record_share> shares);

}  // namespace files

/// Files of records of type Record, trivially copyable. Every process reads its share of them: each must see the same
/// files. The map function is given each record, by reference; it stays only while the map function runs.
template <class Record>
class record_input {
  static_assert(std::is_trivially_copyable_v<Record>, "records are read as bytes");

 public:
  /// What the map function is given.
  using element = Record;

  /// What a process holds of the input.
  class share {
   public:
    /// Counts the tasks of this process.
    std::uint64_t tasks() const { return records_.files.pieces().size(); }
    /// Calls f for each record of a task.
    template <class F>
    void run(std::uint64_t task, F f) const {
      const files::file_piece& piece = records_.files.pieces()[task];
      const std::string_view bytes = records_.files.records_of(piece);
      records_.files[piece.file].populate(bytes);
      const auto* const first = reinterpret_cast<const Record*>(bytes.data());
      for (const Record& r : std::span(first, bytes.size() / sizeof(Record))) f(r);
      records_.files[piece.file].discard(bytes);
    }

   private:
    friend class record_input;
    files::record_share records_;
  };

  /// Names the files; opens none.
  explicit record_input(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// Opens the files in all processes. By one fiber; suspends. Throws gossamer::error for a file that cannot be read, or
  /// differs between processes, or does not hold a whole number of records.
  void open(per_process<share> shares) const {
    const scoped_per_process<files::record_share> records;
    files::open_records(paths_, sizeof(Record), records.handle());
    on_all_processes(
        [shares, records = records.handle()] { shares.here().records_ = std::move(records.here()); });
  }

 private:
  std::vector<std::string> paths_;
};

}  // namespace gossamer
