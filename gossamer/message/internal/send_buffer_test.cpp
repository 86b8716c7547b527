#include "gossamer/message/internal/send_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/fabric/packet_pool.hpp"

namespace gossamer::message {
namespace {

completion* scope_named(std::uintptr_t n) { return reinterpret_cast<completion*>(n * 64); }

struct read_run {
  completion* scope;
  std::uint16_t handler, core, record_bytes;
  std::vector<std::byte> records;
  friend bool operator==(const read_run&, const read_run&) = default;
};

std::vector<read_run> runs_of(fabric::packet& p) {
  std::vector<read_run> all;
  completion* scope = nullptr;
  for_each_run(
      p.payload(), p.payload() + p.bytes, [&](completion* named) { scope = named; },
      [&](const run_header& h, const std::byte* first) {
        all.push_back({scope,
                       h.handler,
                       h.core,
                       h.record_bytes,
                       {first, first + std::size_t{h.count} * h.record_bytes}});
      });
  return all;
}

class SendBuffer : public ::testing::Test {
 protected:
  /// Opens a packet whose payload has `bytes`.
  void begin(std::size_t bytes) {
    pool = std::make_unique<fabric::packet_pool>(
        std::uint16_t{0}, 1, round_up(fabric::packet::k_head_bytes + bytes, k_line_bytes));
    buffer.begin(*pool->get(), bytes);
  }
  void add(std::byte what) {
    const std::size_t bytes = buffer.record_bytes;
    std::memset(buffer.append_room(bytes), static_cast<int>(what), bytes);
  }

