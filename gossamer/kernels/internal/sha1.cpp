#include "gossamer/kernels/internal/sha1.hpp"

#include <cstring>
#include <vector>

#include "gossamer/kernels/internal/sha1_lanes.hpp"

#if defined(__x86_64__)
#include <cpuid.h>

#include "gossamer/kernels/internal/sha1_x86.hpp"
#endif

namespace gossamer::kernels {

namespace {

std::uint32_t big_endian(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

void add_block(sha1_digest& digest, const unsigned char* block) {
  sha1_lanes<1> one;
  for (unsigned t = 0; t < 16; ++t) one.w[t] = big_endian(block + 4 * t);
  one.a = digest[0];
  one.b = digest[1];
  one.c = digest[2];
  one.d = digest[3];
  one.e = digest[4];
  one.rounds();
  digest = {digest[0] + one.a, digest[1] + one.b, digest[2] + one.c, digest[3] + one.d, digest[4] + one.e};
}

void hash_plain(sha1_batch& batch, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; lane += 4) {
    sha1_lanes<4> four;
    four.hash(batch, lane);
  }
}

#if defined(__x86_64__)

[[gnu::target("avx512f,avx512vl")]] void hash_avx512(sha1_batch& batch, unsigned) {
  sha1_lanes<16> all;
  all.hash(batch, 0);
}

[[gnu::target("avx2")]] void hash_avx2(sha1_batch& batch, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; lane += 8) {
    sha1_lanes<8> eight;
    eight.hash(batch, lane);
  }
}

[[gnu::target("sha,sse4.1")]] void hash_extension(sha1_batch& batch, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; lane += 4) hash_by_extension(batch, lane);
}

bool has_sha_extension() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0 &&
         __builtin_cpu_supports("sse4.1");
}

#endif

std::vector<sha1_method> methods_of_this_processor() {
  std::vector<sha1_method> methods;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    methods.push_back({"AVX-512, 16 lanes", &hash_avx512});
  if (has_sha_extension()) methods.push_back({"SHA extensions, 4 lanes", &hash_extension});
  if (__builtin_cpu_supports("avx2")) methods.push_back({"AVX2, 8 lanes", &hash_avx2});
#endif
  methods.push_back({"plain vectors, 4 lanes", &hash_plain});
  return methods;
}

}  // namespace

sha1_digest sha1(std::span<const std::byte> bytes) {
  sha1_digest digest = k_sha1_start;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 64; at += 64, left -= 64) add_block(digest, at);
  std::array<unsigned char, 128> tail{};
  if (left > 0) std::memcpy(tail.data(), at, left);
  tail[left] = 0x80;
  const std::size_t end = left < 56 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (unsigned k = 0; k < 8; ++k) tail[end - 1 - k] = static_cast<unsigned char>(bits >> 8 * k);
  for (std::size_t done = 0; done < end; done += 64) add_block(digest, tail.data() + done);
  return digest;
}

std::span<const sha1_method> sha1_methods() {
  static const std::vector<sha1_method> methods = methods_of_this_processor();
  return methods;
}

}  // namespace gossamer::kernels
