// Files as records, against a reader that proceeds byte by byte.
#include "gossamer/io/source.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/io/compress.hpp"
#include "support/compressed.hpp"
#include "support/memory_limit.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::io {
namespace {

std::span<const std::byte> bytes_of(const std::string& s) { return std::as_bytes(std::span(s)); }

/// Returns for each position of a text whether a record begins there; also for its end, after the last
/// record.
std::vector<bool> starts_of(std::string_view text, const record_rule& rule) {
  std::vector<bool> starts(text.size() + 1);
  starts.front() = true;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (rule.where == cut_at::records && text[i] == '"') inside = !inside;
    const bool blank =
        rule.where == cut_at::blanks && std::string_view(" \t\r\v\f").find(text[i]) != std::string_view::npos;
    if (rule.bytes != 0 ? (i + 1) % rule.bytes == 0 : blank || (text[i] == '\n' && !inside))
      starts[i + 1] = true;
  }
  return starts;
}

std::string random_text(std::uint64_t seed, std::size_t bytes) {
  xoshiro256 random(seed);
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += "ab c\td\n\"\r"[bounded(random, 9)];
  return text;
}

const std::vector<record_rule> k_rules{
    {cut_at::lines}, {cut_at::blanks}, {cut_at::records}, {.bytes = 1}, {.bytes = 7}};

std::string in_frames(const std::string& text, std::size_t bytes) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += bytes) all += test::zstandard(text.substr(at, bytes));
  return all;
}

/// Returns the text of a stream, and checks each chunk of it.
std::string read_all(record_stream& stream, std::size_t bytes, const record_rule& rule, bool take) {
  std::string all;
  std::vector<machine::uninitialised_buffer<char>> held;
  for (std::string_view chunk; !(chunk = stream.next(bytes)).empty();) {
    EXPECT_EQ(stream.before(), all.size());
    EXPECT_TRUE(stream.ended() || rule.whole(chunk) == chunk.size()) << chunk;
    all += chunk;
    if (!take) continue;
    held.push_back(stream.release());
    EXPECT_EQ(held.back().data(), chunk.data());
  }
  EXPECT_TRUE(stream.next(bytes).empty());
  return all;
}

TEST(RecordRule, StartsAtEveryByteWhereAnOracleDoes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const record_rule& rule : k_rules) {
      const std::string text = random_text(seed, seed * 3);
      const std::vector<bool> starts = starts_of(text, rule);
      for (std::size_t at = 0; at <= text.size(); ++at) {
        std::size_t expected = at;
        while (expected < text.size() && !starts[expected]) ++expected;
        const bool in_quotes =
            rule.where == cut_at::records &&
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 != 0;
        EXPECT_EQ(rule.start(text, at, in_quotes), expected) << "seed " << seed << ", byte " << at;
        std::size_t whole = at;
        while (!starts[whole]) --whole;
        EXPECT_EQ(rule.whole(std::string_view(text).substr(0, at)), whole)
            << "seed " << seed << ", byte " << at;
      }
    }
}

TEST(RecordStream, GivesWholeRecordsWhateverTheBlocks) {
  for (const record_rule& rule : k_rules)
    for (const std::size_t length : {1, 63, 64, 1000})
      for (const bool take : {false, true}) {
        const std::string text = random_text(length, length), packed = test::gzipped(text);
        const text_file file(bytes_of(packed), "f");
        for (const std::size_t chunk : {1, 2, 3, 8, 64, 999, 1000, 1001}) {
          record_stream stream(file, 0, packed.size(), rule);
          EXPECT_EQ(read_all(stream, chunk, rule, take), text) << chunk;
        }
      }
}

TEST(RecordStream, BlocksGiveEveryLineOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string text = random_text(seed, 300);
    for (const std::size_t frame : {1, 5, 50, 299}) {
      const std::string packed = in_frames(text, frame);
      const text_file file(bytes_of(packed), "f");
      for (const unsigned most : {1U, 2U, 5U}) {
        const std::vector<std::uint64_t> places = file.blocks(most);
        std::string all;
        for (std::size_t s = 0; s + 1 < places.size(); ++s) {
          record_stream stream(file, places[s], places[s + 1], {});
          all += read_all(stream, 16, {}, seed % 2 == 0);
        }
        EXPECT_EQ(all, text) << "seed " << seed << ", frames of " << frame << ", blocks "
                             << places.size() - 1;
      }
    }
  }
}