  std::unique_ptr<fabric::packet_pool> pool;
  send_buffer buffer;
};

TEST_F(SendBuffer, ARunComesBackAsItWasWritten) {
  begin(256);
  buffer.open_run(nullptr, 7, 8, k_most_of_run);
  EXPECT_FALSE(buffer.needs_run(7, nullptr));
  add(std::byte{1});
  add(std::byte{2});
  EXPECT_EQ(buffer.close_run(3), 2U);
  std::vector<std::byte> records(16, std::byte{1});
  std::fill(records.begin() + 8, records.end(), std::byte{2});
  EXPECT_EQ(runs_of(buffer.seal()), (std::vector<read_run>{{nullptr, 7, 3, 8, records}}));
  EXPECT_EQ(buffer.open->bytes, sizeof(run_header) + 16) << "a payload starts without a scope: no mark";
}

TEST_F(SendBuffer, ClosingWhereNoneIsOpenClosesNothing) {
  begin(256);
  EXPECT_EQ(buffer.close_run(0), 0U);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.seal().bytes, 0U);
  EXPECT_TRUE(runs_of(*buffer.open).empty());
}

TEST_F(SendBuffer, OnlyTheSameHandlerAndScopeContinueARun) {
  begin(256);
  buffer.open_run(scope_named(1), 7, 8, k_most_of_run);
  add(std::byte{1});
  EXPECT_FALSE(buffer.needs_run(7, scope_named(1)));
  EXPECT_TRUE(buffer.needs_run(8, scope_named(1)));
  EXPECT_TRUE(buffer.needs_run(7, scope_named(2)));
  buffer.close_run(0);
  EXPECT_TRUE(buffer.needs_run(7, scope_named(1)));
}

TEST_F(SendBuffer, AScopeIsMarkedOnlyWhereItChanges) {
  begin(1024);
  const auto one = scope_named(1), two = scope_named(2);
  const std::vector<completion*> scopes{one, one, two, nullptr, nullptr, one};
  std::size_t marks = 0;
  completion* before = nullptr;
  for (completion* const scope : scopes) {
    buffer.open_run(scope, 9, 8, k_most_of_run);
    add(std::byte{4});
    buffer.close_run(5);
    marks += std::exchange(before, scope) != scope ? 1 : 0;
  }
  const std::vector<read_run> read = runs_of(buffer.seal());
  ASSERT_EQ(read.size(), scopes.size());
  for (std::size_t i = 0; i < scopes.size(); ++i) EXPECT_EQ(read[i].scope, scopes[i]) << i;
  EXPECT_EQ(buffer.open->bytes, scopes.size() * (sizeof(run_header) + 8) + marks * k_scope_mark_bytes);
}

TEST_F(SendBuffer, RunsAreFilledUpToEightBytes) {
  begin(1024);
  for (std::size_t bytes = 1; bytes <= 24; ++bytes) {
    buffer.open_run(nullptr, static_cast<std::uint16_t>(bytes), bytes, k_most_of_run);
    add(std::byte{7});
    buffer.close_run(0);
    EXPECT_EQ((buffer.end - buffer.open->payload()) % 8, 0) << bytes;
  }
  const std::vector<read_run> read = runs_of(buffer.seal());
  ASSERT_EQ(read.size(), 24U);
  for (std::size_t bytes = 1; bytes <= 24; ++bytes) {
    EXPECT_EQ(read[bytes - 1].handler, bytes);
    EXPECT_EQ(read[bytes - 1].records, std::vector<std::byte>(bytes, std::byte{7}));
  }
}

TEST_F(SendBuffer, ARunEndsWhereThePayloadEnds) {
  constexpr std::size_t k_room = 128;
  for (std::size_t bytes = 1; bytes <= k_room - sizeof(run_header); ++bytes) {
    begin(k_room);
    ASSERT_TRUE(buffer.fits_run(nullptr, bytes));
    buffer.open_run(nullptr, 1, bytes, k_most_of_run);
    std::size_t count = 0;
    for (; !buffer.needs_run(1, nullptr); ++count) add(std::byte{1});
    EXPECT_EQ(count, (k_room - sizeof(run_header)) / bytes);
    EXPECT_EQ(buffer.close_run(0), count);
    EXPECT_LE(buffer.seal().bytes, k_room);
    buffer.release();
  }
}

TEST_F(SendBuffer, ARunFitsWithItsHeadsOrNotAtAll) {
  begin(64);
  EXPECT_TRUE(buffer.fits_run(nullptr, 56));
  EXPECT_FALSE(buffer.fits_run(nullptr, 57));
  EXPECT_TRUE(buffer.fits_run(scope_named(1), 64 - k_most_run_heads));
  EXPECT_FALSE(buffer.fits_run(scope_named(1), 64 - k_most_run_heads + 1));
  buffer.open_run(scope_named(1), 1, 8, 1);
  add(std::byte{1});
  buffer.close_run(0);
  EXPECT_EQ(buffer.left(), 64 - k_most_run_heads - 8);
  EXPECT_TRUE(buffer.fits_run(scope_named(1), buffer.left() - sizeof(run_header))) << "marked already";
  EXPECT_FALSE(buffer.fits_run(nullptr, buffer.left() - sizeof(run_header)));
}

TEST_F(SendBuffer, ARunHoldsNoMoreThanItMay) {
  begin(1024);
  for (const std::size_t most : {1U, 2U, 17U}) {
    buffer.open_run(nullptr, 1, 16, most);
    std::size_t count = 0;
    for (; !buffer.needs_run(1, nullptr); ++count) add(std::byte{1});
    EXPECT_EQ(count, most);
    EXPECT_EQ(buffer.close_run(0), most);
  }
}

TEST_F(SendBuffer, ARunCountsUpTo65535) {
  begin(3 * k_most_of_run);
  buffer.open_run(nullptr, 1, 1, k_most_of_run);
  std::size_t count = 0;
  for (; !buffer.needs_run(1, nullptr); ++count) add(std::byte{1});
  EXPECT_EQ(count, k_most_of_run);
  EXPECT_EQ(buffer.close_run(0), k_most_of_run);
  buffer.open_run(nullptr, 1, 1, k_most_of_run);
  add(std::byte{2});
  buffer.close_run(0);
  const std::vector<read_run> read = runs_of(buffer.seal());
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].records, std::vector<std::byte>(k_most_of_run, std::byte{1}));
  EXPECT_EQ(read[1].records, std::vector<std::byte>(1, std::byte{2}));
}

