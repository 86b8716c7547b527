#pragma once
// Files for what does not fit the memory. One without a name gives its space back when it is closed, and whatever
// ends the process closes it: nothing can be left behind. A named one stays, for work that is continued later.
// Bytes are appended by one thread; any number of threads read what was appended before.
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
  /// Stands for no file.
  scratch_file() noexcept = default;
  /// Makes a file without a name in a folder. Throws where the folder is missing or may not be written.
  static scratch_file in(const std::string& folder);
  /// Opens the file of this name, or makes an empty one. Appends behind what it holds. Throws where another process, or
  /// another scratch_file, has it open.
  static scratch_file named(const std::string& path);

  scratch_file(scratch_file&& other) noexcept;
  scratch_file& operator=(scratch_file&& other) noexcept;
  ~scratch_file();

  bool is_open() const noexcept { return descriptor_ >= 0; }
  /// Counts the bytes that the file holds.
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Writes behind the last byte, unbuffered, and returns where that is. One thread at a time.
  std::uint64_t append(std::span<const std::byte> bytes);
  /// Reads exactly these bytes. Throws where the file is shorter.
  void read(std::uint64_t at, std::span<std::byte> into) const;
  /// Forgets the bytes from `bytes` on. No thread reads meanwhile.
  void shorten(std::uint64_t bytes);
  /// Returns when all bytes are on the disk.
  void sync();
  /// Closes the file. One without a name is gone.
  void close() noexcept;

 private:
  scratch_file(int descriptor, std::uint64_t bytes, std::string shown)
      : descriptor_(descriptor), bytes_(bytes), shown_(std::move(shown)) {}

  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  std::string shown_;  // for errors
};

/// Returns the folder for scratch files where none is given: $TMPDIR, or /tmp.
std::string usual_scratch_folder();

/// Makes a folder unless it is there. Its parent must exist.
void make_folder(const std::string& path);
/// Returns when the names in a folder are on the disk.
void sync_folder(const std::string& path);
/// Gives a file another name in the same folder, in place of what had that name.
void rename_file(const std::string& from, const std::string& to);
/// Removes a file. Returns false where there was none. Throws where it stays.
bool remove_file(const std::string& path);

}  // namespace gossamer::machine