TEST(RecordStream, ExtendsWhatItGaveFirst) {
  const std::string text = random_text(3, 500), packed = test::bzipped(text);
  const text_file file(bytes_of(packed), "f");
  record_stream stream(file, 0, packed.size(), {});
  std::size_t before = stream.next(10).size();
  for (std::string_view found; before < text.size(); before = found.size()) {
    found = stream.extend(10);
    EXPECT_GT(found.size(), before);
    EXPECT_EQ(found, text.substr(0, found.size()));
    EXPECT_EQ(stream.before(), 0U);
  }
  EXPECT_TRUE(stream.next(10).empty());
}

TEST(RecordStream, ALongRecordIsReadUpToTheBound) {
  const std::string line(3'000'000, 'x'), packed = test::zstandard("short\n" + line + "\nlast");
  const text_file file(bytes_of(packed), "logs/a.zst");
  record_stream stream(file, 0, packed.size(), {});
  EXPECT_EQ(read_all(stream, 100, {}, true), "short\n" + line + "\nlast");
  for (const bool again : {false, true}) {
    record_stream bounded(file, 0, packed.size(), {}, 1 << 20);
    EXPECT_EQ(bounded.next(100), "short\n");
    try {
      while (!(again ? bounded.extend(100) : bounded.next(100)).empty()) continue;
      ADD_FAILURE() << "no error";
    } catch (const error& e) {
      EXPECT_TRUE(std::string(e.what()).starts_with(
          "logs/a.zst: expected lines of at most 1 MiB, found a longer one near byte "))
          << e.what();
    }
  }
}

TEST(RecordStream, AnEmptyTextHasNoRecords) {
  const std::string packed = test::gzipped("");
  const text_file file(bytes_of(packed), "f");
  record_stream stream(file, 0, packed.size(), {});
  EXPECT_TRUE(stream.next(100).empty());
  EXPECT_TRUE(stream.ended());
}

TEST(TextFile, ReadsPlainAndCompressedFiles) {
  const test::temporary_folder folder;
  const std::string text = "one\ntwo\n";
  std::string unpacked;
  const text_file plain(folder.plant("plain", text)), empty(folder.plant("empty", ""));
  EXPECT_TRUE(plain.is_plain());
  EXPECT_EQ(plain.all(unpacked), text);
  EXPECT_EQ(plain.name(), folder / "plain");
  EXPECT_EQ(empty.all(unpacked), "");
  EXPECT_EQ(empty.place_of(0, 0), folder / "empty:1");
  const text_file packed(folder.plant("packed", test::xzipped(text)));
  EXPECT_EQ(packed.how(), compression::xz);
  EXPECT_EQ(packed.beginning(5), "one\nt");
  EXPECT_EQ(packed.beginning(50), text);
  EXPECT_EQ(packed.all(unpacked), text);
  plain.populate(plain.text().substr(4));
  plain.discard(plain.text().substr(4));
  plain.populate(unpacked);  // does nothing for memory elsewhere
  EXPECT_THROW(text_file(folder / "none"), error);
}

TEST(TextFile, WordsThatBeginAsBzip2DoesAreText) {
  const auto how = [](const std::string& text) { return text_file(bytes_of(text), "t").how(); };
  EXPECT_EQ(how("BZh9 is the magic\n"), compression::none);
  EXPECT_EQ(how("BZh"), compression::none);
  EXPECT_EQ(how(test::bzipped("text")), compression::bzip2);
  EXPECT_EQ(how(test::bzipped("")), compression::bzip2);
}

TEST(TextFile, ReadsZstdOfALargeWindow) {
  const std::string text = "one\ntwo\n";
  std::string packed(1000, '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);  // as zstd --long=28 from a pipe
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ASSERT_NE(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0U - 1);
  ASSERT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0U);
  ZSTD_freeCCtx(context);
  packed.resize(out.pos);
  std::string unpacked;
  EXPECT_EQ(text_file(bytes_of(packed), "t").all(unpacked), text);
}

/// Returns the message of the gossamer::error that f() throws; empty if it throws none.
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

