#include "gossamer/mapreduce/internal/lines/stored_pieces.hpp"

#include <cstddef>
#include <span>

#include "gossamer/mapreduce/internal/lines/piece_output.hpp"

namespace gossamer::mapreduce {

void stored_pieces::add(const std::string& piece) {
  if (piece.empty()) return;
  file_.append(std::as_bytes(std::span(piece)));
  bytes_.push_back(piece.size());
}

void stored_pieces::send() const {
  std::uint64_t at = 0;
  std::vector<std::byte> piece;
  try {
    for (const std::uint64_t n : bytes_) {
      piece.resize(n);
      file_.read(at, piece);
      send_piece(piece);
      at += n;
    }
  } catch (...) {
    end_pieces();
    throw;
  }
  end_pieces();
}

}  // namespace gossamer::mapreduce
