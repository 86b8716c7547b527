#pragma once
// Writes an output that consists of chunks, which cores fill in parallel. To a plain file each chunk is
// written at its place. To a compressed file (by its ending) chunks are written in rounds. To a pipe one core
// writes, in order. With several processes, process 0 writes its own chunks first, and then those that the
// others send. Used by sort, group and wordcount.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"

namespace gossamer::files {

/// The chunks of one process.
struct output_chunks {
  std::span<const std::uint64_t> bytes;  // of each chunk
  function_ref<void(std::size_t chunk, char* to)> fill;  // on any core of the process
  function_ref<void()> written;  // after each chunk, on the core that filled it
};

/// The chunks of one process, if their sizes are known only when they are made.
struct made_chunks {
  std::size_t count;
  function_ref<std::string(std::size_t chunk)> make;  // on any core of the process, once for each chunk
};

/// Returns how many bytes a chunk should have: it stays in a core's cache, and compresses well.
std::uint64_t good_chunk_bytes(io::compression how);

/// The output of process 0. Its functions suspend. After an error they write nothing more, but continue to
/// receive, because other processes wait for it. finish() throws the error.
class chunk_output {
 public:
  chunk_output(machine::output_file& file, io::compression how) : file_(file), how_(how) {}

  /// Appends a text.
  void write(std::string_view text);
  /// Appends data that is already compressed. Throws at once.
  void write_stored(std::string_view stored) { append(stored); }
  /// Appends the chunks of this process; all of its cores write.
  void write(const output_chunks& chunks);
  /// Appends the chunks of this process, which all of its cores make and write, in rounds.
  void write(const made_chunks& chunks);
  /// Appends the chunks that the first core of another process sends by send_chunks().
  void receive(unsigned process);
  /// Ends the output, and throws the first error. An empty compressed output is one empty member or frame.
  void finish();

 private:
  void write_in_place(const output_chunks& chunks);
  template <class F>
  void guarded(F f);
  void append(std::string_view stored);
  template <class Chunks>
  void append_rounds(const Chunks& chunks);

  machine::output_file& file_;
  const io::compression how_;
  std::uint64_t position_ = 0;
  std::exception_ptr failure_;
};

/// Sends a chunk, which is not empty, to process 0, which calls chunk_output::receive(). Suspends.
void send_chunk(std::span<const std::byte> chunk);
/// Notifies process 0 that there are no more chunks. Call also if this process fails, because process 0
/// waits. Suspends.
void end_chunks();

/// Fills chunks on all cores of this process and sends them to process 0, a few at a time. On the first core;
/// suspends.
void send_chunks(const output_chunks& chunks, io::compression how);
/// Does the same for chunks that are made: while process 0 writes others, this process buffers up to 128 MiB
/// of them.
void send_chunks(const made_chunks& chunks, io::compression how);

}  // namespace gossamer::files
