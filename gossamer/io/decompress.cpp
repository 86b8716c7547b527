#include "gossamer/io/decompress.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::io {
namespace {

bool starts_with(std::span<const std::byte> data, std::initializer_list<unsigned> bytes) {
  return data.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), data.begin(),
                    [](unsigned want, std::byte got) { return std::byte(want) == got; });
}

class gzip_reader final : public decompressor {
 public:
  gzip_reader(std::span<const std::byte> file, std::string path, std::uint64_t before)
      : rest_(file), total_(before + file.size()), path_(std::move(path)) {
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

  // Continues with the next member, or ends. Skips zero bytes between members: tapes and disk blocks are
  // padded with them.
  void next_member() {
    while (!rest_.empty() && rest_.front() == std::byte{0}) rest_ = rest_.subspan(1);
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

// Memory that data may need to be decompressed, its window or dictionary, before the system is asked whether it is available.
constexpr std::uint64_t k_usual_memory = std::uint64_t{128} << 20;

/// Returns the bytes of the window of a frame, which `zstd --long` makes larger; 0 if it is not told. A frame of a single segment has
/// all of its text as its window.
std::uint64_t window_of(std::span<const std::byte> frame) {
  constexpr std::size_t k_descriptor = 4;  // bytes of the magic number before it
  constexpr auto k_single_segment = std::byte{0x20};
  if (!starts_with(frame, {0x28, 0xb5, 0x2f, 0xfd}) || frame.size() < k_descriptor + 2) return 0;
  if ((frame[k_descriptor] & k_single_segment) != std::byte{0}) {
    const unsigned long long text = ZSTD_getFrameContentSize(frame.data(), frame.size());
    return text == ZSTD_CONTENTSIZE_ERROR || text == ZSTD_CONTENTSIZE_UNKNOWN ? 0 : text;
  }
  const auto window = std::to_integer<unsigned>(frame[k_descriptor + 1]);
  const std::uint64_t base = std::uint64_t{1} << (10 + window / 8);
  return base + base / 8 * (window % 8);
}

class zstd_reader final : public decompressor {
 public:
  zstd_reader(std::span<const std::byte> file, std::string path, std::uint64_t before)
      : context_(ZSTD_createDCtx()),
        in_{file.data(), file.size(), 0},
        before_(before),
        path_(std::move(path)) {
    if (!context_) throw error(path_ + ": no memory to decompress zstd data");
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, k_most_window_bits);
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
      if (between_frames_) begin_frame();
      const std::size_t status = ZSTD_decompressStream(context_, &out, &in_);
      if (ZSTD_isError(status))
        throw error(fmt::format("{}: damaged zstd data near byte {}: {}", path_, consumed(),
                                ZSTD_getErrorName(status)));
      between_frames_ = status == 0;
      if (!between_frames_ && in_.pos == in_.size && out.pos < out.size && out.pos == before &&
          in_.pos == begun)
        throw error(fmt::format("{}: truncated: the zstd data ends after {} bytes, inside a frame", path_,
                                consumed()));
    }
    return out.pos;
  }
  std::uint64_t consumed() const override { return before_ + in_.pos; }

 private:
  static constexpr int k_most_window_bits = sizeof(void*) == 8 ? 31 : 30;

  void begin_frame() {
    const std::uint64_t window =
        window_of({static_cast<const std::byte*>(in_.src) + in_.pos, in_.size - in_.pos});
    if (window <= std::max(window_, k_usual_memory)) return;  // the context keeps what it has
    machine::require_memory(window, fmt::format("{}: the window of the zstd data", path_));
    window_ = window;
  }

  ZSTD_DCtx* context_;
  ZSTD_inBuffer in_;
  std::uint64_t window_ = 0;  // the largest one of the frames so far
  std::uint64_t before_;
  std::string path_;
  bool between_frames_ = true;
};

class bzip2_reader final : public decompressor {
 public:
  bzip2_reader(std::span<const std::byte> file, std::string path, std::uint64_t before)
      : rest_(file), total_(before + file.size()), path_(std::move(path)) {
    begin();
  }
  ~bzip2_reader() override { BZ2_bzDecompressEnd(&stream_); }
  bzip2_reader(const bzip2_reader&) = delete;
  bzip2_reader& operator=(const bzip2_reader&) = delete;

