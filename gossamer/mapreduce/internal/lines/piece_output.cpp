#include "gossamer/mapreduce/internal/lines/piece_output.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::mapreduce {
namespace {

constexpr std::size_t k_round_pieces = 4;  // for each core
constexpr message_tag k_piece_tag = tag_in(0xfffe, 1);

std::unique_ptr<char[]> room_for(std::uint64_t bytes) {
  machine::require_piece(bytes, "writing sorted lines");
  return std::make_unique_for_overwrite<char[]>(bytes);
}

/// Fills pieces from `begin` on by all cores, compresses them, and calls f for each in order. Returns where the round ends.
template <class F>
std::size_t fill_round(const output_pieces& pieces, io::compression how, std::size_t begin, F f) {
  const std::size_t end = std::min(begin + k_round_pieces * local::cores(), pieces.bytes.size());
  std::vector<std::string> round(end - begin);
  local::forall_chunks(begin, end, 1, [&](std::uint64_t p, std::uint64_t last) {
    for (; p < last; ++p) {
      machine::require_piece(pieces.bytes[p], "writing sorted lines");
      std::string text(pieces.bytes[p], '\0');
      pieces.fill(p, text.data());
      round[p - begin] = io::compress(how, std::move(text));
      pieces.written();
    }
  });
  for (const std::string& piece : round) f(std::string_view(piece));
  return end;
}

}  // namespace

std::uint64_t good_piece_bytes(io::compression how) {
  return how == io::compression::none ? std::uint64_t{256} << 10 : std::uint64_t{1} << 20;
}

/// Calls f() unless something went wrong, and notes what goes wrong.
template <class F>
void piece_output::guarded(F f) {
  if (failure_) return;
  try {
    f();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void piece_output::append(std::string_view stored) {
  if (file_.is_regular())
    file_.write_at(position_, std::as_bytes(std::span(stored)));
  else
    file_.write(stored);
  position_ += stored.size();
}

void piece_output::write(std::string_view text) {
  guarded([&] {
    if (!text.empty()) append(io::compress(how_, std::string(text)));
  });
}

void piece_output::write(const output_pieces& pieces) {
  guarded([&] {
    if (how_ == io::compression::none && file_.is_regular()) return write_in_place(pieces);
    for (std::size_t p = 0; p < pieces.bytes.size();)
      p = fill_round(pieces, how_, p, [this](std::string_view piece) { append(piece); });
  });
}

/// Writes each piece to its place, on the core that has filled it.
void piece_output::write_in_place(const output_pieces& pieces) {
  std::vector<std::uint64_t> places;
  for (const std::uint64_t bytes : pieces.bytes) {
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
                           const std::uint64_t bytes = pieces.bytes[p];
                           if (mine.size < bytes) mine = {room_for(bytes), bytes};
                           pieces.fill(p, mine.data.get());
                           file_.write_at(places[p], std::as_bytes(std::span(mine.data.get(), bytes)));
                           pieces.written();
                         }
                       });
}

void piece_output::receive(unsigned process) {
  const core_id from = first_core(process);
  while (const auto bytes = message::receive_value<std::uint64_t>(from, k_piece_tag)) {
    const auto text =
        std::make_unique_for_overwrite<char[]>(bytes);  // of a size that its sender had room for
    (void)message::receive(from, k_piece_tag, std::as_writable_bytes(std::span(text.get(), bytes)));
    guarded([&] { append({text.get(), bytes}); });
  }
}

void send_piece(std::span<const std::byte> piece) {
  message::send_value(0, k_piece_tag, std::uint64_t{piece.size()});
  message::send(0, k_piece_tag, piece);
}

void end_pieces() { message::send_value(0, k_piece_tag, std::uint64_t{0}); }

void send_pieces(const output_pieces& pieces, io::compression how) {
  try {
    for (std::size_t p = 0; p < pieces.bytes.size();)
      p = fill_round(pieces, how, p,
                     [](std::string_view piece) { send_piece(std::as_bytes(std::span(piece))); });
  } catch (...) {
    end_pieces();  // this process's exception ends the job
    throw;
  }
  end_pieces();
}

}  // namespace gossamer::mapreduce
