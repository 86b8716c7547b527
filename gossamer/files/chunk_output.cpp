#include "gossamer/files/chunk_output.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::files {
namespace {

constexpr std::size_t k_round_chunks = 4;  // for each core
constexpr std::size_t k_round_made_chunks = 16;  // the same
constexpr std::size_t k_most_held_bytes = std::size_t{128} << 20;  // of made chunks that wait for process 0
constexpr message_tag k_chunk_tag = tag_in(0xfffe, 1);

std::unique_ptr<char[]> room_for(std::uint64_t bytes) {
  machine::require_chunk(bytes, "writing sorted lines");
  return std::make_unique_for_overwrite<char[]>(bytes);
}

/// Makes chunks from `begin` to `end` on all cores, and compresses them. Calls made(p - begin) after each, on
/// the same core.
template <class Make, class Made>
std::vector<std::string> make_round(std::size_t begin, std::size_t end, io::compression how, Make make,
                                    Made made) {
  std::vector<std::string> round(end - begin);
  local::forall_chunks(begin, end, 1, [&](std::uint64_t p, std::uint64_t last) {
    for (; p < last; ++p) {
      std::string text = make(p);
      if (!text.empty()) round[p - begin] = io::compress(how, std::move(text));
      made(p - begin);
    }
  });
  return round;
}

/// Calls take() for each round of filled chunks, in order, and made() as make_round() says.
template <class Take, class Made>
void fill_rounds(const output_chunks& chunks, io::compression how, Take take, Made made) {
  for (std::size_t begin = 0, end = 0; begin < chunks.bytes.size(); begin = end) {
    end = std::min(begin + k_round_chunks * local::cores(), chunks.bytes.size());
    const auto make = [&](std::size_t p) {
      machine::require_chunk(chunks.bytes[p], "writing sorted lines");
      std::string text(chunks.bytes[p], '\0');
      chunks.fill(p, text.data());
      chunks.written();
      return text;
    };
    take(make_round(begin, end, how, make, made));
  }
}
/// Does the same for chunks that are made.
template <class Take, class Made>
void fill_rounds(const made_chunks& chunks, io::compression how, Take take, Made made) {
  for (std::size_t begin = 0, end = 0; begin < chunks.count; begin = end) {
    end = std::min(begin + k_round_made_chunks * local::cores(), chunks.count);
    take(make_round(begin, end, how, chunks.make, made));
  }
}
constexpr auto k_nothing_else = [](std::size_t) {};

void send_round(const std::vector<std::string>& round) {
  for (const std::string& chunk : round)
    if (!chunk.empty()) send_chunk(std::as_bytes(std::span(chunk)));
}

/// Calls f, then notifies process 0 that no chunk follows, even if f throws: this process's exception ends
/// the job.
template <class F>
void ended(F f) {
  try {
    f();
  } catch (...) {
    end_chunks();
    throw;
  }
  end_chunks();
}

}  // namespace

std::uint64_t good_chunk_bytes(io::compression how) {
  return how == io::compression::none ? std::uint64_t{256} << 10 : std::uint64_t{1} << 20;
}

