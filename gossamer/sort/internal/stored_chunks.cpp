#include "gossamer/sort/internal/stored_chunks.hpp"

#include <cstddef>
#include <exception>
#include <span>

#include "gossamer/files/chunk_output.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::sorting {

void stored_chunks::add(const std::string& chunk) {
  if (chunk.empty()) return;
  file_.append(std::as_bytes(std::span(chunk)));
  bytes_.push_back(chunk.size());
}

void stored_chunks::send() const {
  std::uint64_t at = 0;
  std::vector<std::byte> chunk;
  try {
    for (const std::uint64_t n : bytes_) {
      chunk.resize(n);
      file_.read(at, chunk);
      files::send_chunk(chunk);
      at += n;
    }
  } catch (...) {
    files::end_chunks();
    throw;
  }
  files::end_chunks();
}

void write_merged(machine::output_file* file, io::compression how, std::string_view before,
                  const std::string& folder, chunk_merge merge) {
  if (process() != 0) {
    stored_chunks chunks;
    try {
      chunks = stored_chunks(folder);
      merge([&](const std::string& stored) { chunks.add(stored); });
    } catch (...) {
      files::end_chunks();  // process 0 waits; this process's exception ends the job
      throw;
    }
    return chunks.send();
  }
  files::chunk_output out(*file, how);
  out.write(before);
  std::exception_ptr failure;
  try {
    merge([&](const std::string& stored) { out.write_stored(stored); });
  } catch (...) {
    failure = std::current_exception();  // the other processes wait to send
  }
  for (unsigned p = 1; p < processes(); ++p) out.receive(p);
  if (failure) std::rethrow_exception(failure);
  out.finish();
}

}  // namespace gossamer::sorting
