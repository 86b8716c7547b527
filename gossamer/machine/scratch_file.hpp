#pragma once
// Files for data that do not fit the memory. An unnamed file frees its space when it is closed, also when the
// process is killed. A named file stays, for work that a later start continues. One thread appends; any
// number of threads read what was appended before.
// Every failure, a full disk included, is a gossamer::error of one line:
// "cannot write a scratch file in /tmp: No space left on device".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gossamer::machine {

/// Owns an open file. Movable, not copyable.
class scratch_file {
 public:
  /// Makes an object without a file.
  scratch_file() noexcept = default;
  /// Makes an unnamed file in a folder. Throws if the folder is missing or may not be written.
  static scratch_file in(const std::string& folder);
  /// Opens the file of this name, or makes an empty one. Appends behind its contents. Throws if another
  /// process, or another scratch_file, has it open.
  static scratch_file named(const std::string& path);

  scratch_file(scratch_file&& other) noexcept;
  scratch_file& operator=(scratch_file&& other) noexcept;
  ~scratch_file();

  bool is_open() const noexcept { return descriptor_ >= 0; }
  /// Returns the size of the file in bytes.
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Appends without a buffer, and returns the offset. One thread at a time.
  std::uint64_t append(std::span<const std::byte> bytes);
  /// Reads exactly these bytes. Throws if the file is shorter.
  void read(std::uint64_t at, std::span<std::byte> into) const;
  /// Truncates the file to `bytes`. No thread may read meanwhile.
  void shorten(std::uint64_t bytes);
  /// Returns after all bytes are on the disk (fsync).
  void sync();
  /// Closes the file. An unnamed file is deleted.
  void close() noexcept;

 private:
  scratch_file(int descriptor, std::uint64_t bytes, std::string shown)
      : descriptor_(descriptor), bytes_(bytes), shown_(std::move(shown)) {}

  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  std::string shown_;  // for errors
};

/// Returns the default folder for scratch files: $TMPDIR, or /tmp.
std::string usual_scratch_folder();

/// Makes a folder unless it exists. Its parent must exist.
void make_folder(const std::string& path);
/// Returns after the names in a folder are on the disk.
void sync_folder(const std::string& path);
/// Renames a file inside its folder, and replaces a file with the new name.
void rename_file(const std::string& from, const std::string& to);
/// Removes a file. Returns false if there was none. Throws if it cannot be removed.
bool remove_file(const std::string& path);

}  // namespace gossamer::machine
