#include "gossamer/io/compress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/error.hpp"

namespace gossamer::io {
namespace {

// Compresses text to a gzip member. Concatenated members are one gzip file. zlib counts in 32 bits: at most `step` bytes are given to it
// at once.
std::string to_gzip(const std::string& text, std::size_t step) {
  z_stream stream{};
  if (deflateInit2(&stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw error("no memory to compress");
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  std::size_t read = 0,
              room = out.size();  // not yet given to zlib: text from `read` on, and the last `room` bytes
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(text.size() - read, step));
      read += stream.avail_in;
    }
    if (stream.avail_out == 0) {
      stream.avail_out = static_cast<uInt>(std::min(room, step));
      room -= stream.avail_out;
    }
    status = deflate(&stream, read == text.size() ? Z_FINISH : Z_NO_FLUSH);
  }
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw error("zlib failed to compress");
  return out;
}

// Compresses text to a zstd frame with a checksum of its content, as the zstd program does.
std::string to_zstd(const std::string& text) {
  constexpr int k_level = 3;
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (context == nullptr) throw error("no memory to compress");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, k_level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(size)) throw error(std::string("zstd failed to compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

}  // namespace

compression compression_for(std::string_view path) {
  if (path.ends_with(".gz")) return compression::gzip;
  if (path.ends_with(".zst")) return compression::zstd;
  return compression::none;
}

std::string_view without_compression(std::string_view path) {
  return compression_for(path) == compression::none ? path : path.substr(0, path.rfind('.'));
}

std::string compress(compression how, std::string text, std::size_t step) {
  if (how == compression::gzip) return to_gzip(text, step);
  if (how == compression::zstd) return to_zstd(text);
  return text;
}

}  // namespace gossamer::io
