// Compressed texts that several processes decompress in blocks: one block reads each line once, wherever
// frames begin relative to lines; errors are those of the whole text. The blocks are read in sequence here,
// in one process.
#include <gtest/gtest.h>

#include <set>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/io/decompress.hpp"
#include "support/compressed.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using io::compression;

std::span<const std::byte> bytes_of(const std::string& s) { return std::as_bytes(std::span(s)); }

std::string in_frames(const std::string& text, std::size_t frame, std::string (*pack)(const std::string&)) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += frame) all += pack(text.substr(at, frame));
  return all;
}

// Returns a gzip member whose header declares its length.
std::string blocked(const std::string& text) {
  const std::string plain = gzipped(text);
  const std::size_t bytes = plain.size() + 8;
  std::string header = plain.substr(0, 10);
  header[3] = 4;
  const std::string field{'\6',
                          '\0',
                          'B',
                          'C',
                          '\2',
                          '\0',
                          static_cast<char>((bytes - 1) & 255),
                          static_cast<char>((bytes - 1) >> 8)};
  return header + field + plain.substr(10);
}

std::string skippable(std::size_t bytes) {
  return std::string("\x50\x2a\x4d\x18", 4) + std::string{static_cast<char>(bytes), '\0', '\0', '\0'} +
         std::string(bytes, 'x');
}

using edges = std::multiset<std::pair<std::uint64_t, std::uint64_t>>;

struct outcome {
  edges all;
  graph::text_problem first;
};

outcome read_blocks(const std::string& file, unsigned blocks, std::uint64_t round) {
  outcome result;
  on_cores(2, [&] {
    graph::load_options load;
    const io::text_file text(bytes_of(file), "g");
    for (unsigned s = 0; s < blocks; ++s) {
      auto options = std::make_unique<graph::text_options>();
      options->block = s;
      options->blocks = blocks;
      options->chunk_bytes = 40;
      options->round_bytes = round;
      options->begin = [&load](std::string_view beginning, bool whole) {
        return graph::begin_edge_list(beginning, whole, "g", load);
      };
      graph::text_reader reader(text, *options);
      const graph::text_problem p = reader.scan();
      if (p.found && (!result.first.found || p.position < result.first.position)) result.first = p;
      if (p.found) continue;
      for (const auto& block : reader.collect().edges)
        for (const graph::edge e : block.edges()) result.all.emplace(e.from, e.to);
    }
  });
  return result;
}

std::string random_lines(int lines, edges& expected) {
  xoshiro256 random(11);
  std::string text = "# a text of a test\n";
  for (int i = 0; i < lines; ++i) {
    const std::uint64_t a = random() % 100000, b = random() % 1000000;
    expected.emplace(a, b);
    text += std::to_string(a) + std::string(1 + random() % 30, ' ') + std::to_string(b) + "\n";
    if (random() % 20 == 0) text += "# " + std::string(random() % 200, 'c') + "\n";
  }
  return text;
}

void expect_all(const std::string& file, const edges& expected, const std::string& what) {
  for (const unsigned blocks : {1U, 2U, 3U, 5U})
    for (const std::uint64_t round : {64, 1000, 1 << 20}) {
      SCOPED_TRACE(what + ", " + std::to_string(blocks) + " blocks, rounds of " + std::to_string(round));
      const outcome found = read_blocks(file, blocks, round);
      EXPECT_FALSE(found.first.found) << found.first.message;
      EXPECT_TRUE(found.all == expected) << found.all.size() << " edges, not " << expected.size();
    }
}

TEST(CompressedBlocks, ReadEveryLineOnce) {
  edges expected;
  const std::string text = random_lines(600, expected);
  for (const std::size_t frame : {7, 100, 1500, 5000}) {
    expect_all(in_frames(text, frame, zstandard), expected, "zstd of " + std::to_string(frame));
    expect_all(in_frames(text, frame, blocked), expected, "gzip of " + std::to_string(frame));
    expect_all(in_frames(text, frame, gzipped), expected, "gzip without lengths");
  }
  expect_all(skippable(9) + in_frames(text, 900, zstandard) + skippable(0), expected, "frames to skip");
  expect_all(in_frames(text.substr(0, text.size() - 1), 900, zstandard), expected, "no end of line");
}