  std::size_t read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && !ended_) done += step(out.subspan(done, std::min(out.size() - done, k_most)));
    return done;
  }
  std::uint64_t consumed() const override { return total_ - rest_.size(); }

 private:
  static constexpr std::size_t k_most = std::size_t{1} << 30;  // bzip2 counts in 32 bits

  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK)
      throw error(path_ + ": no memory to decompress bzip2 data");
  }
  std::size_t step(std::span<char> out) {
    if (rest_.empty())
      throw error(fmt::format("{}: truncated: the bzip2 data ends after {} bytes, before its end mark", path_,
                              total_));
    const std::size_t given = std::min(rest_.size(), k_most);
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(rest_.data()));
    stream_.avail_in = static_cast<unsigned>(given);
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int status = BZ2_bzDecompress(&stream_);
    rest_ = rest_.subspan(given - stream_.avail_in);
    const std::size_t got = out.size() - stream_.avail_out;
    if (status == BZ_STREAM_END)
      next_stream();
    else if (status != BZ_OK)
      throw error(fmt::format("{}: damaged bzip2 data near byte {}", path_, consumed()));
    return got;
  }
  void next_stream() {
    ended_ = rest_.empty();
    if (ended_) return;
    if (!starts_with(rest_, {'B', 'Z', 'h'}))
      throw error(fmt::format("{}: expected the end of the bzip2 data at byte {}, found {} more bytes", path_,
                              consumed(), rest_.size()));
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }

  bz_stream stream_{};
  std::span<const std::byte> rest_;
  std::uint64_t total_;
  std::string path_;
  bool ended_ = false;
};

class xz_reader final : public decompressor {
 public:
  xz_reader(std::span<const std::byte> file, std::string path, std::uint64_t before)
      : total_(before + file.size()), path_(std::move(path)) {
    if (lzma_stream_decoder(&stream_, k_usual_memory, LZMA_CONCATENATED) != LZMA_OK)
      throw error(path_ + ": no memory to decompress xz data");
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(file.data());
    stream_.avail_in = file.size();
  }
  ~xz_reader() override { lzma_end(&stream_); }
  xz_reader(const xz_reader&) = delete;
  xz_reader& operator=(const xz_reader&) = delete;

  std::size_t read(std::span<char> out) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    while (stream_.avail_out > 0 && !ended_) {
      const lzma_ret status = lzma_code(&stream_, LZMA_FINISH);
      if (status == LZMA_MEMLIMIT_ERROR && take_memory()) continue;
      ended_ = status == LZMA_STREAM_END;
      if (status == LZMA_BUF_ERROR)
        throw error(fmt::format("{}: truncated: the xz data ends after {} bytes, before its end mark", path_,
                                total_));
      if (status != LZMA_OK && !ended_)
        throw error(fmt::format("{}: damaged xz data near byte {}", path_, consumed()));
    }
    return out.size() - stream_.avail_out;
  }
  std::uint64_t consumed() const override { return total_ - stream_.avail_in; }

 private:
  /// Raises the limit to what the next block needs, which `xz --lzma2=dict=1GiB` makes more than usual.
  bool take_memory() {
    const std::uint64_t needed = lzma_memusage(&stream_);
    machine::require_memory(needed, fmt::format("{}: the dictionary of the xz data", path_));
    return lzma_memlimit_set(&stream_, needed) == LZMA_OK;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::uint64_t total_;
  std::string path_;
  bool ended_ = false;
};

/// Returns whether a file begins as bzip2 does, as far as it goes: words may begin with BZh9, too.
bool begins_bzip2(std::span<const std::byte> file) {
  constexpr std::array<unsigned char, 6> k_block{0x31, 0x41, 0x59, 0x26, 0x53, 0x59},
      k_end{0x17, 0x72, 0x45, 0x38, 0x50, 0x90};  // of a file that was empty
  if (!starts_with(file, {'B', 'Z', 'h'}) || file.size() < 5) return false;
  if (file[3] < std::byte{'1'} || file[3] > std::byte{'9'}) return false;
  const auto magic = file.subspan(4, std::min(file.size() - 4, k_block.size()));
  return std::memcmp(magic.data(), k_block.data(), magic.size()) == 0 ||
         std::memcmp(magic.data(), k_end.data(), magic.size()) == 0;
}

}  // namespace

const char* name_of(compression how) {
  switch (how) {
    case compression::gzip:
      return "gzip";
    case compression::zstd:
      return "zstd";
    case compression::bzip2:
      return "bzip2";
    case compression::xz:
      return "xz";
    case compression::none:
      break;
  }
  return "none";
}

compression detect_compression(std::span<const std::byte> file) {
  if (starts_with(file, {0x1f, 0x8b})) return compression::gzip;
  if (starts_with(file, {0x28, 0xb5, 0x2f, 0xfd})) return compression::zstd;
  // a skippable frame: 0x184d2a50 to 0x184d2a5f, lowest byte first
  if (file.size() >= 4 && (file[0] & std::byte{0xf0}) == std::byte{0x50} &&
      starts_with(file.subspan(1), {0x2a, 0x4d, 0x18}))
    return compression::zstd;
  if (begins_bzip2(file)) return compression::bzip2;
  if (starts_with(file, {0xfd, '7', 'z', 'X', 'Z'})) return compression::xz;
  return compression::none;
}

std::string_view decompressed_name(std::string_view path) {
  return is_named_compressed(path) ? path.substr(0, path.rfind('.')) : path;
}

