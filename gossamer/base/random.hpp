#pragma once
// Reproducible random numbers: the same sequence for the same seed on every machine and library
// (unlike std::uniform_int_distribution).
// hash64: the finalizer "Mix13" of D. Stafford (2011), as used in SplitMix64: Steele, Lea, Flood,
// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
// xoshiro256**: Blackman, Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 2021.
// bounded: Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 2019.

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace gossamer {

/// Mixes 64 bits. The function is one-to-one, and every input bit changes every output bit with a probability near one
/// half. hash64(0) is not 0. Does not resist adversaries.
constexpr std::uint64_t hash64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio, so that 0 is no fixed point
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Mixes a second value into a hash, for pairs and for streams: hash64(seed, i) is number i of stream `seed`. The numbers of
/// a stream may be computed in any order.
constexpr std::uint64_t hash64(std::uint64_t a, std::uint64_t b) noexcept { return hash64(hash64(a) ^ b); }

/// SplitMix64: one multiply-mix per number, period 2^64. For seeding and for short streams.
class splitmix64 {
 public:
  /// The type of a number.
  using result_type = std::uint64_t;
  /// Starts the sequence of a seed.
  constexpr explicit splitmix64(std::uint64_t seed = 0) noexcept : state_(seed) {}
  /// Returns the smallest number that may be drawn.
  static constexpr result_type min() noexcept { return 0; }
  /// Returns the largest number that may be drawn.
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
  /// Draws the next number.
  constexpr result_type operator()() noexcept {
    const std::uint64_t x = hash64(state_);
    state_ += 0x9e3779b97f4a7c15U;
    return x;
  }

 private:
  std::uint64_t state_;
};

/// xoshiro256**: about 1 ns per number, period 2^256 - 1. It passes the known statistical tests.
class xoshiro256 {
 public:
  /// The type of a number.
  using result_type = std::uint64_t;

  /// Starts the sequence of a seed. Any seed is valid, 0 included. Neighbouring seeds give unrelated sequences.
  constexpr explicit xoshiro256(std::uint64_t seed = 0) noexcept {
    splitmix64 source(seed);
    for (std::uint64_t& word : state_) word = source();
  }
  /// Returns the smallest number that may be drawn.
  static constexpr result_type min() noexcept { return 0; }
  /// Returns the largest number that may be drawn.
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  /// Draws the next number.
  constexpr result_type operator()() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

/// A generator of 64 random bits per call.
template <class Engine>
concept random_bits = requires(Engine& engine) {
  { engine() } -> std::same_as<std::uint64_t>;
};

/// Returns a number uniform in [0, n), without bias; n > 0. Costs one multiplication, and a division with probability
/// n/2^64.
template <random_bits Engine>
constexpr std::uint64_t bounded(Engine& engine, std::uint64_t n) noexcept {
  __extension__ using wide = unsigned __int128;
  wide product = wide{engine()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t biased = (0 - n) % n;  // numbers below this would be drawn once too often
    while (static_cast<std::uint64_t>(product) < biased) product = wide{engine()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

/// Returns a number uniform in [0, 1), of 53 random bits.
template <random_bits Engine>
constexpr double unit_double(Engine& engine) noexcept {
  return static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

}  // namespace gossamer
