#include "gossamer/io/scratch_blocks.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/checksum.hpp"

namespace gossamer::io {
namespace {

constexpr int k_level = 1;
constexpr std::size_t k_least_gain = 8;  // smaller savings than an eighth are not worth decompressing

[[noreturn]] void refuse(const block_place& place, const std::string& what) {
  throw error(fmt::format("a block of a scratch file is damaged: {} bytes at byte {}: {}", place.stored,
                          place.at, what));
}

}  // namespace

struct block_codec::state {
  ZSTD_CCtx* compressor = nullptr;
  ZSTD_DCtx* decompressor = nullptr;
  std::vector<std::byte> stored;

  ~state() {
    ZSTD_freeCCtx(compressor);
    ZSTD_freeDCtx(decompressor);
  }
  void fetch(const machine::scratch_file& from, const block_place& place) {
    stored.resize(place.stored);
    from.read(place.at, stored);
  }
};

block_codec::block_codec() : state_(std::make_unique<state>()) {}
block_codec::~block_codec() = default;
block_codec::block_codec(block_codec&&) noexcept = default;
block_codec& block_codec::operator=(block_codec&&) noexcept = default;

block_place block_codec::write(machine::scratch_file& to, std::span<const std::byte> raw) {
  state& s = *state_;
  if (s.compressor == nullptr) s.compressor = ZSTD_createCCtx();
  if (s.compressor == nullptr) throw error("no memory to compress");
  s.stored.resize(ZSTD_compressBound(raw.size()));
  const std::size_t size =
      ZSTD_compressCCtx(s.compressor, s.stored.data(), s.stored.size(), raw.data(), raw.size(), k_level);
  if (ZSTD_isError(size)) throw error(fmt::format("zstd failed to compress: {}", ZSTD_getErrorName(size)));
  const bool shrinks = size < raw.size() - raw.size() / k_least_gain;
  const std::span<const std::byte> stored = shrinks ? std::span<const std::byte>(s.stored).first(size) : raw;
  return {to.append(stored), stored.size(), raw.size(), checksum(stored)};
}

void block_codec::read(const machine::scratch_file& from, const block_place& place,
                       std::vector<std::byte>& into) {
  state& s = *state_;
  if (place.stored == place.raw) {
    into.resize(place.raw);
    from.read(place.at, into);
    if (checksum(into) != place.sum) refuse(place, "its checksum differs");
    return;
  }
  s.fetch(from, place);
  if (checksum(s.stored) != place.sum) refuse(place, "its checksum differs");
  if (s.decompressor == nullptr) s.decompressor = ZSTD_createDCtx();
  if (s.decompressor == nullptr) throw error("no memory to decompress");
  into.resize(place.raw);
  const std::size_t size =
      ZSTD_decompressDCtx(s.decompressor, into.data(), into.size(), s.stored.data(), s.stored.size());
  if (ZSTD_isError(size)) refuse(place, ZSTD_getErrorName(size));
  if (size != place.raw) refuse(place, fmt::format("expected {} bytes of text, found {}", place.raw, size));
}

bool block_codec::is_whole(const machine::scratch_file& file, const block_place& place) {
  if (place.stored > file.bytes() || place.at > file.bytes() - place.stored) return false;
  state_->fetch(file, place);
  return checksum(state_->stored) == place.sum;
}

run_writer::run_writer(machine::scratch_file& to, block_codec& codec, std::size_t block_bytes)
    : to_(&to), codec_(&codec), block_bytes_(block_bytes) {}

std::span<std::byte> run_writer::add(std::size_t bytes) {
  if (!block_.empty() && block_.size() + bytes > block_bytes_) flush();
  if (block_.capacity() < block_bytes_) block_.reserve(block_bytes_);
  const std::size_t before = block_.size();
  block_.resize(before + bytes);
  return std::span(block_).subspan(before);
}

void run_writer::flush() {
  if (block_.empty()) return;
  run_.push_back(codec_->write(*to_, block_));
  block_.clear();
}

block_run run_writer::finish() {
  flush();
  return std::exchange(run_, {});
}

std::span<const std::byte> run_reader::next() {
  if (at_ == run_->size()) return {};
  codec_->read(*from_, (*run_)[at_++], block_);
  return block_;
}

}  // namespace gossamer::io
