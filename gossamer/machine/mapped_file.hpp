#pragma once
// A whole file, readable as memory. Regular files are mapped (the page cache itself, no copy). Pipes and
// devices cannot be mapped, and are read into memory to their end. Errors are one line: "cannot read
// data/x.tsv: No such file or directory". If a mapped file shrinks while it is read, the program ends with
// one line that names it (fault.hpp) instead of a bare SIGBUS.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/machine/memory.hpp"

namespace gossamer::machine {

/// The expected access pattern, a hint for the kernel's read-ahead.
enum class access {
  sequential,  // in order: read far ahead
  random,      // read nothing ahead
  will_need,   // start reading all of it now, in the background
  populate,    // read and map all of it before returning: no page faults later
};

class mapped_file {
 public:
  mapped_file() noexcept = default;

  /// Opens and maps the file. An empty file gives no bytes. Throws gossamer::error for a missing or
  /// unreadable file, and for a directory.
  explicit mapped_file(std::string path, access pattern = access::sequential);

  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const noexcept { return path_; }

  /// Maps [offset, offset+bytes) into this process in one system call instead of a fault per page. Several
  /// threads may each populate their part. Never fails: a hint.
  void populate(std::size_t offset, std::size_t bytes) const noexcept;

  /// Unmaps pages that have been read (they stay in the page cache), so that they do not count as used.
  void discard(std::size_t offset, std::size_t bytes) const noexcept;

 private:
  std::string path_;
  memory_region copy_;  // a copy of what cannot be mapped
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  int watch_ = -1;  // entry in the table that names mapped files to the fault handler
};

/// Reads the first bytes of a file, at most `bytes`, to recognise a format. Throws the same errors as
/// mapped_file. Returns nothing for pipes and devices, which would lose what is read from them.
std::string read_file_prefix(const std::string& path, std::size_t bytes);

/// Returns the size of a regular file; 0 for pipes and devices. Throws the same errors as mapped_file.
std::uint64_t file_bytes(const std::string& path);

}  // namespace gossamer::machine
