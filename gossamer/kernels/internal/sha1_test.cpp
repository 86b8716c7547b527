#include "gossamer/kernels/internal/sha1.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "gossamer/kernels/uts_tree.hpp"

namespace gossamer::kernels {
namespace {

std::string hex(const sha1_digest& d) {
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", d[0], d[1], d[2], d[3], d[4]);
}
std::string sha1_of(std::string_view text) { return hex(sha1(std::as_bytes(std::span(text)))); }

TEST(Sha1, GivesTheKnownDigests) {  // FIPS 180-4 and its examples
  EXPECT_EQ(sha1_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_of(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha1, PadsEveryLength) {  // around the ends of blocks, against digests of coreutils' sha1sum
  EXPECT_EQ(sha1_of(std::string(55, 'x')), "cef734ba81a024479e09eb5a75b6ddae62e6abf1");
  EXPECT_EQ(sha1_of(std::string(56, 'x')), "901305367c259952f4e7af8323f480d59f81335b");
  EXPECT_EQ(sha1_of(std::string(64, 'x')), "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163");
}

TEST(Sha1, EveryMethodGivesThePortableDigests) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (const sha1_method& method : sha1_methods()) {
    SCOPED_TRACE(std::string(method.name));
    for (unsigned round = 0; round < 200; ++round) {
      const unsigned lanes = 1 + random() % sha1_batch::k_lanes;
      sha1_batch batch{};
      std::vector<std::pair<sha1_digest, std::uint32_t>> asked;
      for (unsigned lane = 0; lane < lanes;) {
        sha1_digest parent;
        for (auto& word : parent) word = static_cast<std::uint32_t>(random());
        const auto first = static_cast<std::uint32_t>(random());
        const unsigned family = std::min<unsigned>(lanes - lane, 1 + random() % 7);
        batch.fill(lane, parent, first);
        for (unsigned i = 0; i < family; ++i) asked.emplace_back(parent, first + i);
        lane += family;
      }
      method.hash(batch, lanes);
      for (unsigned lane = 0; lane < lanes; ++lane)
        ASSERT_EQ(hex(batch.digest(lane)), hex(child_state(asked[lane].first, asked[lane].second))) << lane;
    }
  }
}

TEST(Sha1, ThePortableMethodIsAlwaysThere) {
  ASSERT_FALSE(sha1_methods().empty());
  EXPECT_EQ(sha1_methods().back().name, "plain vectors, 4 lanes");
}

}  // namespace
}  // namespace gossamer::kernels