TEST_F(SendBuffer, TheHeadOfThePacketSaysWhatItAsksFor) {
  begin(256);
  buffer.open_run(nullptr, 1, 8, 1);
  add(std::byte{1});
  buffer.reply_bytes += 40;
  buffer.matches += 1;
  buffer.close_run(0);
  fabric::packet& p = buffer.seal();
  EXPECT_EQ(p.reply_bytes, 40U);
  EXPECT_EQ(p.matches, 1U);
  buffer.release();
  EXPECT_EQ(buffer.open, nullptr);
  EXPECT_TRUE(buffer.needs_run(1, nullptr));
  buffer.begin(p, 256);
  EXPECT_EQ(buffer.seal().reply_bytes, 0U);
  EXPECT_EQ(p.matches, 0U);
}

TEST_F(SendBuffer, AScopeMayLieAnywhere) {
  for (const std::uintptr_t address :
       {std::uintptr_t{64}, ~std::uintptr_t{63} >> 16, ~std::uintptr_t{63} >> 17}) {
    begin(64);
    auto* const scope = reinterpret_cast<completion*>(address);
    buffer.open_run(scope, 7, 8, k_most_of_run);
    add(std::byte{1});
    buffer.close_run(0);
    const std::vector<read_run> read = runs_of(buffer.seal());
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].scope, scope);
    buffer.release();
  }
}

TEST_F(SendBuffer, AnOpenRunGoesOnInALargerPacket) {
  begin(64);
  fabric::packet_pool large(0, 1, 256);
  buffer.open_run(scope_named(1), 3, 8, k_most_of_run);
  add(std::byte{1});
  buffer.close_run(0);
  buffer.open_run(scope_named(1), 7, 8, k_most_of_run);
  std::size_t records = 0;
  for (; !buffer.needs_run(7, scope_named(1)); ++records) add(static_cast<std::byte>(records));
  EXPECT_TRUE(buffer.is_run_of(scope_named(1), 7, 8));
  EXPECT_FALSE(buffer.is_run_of(scope_named(2), 7, 8));
  EXPECT_FALSE(buffer.is_run_of(scope_named(1), 7, 16));
  EXPECT_EQ(buffer.run_records(), records);
  fabric::packet& p = *large.get();
  fabric::copy_packet(p, buffer.seal());
  buffer.move_to(p, large.payload_bytes());
  buffer.extend_run(3);
  for (std::size_t left = 3; left > 0; --left) {
    ASSERT_FALSE(buffer.needs_run(7, scope_named(1)));
    add(static_cast<std::byte>(records++));
  }
  EXPECT_TRUE(buffer.needs_run(7, scope_named(1))) << "so many were allowed";
  EXPECT_EQ(buffer.close_run(0), records);
  const std::vector<read_run> read = runs_of(buffer.seal());
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].scope, scope_named(1));
  ASSERT_EQ(read[1].records.size(), records * 8);
  for (std::size_t i = 0; i < records; ++i) EXPECT_EQ(read[1].records[i * 8 + 7], static_cast<std::byte>(i));
}

TEST_F(SendBuffer, RandomRunsComeBack) {
  constexpr std::uint64_t k_seed = 71;
  SCOPED_TRACE(k_seed);
  for (std::uint64_t round = 0; round < 200; ++round) {
    begin(2048);
    std::vector<read_run> written;
    for (std::uint64_t i = 0;; ++i) {
      const std::uint64_t r = hash64(k_seed, round * 1000 + i);
      completion* const scope = scope_named(r % 3);
      const std::size_t bytes = 1 + (r >> 8) % 100;
      if (!buffer.fits_run(scope, bytes)) break;
      const auto id = static_cast<std::uint16_t>(1 + (r >> 16) % 65535);
      const auto to = static_cast<std::uint16_t>(r >> 32);
      buffer.open_run(scope, id, bytes, 1 + (r >> 48) % 9);
      read_run w{scope, id, to, static_cast<std::uint16_t>(bytes), {}};
      for (std::uint64_t n = 1 + (r >> 52) % 12; n > 0 && !buffer.needs_run(id, scope); --n) {
        const auto what = static_cast<std::byte>(n + i);
        add(what);
        w.records.insert(w.records.end(), bytes, what);
      }
      EXPECT_EQ(buffer.close_run(to) * bytes, w.records.size());
      written.push_back(std::move(w));
    }
    ASSERT_EQ(runs_of(buffer.seal()), written);
    ASSERT_LE(buffer.open->bytes, 2048U);
    buffer.release();
  }
}

}  // namespace
}  // namespace gossamer::message