/// Calls f() unless an error has occurred, and stores the error of f.
template <class F>
void chunk_output::guarded(F f) {
  if (failure_) return;
  try {
    f();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void chunk_output::append(std::string_view stored) {
  if (file_.is_regular())
    file_.write_at(position_, std::as_bytes(std::span(stored)));
  else
    file_.write(stored);
  position_ += stored.size();
}

void chunk_output::write(std::string_view text) {
  guarded([&] {
    if (!text.empty()) append(io::compress(how_, std::string(text)));
  });
}

void chunk_output::write(const output_chunks& chunks) {
  guarded([&] {
    if (how_ == io::compression::none && file_.is_regular()) return write_in_place(chunks);
    append_rounds(chunks);
  });
}

void chunk_output::write(const made_chunks& chunks) {
  guarded([&] { append_rounds(chunks); });
}

/// Appends chunks in rounds. While the cores make a round they write the previous one, because a file accepts
/// one write at a time.
template <class Chunks>
void chunk_output::append_rounds(const Chunks& chunks) {
  struct {
    std::vector<std::string> chunks;
    std::vector<std::uint64_t> places;
  } round;
  // Writes a chunk of the round, or all of them if the file does not support write_at().
  const auto write_chunk = [&](std::size_t p) {
    if (p >= round.chunks.size()) return;
    if (file_.is_regular())
      file_.write_at(round.places[p], std::as_bytes(std::span(round.chunks[p])));
    else if (p == 0)
      for (const std::string& chunk : round.chunks) file_.write(chunk);
  };
  const auto write_from = [&](std::size_t p) {
    for (; p < round.chunks.size(); ++p) write_chunk(p);
  };
  const auto take = [&](std::vector<std::string> next) {
    write_from(next.size());
    round.chunks = std::move(next);
    round.places.clear();
    for (const std::string& chunk : round.chunks) {
      round.places.push_back(position_);
      position_ += chunk.size();
    }
  };
  fill_rounds(chunks, how_, take, write_chunk);
  write_from(0);
}

/// Writes each chunk to its place in the file, on the core that has filled it.
void chunk_output::write_in_place(const output_chunks& chunks) {
  std::vector<std::uint64_t> places;
  for (const std::uint64_t bytes : chunks.bytes) {
    places.push_back(position_);
    position_ += bytes;
  }
  struct buffer {
    std::unique_ptr<char[]> data;
    std::uint64_t size = 0;
  };
  const local::scoped_per_core<buffer> buffers;
  local::forall_chunks(0, places.size(), 1,
                       [&, buffers = buffers.handle()](std::uint64_t p, std::uint64_t last) {
                         buffer& mine = buffers.here();
                         for (; p < last; ++p) {
                           const std::uint64_t bytes = chunks.bytes[p];
                           if (mine.size < bytes) mine = {room_for(bytes), bytes};
                           chunks.fill(p, mine.data.get());
                           file_.write_at(places[p], std::as_bytes(std::span(mine.data.get(), bytes)));
                           chunks.written();
                         }
                         // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the buffers go with the scope
                       });
}

void chunk_output::finish() {
  guarded([&] {
    if (position_ == 0 && how_ != io::compression::none) append(io::compress(how_, {}));
  });
  if (failure_) std::rethrow_exception(failure_);
}

void chunk_output::receive(unsigned process) {
  const core_id from = first_core(process);
  while (const auto bytes = message::receive_value<std::uint64_t>(from, k_chunk_tag)) {
    const auto text =
        std::make_unique_for_overwrite<char[]>(bytes);  // of a size that its sender could allocate
    (void)message::receive(from, k_chunk_tag, std::as_writable_bytes(std::span(text.get(), bytes)));
    guarded([&] { append({text.get(), bytes}); });
  }
}

void send_chunk(std::span<const std::byte> chunk) {
  message::send_value(0, k_chunk_tag, std::uint64_t{chunk.size()});
  message::send(0, k_chunk_tag, chunk);
}

void end_chunks() { message::send_value(0, k_chunk_tag, std::uint64_t{0}); }

void send_chunks(const output_chunks& chunks, io::compression how) {
  ended([&] { fill_rounds(chunks, how, send_round, k_nothing_else); });
}

void send_chunks(const made_chunks& chunks, io::compression how) {
  std::vector<std::string> held;
  std::size_t bytes = 0;
  const auto send = [&] {
    send_round(held);
    held.clear();
    bytes = 0;
  };
  ended([&] {
    fill_rounds(
        chunks, how,
        [&](std::vector<std::string> round) {
          for (std::string& chunk : round) {
            bytes += chunk.size();
            held.push_back(std::move(chunk));
          }
          if (bytes >= k_most_held_bytes) send();
        },
        k_nothing_else);
    send();
  });
}

}  // namespace gossamer::files
