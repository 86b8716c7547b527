#include "gossamer/graph/decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer::graph {
namespace {

bool starts_with(std::span<const std::byte> data, std::initializer_list<unsigned> bytes) {
  return data.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), data.begin(),
                    [](unsigned want, std::byte got) { return std::byte(want) == got; });
}

class gzip_reader final : public decompressor {
 public:
  gzip_reader(std::span<const std::byte> file, std::string path)
      : rest_(file), total_(file.size()), path_(std::move(path)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw error(path_ + ": no memory to decompress gzip data");
  }
  ~gzip_reader() override { inflateEnd(&stream_); }
  gzip_reader(const gzip_reader&) = delete;
  gzip_reader& operator=(const gzip_reader&) = delete;

  std::size_t read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && !ended_) {
      const std::size_t room = std::min(out.size() - done, k_most);
      done += step(out.subspan(done, room));
    }
    return done;
  }
  std::uint64_t consumed() const override { return total_ - rest_.size(); }

 private:
  static constexpr std::size_t k_most = std::size_t{1} << 30;  // zlib counts in 32 bits

  std::size_t step(std::span<char> out) {
    if (rest_.empty())
      throw error(fmt::format("{}: truncated: the gzip data ends after {} bytes, before its end mark", path_,
                              total_));
    const std::size_t given = std::min(rest_.size(), k_most);
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    rest_ = rest_.subspan(given - stream_.avail_in);
    if (status == Z_STREAM_END)
      next_member();
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw error(fmt::format("{}: damaged gzip data near byte {}: {}", path_, consumed(),
                              stream_.msg ? stream_.msg : "expected a valid block"));
    return out.size() - stream_.avail_out;
  }

  void next_member() {
    if (rest_.empty()) {
      ended_ = true;
      return;
    }
    if (!starts_with(rest_, {0x1f, 0x8b}))
      throw error(fmt::format("{}: expected the end of the gzip data at byte {}, found {} more bytes", path_,
                              consumed(), rest_.size()));
    inflateReset(&stream_);
  }

  z_stream stream_{};
  std::span<const std::byte> rest_;
  std::uint64_t total_;
  std::string path_;
  bool ended_ = false;
};

class zstd_reader final : public decompressor {
 public:
  zstd_reader(std::span<const std::byte> file, std::string path)
      : context_(ZSTD_createDCtx()), in_{file.data(), file.size(), 0}, path_(std::move(path)) {
    if (!context_) throw error(path_ + ": no memory to decompress zstd data");
  }
  ~zstd_reader() override { ZSTD_freeDCtx(context_); }
  zstd_reader(const zstd_reader&) = delete;
  zstd_reader& operator=(const zstd_reader&) = delete;

  std::size_t read(std::span<char> to) override {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size) {
      const std::size_t before = out.pos;
      const std::size_t begun = in_.pos;
      if (in_.pos == in_.size && between_frames_) break;
      const std::size_t status = ZSTD_decompressStream(context_, &out, &in_);
      if (ZSTD_isError(status))
        throw error(
            fmt::format("{}: damaged zstd data near byte {}: {}", path_, in_.pos, ZSTD_getErrorName(status)));
      between_frames_ = status == 0;
      if (!between_frames_ && in_.pos == in_.size && out.pos < out.size && out.pos == before &&
          in_.pos == begun)
        throw error(
            fmt::format("{}: truncated: the zstd data ends after {} bytes, inside a frame", path_, in_.size));
    }
    return out.pos;
  }
  std::uint64_t consumed() const override { return in_.pos; }

 private:
  ZSTD_DCtx* context_;
  ZSTD_inBuffer in_;
  std::string path_;
  bool between_frames_ = true;
};

}  // namespace

compression detect_compression(std::span<const std::byte> file) {
  if (starts_with(file, {0x1f, 0x8b})) return compression::gzip;
  if (starts_with(file, {0x28, 0xb5, 0x2f, 0xfd})) return compression::zstd;
  // a skippable frame: 0x184d2a50 to 0x184d2a5f, lowest byte first
  if (file.size() >= 4 && (file[0] & std::byte{0xf0}) == std::byte{0x50} &&
      starts_with(file.subspan(1), {0x2a, 0x4d, 0x18}))
    return compression::zstd;
  return compression::none;
}

std::unique_ptr<decompressor> make_decompressor(compression how, std::span<const std::byte> file,
                                                std::string path) {
  if (how == compression::gzip) return std::make_unique<gzip_reader>(file, std::move(path));
  return std::make_unique<zstd_reader>(file, std::move(path));
}

}  // namespace gossamer::graph
