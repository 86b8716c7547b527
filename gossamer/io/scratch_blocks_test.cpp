#include "gossamer/io/scratch_blocks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::io {
namespace {

/// Makes a record of random length: often of one letter, sometimes of random bytes.
std::string random_record(xoshiro256& draw) {
  std::string text(draw() % (1 + draw() % 3000), static_cast<char>('a' + draw() % 26));
  if (draw() % 3 == 0)
    for (char& c : text) c = static_cast<char>(draw());
  return text;
}

void put(run_writer& to, const std::string& text) {
  const auto n = static_cast<std::uint32_t>(text.size());
  const std::span<std::byte> room = to.add(sizeof n + n);
  std::memcpy(room.data(), &n, sizeof n);
  if (n != 0) std::memcpy(room.data() + sizeof n, text.data(), n);
}

std::vector<std::string> records_of(run_reader& from) {
  std::vector<std::string> all;
  for (std::span<const std::byte> block; !(block = from.next()).empty();)
    while (!block.empty()) {
      std::uint32_t n;
      std::memcpy(&n, block.data(), sizeof n);
      all.emplace_back(reinterpret_cast<const char*>(block.data()) + sizeof n, n);
      block = block.subspan(sizeof n + n);
    }
  return all;
}

TEST(ScratchBlocks, RunsHoldTheirRecords) {
  const test::temporary_folder folder;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    xoshiro256 draw(seed);
    machine::scratch_file file = machine::scratch_file::in(folder.path());
    block_codec codec;
    std::vector<std::vector<std::string>> expected(3);
    std::vector<block_run> runs;
    run_writer writer(file, codec, 1 + draw() % 10'000);
    for (auto& run : expected) {
      for (std::uint64_t i = draw() % 200; i > 0; --i) put(writer, run.emplace_back(random_record(draw)));
      runs.push_back(writer.finish());
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      run_reader reader(file, codec, runs[r]);
      EXPECT_EQ(records_of(reader), expected[r]);
    }
  }
}

TEST(ScratchBlocks, TextIsCompressed) {
  const test::temporary_folder folder;
  machine::scratch_file file = machine::scratch_file::in(folder.path());
  block_codec codec;
  const std::string text(100'000, 'x');
  EXPECT_LT(codec.write(file, std::as_bytes(std::span(text))).stored, 1000U);
}

TEST(ScratchBlocks, DamageIsFound) {
  const test::temporary_folder folder;
  xoshiro256 draw(7);
  block_codec codec;
  for (const bool shrinks : {true, false}) {
    std::string text(5000, 'x');
    if (!shrinks)
      for (char& c : text) c = static_cast<char>(draw());
    const std::string path = folder / (shrinks ? "text" : "noise");
    block_place place;
    {
      machine::scratch_file file = machine::scratch_file::named(path);
      place = codec.write(file, std::as_bytes(std::span(text)));
      EXPECT_EQ(place.stored < place.raw, shrinks);
      EXPECT_TRUE(codec.is_whole(file, place));
    }
    std::string stored = test::content_of(path);
    stored[draw() % stored.size()] ^= 4;
    folder.plant(shrinks ? "text" : "noise", stored);
    const machine::scratch_file file = machine::scratch_file::named(path);
    std::vector<std::byte> into;
    EXPECT_FALSE(codec.is_whole(file, place));
    EXPECT_THROW(codec.read(file, place, into), error);
    place.at += 1;
    EXPECT_FALSE(codec.is_whole(file, place));
  }
}

}  // namespace
}  // namespace gossamer::io
