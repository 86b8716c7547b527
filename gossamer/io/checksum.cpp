#include "gossamer/io/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "gossamer/base/random.hpp"

namespace gossamer::io {
namespace {

constexpr std::uint64_t k_factor = 0x9e3779b97f4a7c15U;
constexpr std::size_t k_lanes = 8, k_stripe = k_lanes * 8;

std::uint64_t little(std::uint64_t word) {
  return std::endian::native == std::endian::big ? __builtin_bswap64(word) : word;
}

void add_stripe(std::array<std::uint64_t, k_lanes>& lane, const std::byte* bytes) {
  std::array<std::uint64_t, k_lanes> word;
  std::memcpy(word.data(), bytes, k_stripe);
  for (std::size_t i = 0; i < k_lanes; ++i) lane[i] = std::rotl(lane[i] ^ little(word[i]), 31) * k_factor;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::array<std::uint64_t, k_lanes> lane;
  for (std::size_t i = 0; i < k_lanes; ++i) lane[i] = hash64(i);
  std::size_t at = 0;
  for (; at + k_stripe <= bytes.size(); at += k_stripe) add_stripe(lane, bytes.data() + at);
  if (at < bytes.size()) {
    std::array<std::byte, k_stripe> rest{};
    std::memcpy(rest.data(), bytes.data() + at, bytes.size() - at);
    add_stripe(lane, rest.data());
  }
  std::uint64_t sum = hash64(bytes.size());
  for (const std::uint64_t l : lane) sum = hash64(sum ^ l);
  return sum;
}

}  // namespace gossamer::io