bool is_named_compressed(std::string_view path) {
  constexpr std::string_view k_endings[] = {".gz", ".zst", ".bz2", ".xz"};
  return std::ranges::any_of(k_endings, [path](std::string_view end) { return path.ends_with(end); });
}

std::unique_ptr<decompressor> make_decompressor(compression how, std::span<const std::byte> file,
                                                std::string path, std::uint64_t before) {
  switch (how) {
    case compression::gzip:
      return std::make_unique<gzip_reader>(file, std::move(path), before);
    case compression::bzip2:
      return std::make_unique<bzip2_reader>(file, std::move(path), before);
    case compression::xz:
      return std::make_unique<xz_reader>(file, std::move(path), before);
    case compression::zstd:
    case compression::none:
      break;
  }
  return std::make_unique<zstd_reader>(file, std::move(path), before);
}

std::string text_beginning(std::span<const std::byte> file, const std::string& path, std::size_t bytes) {
  const compression how = detect_compression(file);
  if (how == compression::none)
    return {reinterpret_cast<const char*>(file.data()), std::min(bytes, file.size())};
  std::string text(bytes, '\0');
  text.resize(make_decompressor(how, file, path)->read(text));
  return text;
}

namespace {

// Returns the size of the gzip member at the beginning of `data` if its header declares it (BGZF, the format
// of bgzip); else 0.
std::uint64_t member_bytes(std::span<const std::byte> data) {
  constexpr std::size_t k_header = 12;
  const auto number = [&](std::size_t at) {
    return std::to_integer<unsigned>(data[at]) | std::to_integer<unsigned>(data[at + 1]) << 8;
  };
  if (data.size() < k_header || !starts_with(data, {0x1f, 0x8b, 8}) ||
      (data[3] & std::byte{4}) == std::byte{0})
    return 0;
  const std::size_t end = std::min<std::size_t>(k_header + number(10), data.size());
  for (std::size_t at = k_header; at + 6 <= end; at += 4 + number(at + 2))
    if (data[at] == std::byte{'B'} && data[at + 1] == std::byte{'C'} && number(at + 2) == 2)
      return number(at + 4) + 1;
  return 0;
}

std::uint64_t frame_bytes(compression how, std::span<const std::byte> data) {
  if (how == compression::gzip) return member_bytes(data);
  if (how != compression::zstd) return 0;
  const std::size_t bytes = ZSTD_findFrameCompressedSize(data.data(), data.size());
  return ZSTD_isError(bytes) ? 0 : bytes;
}

}  // namespace

std::vector<std::uint64_t> compressed_block_bounds(compression how, std::span<const std::byte> file,
                                                   unsigned blocks) {
  std::vector<std::uint64_t> bounds{0};
  std::uint64_t frames = 0, before = 0;
  for (std::uint64_t at = 0; at < file.size(); ++frames) {
    const std::uint64_t bytes = frame_bytes(how, file.subspan(at));
    if (bytes == 0 || bytes > file.size() - at) return {};
    before = std::exchange(at, at + bytes);
    const std::uint64_t wanted = file.size() / blocks * bounds.size();
    if (bounds.size() == blocks || at < wanted) continue;
    const bool nearer = before > bounds.back() && wanted - before < at - wanted;
    bounds.push_back(nearer ? before : at);
  }
  if (frames < blocks) return {};
  bounds.resize(blocks + 1, file.size());
  return bounds;
}

std::size_t line_block::read(std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size() && now_ != state::ended) {
    const std::span<char> room = out.subspan(done, std::min(out.size() - done, k_step));
    decompressor& from = now_ == state::after ? *after_ : *own_;
    const std::size_t got = from.read(room);
    const auto* const line_end = static_cast<const char*>(std::memchr(room.data(), '\n', got));
    const std::size_t line = line_end ? static_cast<std::size_t>(line_end - room.data()) + 1 : got;
    const bool over = got < room.size();
    if (now_ == state::skipping) {
      std::memmove(room.data(), room.data() + line, got - line);
      done += got - line;
      if (line_end) now_ = state::own;
      if (over) now_ = line_end && after_ ? state::after : state::ended;
    } else if (now_ == state::own) {
      done += got;
      if (over) now_ = after_ ? state::after : state::ended;
    } else {
      done += line;
      if (line_end || over) now_ = state::ended;
    }
  }
  return done;
}

line_block::line_block(compression how, std::span<const std::byte> file, const std::string& path,
                       std::uint64_t begin, std::uint64_t end)
    : now_(begin == end ? state::ended
           : begin == 0 ? state::own
                        : state::skipping) {
  if (begin != end) own_ = make_decompressor(how, file.subspan(begin, end - begin), path, begin);
  if (end != file.size()) after_ = make_decompressor(how, file.subspan(end), path, end);
}

}  // namespace gossamer::io
