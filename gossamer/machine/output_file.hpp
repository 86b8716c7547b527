#pragma once
// A file that appears complete or not at all: data go to an unnamed file in the folder of the target, and
// commit() names it. Without commit() nothing is left, however the process ends. Some file systems have no
// unnamed files (NFS, some overlays). There the file has a name beside the target; an exception or a signal
// (interrupt.hpp) removes it, but not a kill.
// The target keeps its permissions if it existed, and owner and group where this process may set them; the
// file is never open to more users. A symbolic link keeps pointing to it.
// Devices, pipes and /dev/stdout are written directly: written data stay written.
// Every failure, a full disk included, is a gossamer::error of one line:
// "cannot write out.tsv: No space left on device".

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gossamer::machine {

class output_file {
 public:
  /// Creates the file. Throws if the folder is missing or the target may not be written.
  explicit output_file(std::string path);

  output_file(output_file&&) noexcept;
  output_file& operator=(output_file&&) noexcept;
  ~output_file();

  const std::string& path() const noexcept;

  /// Returns false for pipes and devices, which do not support resize(), write_at() or map().
  bool is_regular() const noexcept;

  /// Appends, through a buffer of 1 MiB. One thread at a time.
  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);

  /// Sets the size and allocates the disk space now, so that writing cannot run out of it later (if the file
  /// system can promise that). Regular files only.
  void resize(std::uint64_t bytes);

  /// Writes at an offset. Any number of threads at once. Regular files only; unbuffered.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

  /// Returns the bytes as memory, after resize(). Any number of threads may fill them. Valid until commit().
  std::span<std::byte> map();

  /// Writes the buffer, closes, and names the file. Nothing can be written afterwards. Does not force the
  /// bytes to the disk (no fsync): a power cut may lose them.
  void commit();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::machine