TEST(CompressedBlocks, LineEndsAtTheEndOfABlock) {
  std::string file;
  edges expected;
  for (unsigned i = 0; i < 50; ++i) {
    file += zstandard(std::to_string(i) + " 1\n" + std::to_string(i) + " 2\n");
    expected.emplace(i, 1);
    expected.emplace(i, 2);
  }
  expect_all(file, expected, "two lines each");
}

TEST(CompressedBlocks, ALineMayBeLongerThanBlocks) {
  const std::string text = "1 2\n# " + std::string(30000, 'x') + "\n3 4\n";
  expect_all(in_frames(text, 1000, blocked), {{1, 2}, {3, 4}}, "a long line");
}

TEST(CompressedBlocks, APreambleMayBeLongerThanARound) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "# a comment before the first edge\n";
  edges expected;
  text += random_lines(2000, expected);
  expect_all(in_frames(text, 4000, zstandard), expected, "a long preamble");
}

TEST(CompressedBlocks, AreCutWhereFramesBegin) {
  const std::string one = zstandard("1 2\n"), two = zstandard("3 4 and more of it\n");
  EXPECT_TRUE(io::compressed_block_bounds(compression::zstd, bytes_of(one), 2).empty());
  EXPECT_EQ(io::compressed_block_bounds(compression::zstd, bytes_of(one + two), 2),
            (std::vector<std::uint64_t>{0, one.size(), one.size() + two.size()}));
  EXPECT_TRUE(io::compressed_block_bounds(compression::zstd, bytes_of(one + two + "junk"), 2).empty());
  EXPECT_TRUE(
      io::compressed_block_bounds(compression::zstd, bytes_of((one + two).substr(0, one.size() + 9)), 2)
          .empty());
  const std::string member = blocked("1 2\n");
  EXPECT_EQ(io::compressed_block_bounds(compression::gzip, bytes_of(member + member + member), 3),
            (std::vector<std::uint64_t>{0, member.size(), 2 * member.size(), 3 * member.size()}));
  EXPECT_TRUE(io::compressed_block_bounds(compression::gzip, bytes_of(gzipped("1 2\n") + gzipped("3 4\n")), 2)
                  .empty());
  EXPECT_TRUE(
      io::compressed_block_bounds(compression::gzip, bytes_of(member + member.substr(0, 15)), 2).empty());
}

TEST(CompressedBlocks, NameTheFirstBadLine) {
  edges expected;
  const std::string good = random_lines(300, expected);
  const auto lines = [](const std::string& s) {
    return std::to_string(std::count(s.begin(), s.end(), '\n') + 1);
  };
  const std::string late = good + good + "7 8 x\n" + good + "also bad\n" + good;
  for (const unsigned blocks : {2U, 4U}) {
    for (const auto pack : {zstandard, blocked}) {
      const outcome found = read_blocks(in_frames(late, 777, pack), blocks, 500);
      EXPECT_TRUE(found.first.message.starts_with("g:" + lines(good + good) + ": ")) << found.first.message;
    }
  }
}

TEST(CompressedBlocks, TellOfDamageAfterEarlierLines) {
  edges expected;
  const std::string good = random_lines(300, expected);
  std::string file = in_frames(good, 1000, blocked);
  file[file.size() - 6] = static_cast<char>(file[file.size() - 6] ^ 0x55);  // its checksum
  const std::string message = read_blocks(file, 3, 500).first.message;
  EXPECT_NE(message.find("damaged"), std::string::npos) << message;
  const std::string bad_line = in_frames("1 2\n3\n" + good, 1000, blocked);
  std::string both = bad_line;
  both[both.size() - 6] = static_cast<char>(both[both.size() - 6] ^ 0x55);
  EXPECT_TRUE(read_blocks(both, 3, 500).first.message.starts_with("g:2: "));
}

}  // namespace
}  // namespace gossamer::test