/// Returns a zstd frame of so many equal letters, in blocks that repeat one byte. It tells its size, and all of it is its window.
std::string repeated_frame(char letter, std::uint64_t letters) {
  constexpr std::uint64_t k_block = 128 << 10;
  std::string frame("\x28\xb5\x2f\xfd\xe0", 5);  // the size in 8 bytes, a single segment
  const auto add = [&frame](std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) frame += static_cast<char>(value >> (8 * i));
  };
  add(letters, 8);
  for (std::uint64_t at = 0; at < letters; at += k_block) {
    const std::uint64_t size = std::min(k_block, letters - at);
    add(size << 3 | 1U << 1 | (at + size == letters ? 1U : 0U), 3);
    frame += letter;
  }
  return frame;
}

TEST(TextFile, AsksForTheWindowOfEachZstdFrame) {
  const std::string large = repeated_frame('x', std::uint64_t{300} << 20),
                    small = repeated_frame('y', 300'000);
  std::string unpacked;
  EXPECT_EQ(text_file(bytes_of(small), "t").all(unpacked), std::string(300'000, 'y'));
  const std::string twice = large + large;
  const auto reader_of_two = make_decompressor(compression::zstd, bytes_of(twice), "t");
  std::vector<char> part(1 << 20);
  EXPECT_EQ(reader_of_two->read(part), part.size());
  const test::memory_limit none("1");
  for (int i = 0; i < 300; ++i)
    EXPECT_EQ(reader_of_two->read(part), part.size());  // the second frame has the first one's
  EXPECT_EQ(text_file(bytes_of(small), "t").beginning(10), "yyyyyyyyyy");
  for (const std::string& packed : {large, small + large}) {
    const std::string message = message_of([&] {
      const auto reader = make_decompressor(compression::zstd, bytes_of(packed), "t");
      std::vector<char> some(1 << 20);
      (void)reader->read(some);
    });
    EXPECT_TRUE(message.starts_with("t: the window of the zstd data needs 300.0 MiB, 0 B available"))
        << message;
  }
}

TEST(TextFile, AsksForALargeDictionaryOfXz) {
  std::string packed = test::xzipped("one\ntwo\n");
  constexpr std::size_t k_header = 12;  // of the block
  const std::size_t checked = 4 * static_cast<unsigned char>(packed[k_header]);
  const std::size_t filter = packed.find("\x21\x01", k_header);  // LZMA2, with one byte, for the dictionary
  ASSERT_LT(filter, k_header + checked);
  packed[filter + 2] = 36;  // 1 GiB, as xz --lzma2=dict=1GiB
  const std::uint32_t sum =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(packed.data()) + k_header, checked, 0);
  for (unsigned i = 0; i < 4; ++i) packed[k_header + checked + i] = static_cast<char>(sum >> (8 * i));
  std::string unpacked;
  EXPECT_EQ(text_file(bytes_of(packed), "t").all(unpacked), "one\ntwo\n");
  const test::memory_limit none("1");
  const std::string message = message_of([&] { (void)text_file(bytes_of(packed), "t").beginning(8); });
  EXPECT_TRUE(message.starts_with("t: the dictionary of the xz data needs 1.0 GiB, 0 B available"))
      << message;
}

TEST(TextFile, IsCompressedInSteps) {
  const std::string text = random_text(3, 5000);
  for (const std::size_t step : {1, 7, 4999, 5000, 10000}) {
    const std::string packed = compress(compression::gzip, text, step);
    std::string unpacked;
    EXPECT_EQ(text_file(bytes_of(packed), "t").all(unpacked), text) << step;
  }
}

TEST(TextFile, CountsTheLinesBeforeEachPlace) {
  const std::string text = random_text(9, 400), packed = in_frames(text, 30);
  const text_file plain(bytes_of(text), "t"), whole(bytes_of(packed), "t");
  const auto expected = [&](std::size_t at) {
    return "t:" +
           std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  for (std::size_t at = 0; at < text.size(); at += 7) {
    EXPECT_EQ(plain.place_of(0, at), expected(at));
    EXPECT_EQ(whole.place_of(0, at), expected(at));
  }
  const std::vector<std::uint64_t> places = whole.blocks(4);
  ASSERT_EQ(places.size(), 5U);
  std::size_t before = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    record_stream stream(whole, places[s], places[s + 1], {});
    const std::size_t bytes = read_all(stream, 64, {}, false).size();
    for (std::size_t at = 0; at < bytes; at += 5)
      EXPECT_EQ(whole.place_of(places[s], at), expected(before + at)) << "block " << s << ", byte " << at;
    before += bytes;
  }
}

}  // namespace
}  // namespace gossamer::io
