// Several processes' wires in one thread, over a transport that keeps messages in memory: chunks written by
// hand, cores that use them late.
#include "gossamer/fabric/wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer::fabric {
namespace {

struct message {
  unsigned from;
  std::vector<std::byte> data;
};
using network = std::vector<std::deque<message>>;  // by destination

class memory_transport final : public transport {
 public:
  memory_transport(network& all, unsigned rank) : all_(all), rank_(rank) {}
  unsigned rank() const override { return rank_; }
  unsigned size() const override { return static_cast<unsigned>(all_.size()); }
  std::string description() const override { return "memory"; }
  void receive(unsigned slot, std::span<std::byte> buffer) override {
    EXPECT_TRUE(posted_.emplace(slot, buffer).second) << "slot " << slot << " is in use";
    empty_.push_back(slot);
  }
  std::optional<arrival> received(unsigned slot) override {
    for (auto& mine = all_[rank_]; !mine.empty() && !empty_.empty(); mine.pop_front(), empty_.pop_front())
      found_[empty_.front()] = std::move(mine.front());
    const auto found = found_.find(slot);
    if (found == found_.end() || found->second.from == late_) return std::nullopt;
    if (late_by_chance_ && (*late_by_chance_)() % 2 == 0) return std::nullopt;
    const message m = std::move(found->second);
    found_.erase(found);
    const std::span<std::byte> buffer = posted_.extract(slot).mapped();
    EXPECT_LE(m.data.size(), buffer.size()) << "a message larger than the buffer";
    std::memcpy(buffer.data(), m.data.data(), std::min(m.data.size(), buffer.size()));
    return arrival{m.from, m.data.size()};
  }
  void send(unsigned slot, unsigned to, std::span<const std::byte> data) override {
    EXPECT_FALSE(barred_) << "a send to process " << to << " after the barrier that ends a job";
    EXPECT_TRUE(sending_.emplace(slot, to).second) << "slot " << slot << " is in use";
    all_[to].push_back({rank_, {data.begin(), data.end()}});
    longest_ = std::max(longest_, all_[to].size());
  }
  bool sent(unsigned slot) override {
    const auto one = sending_.find(slot);
    if (holds_ || (one != sending_.end() && one->second == held_)) return false;
    sending_.erase(slot);
    return true;
  }
  void cancel_receives() override { EXPECT_TRUE(sending_.empty()) << "a job ends with a slot in use"; }
  void barrier() override {
    barred_ = true;
    auto& mine = all_[rank_];
    std::ranges::move(at_barrier_, std::back_inserter(mine));
    at_barrier_.clear();
  }
  void all_gather(std::span<const std::byte>, std::span<std::byte>) override {}
  double plain_stream(unsigned, unsigned, std::size_t, unsigned) override { return 0; }
  [[noreturn]] void abort(int) override { throw error("aborted"); }
  std::size_t longest_ = 0;
  bool holds_ = false;  // what has been sent does not leave
  unsigned held_ = ~0U;  // nor what has been sent to this process
  unsigned late_ = ~0U;  // what this process has sent has its slot, and does not come
  std::mt19937* late_by_chance_ = nullptr;  // nor what it says no to
  network::value_type at_barrier_;  // comes while this process waits there

 private:
  network& all_;
  unsigned rank_;
  std::map<unsigned, std::span<std::byte>> posted_;
  std::deque<unsigned> empty_;  // of these; oldest first
  std::map<unsigned, message> found_;  // by slot
  std::map<unsigned, unsigned> sending_;  // destinations by slot
  bool barred_ = false;
};

/// One process: its cores write packets of chunks and use what comes, both when told.
class process final : wire::host {
 public:
  process(network& all, unsigned rank, unsigned cores, const wire_options& o)
      : cores_(cores),
        transport_(all, rank),
        lanes_(cores + 1, cores),
        wire_(transport_, lanes_, *this, o, 1) {
    const std::size_t bytes = wire_.format().packet_bytes;
    for (unsigned core = 0; core < cores; ++core) {
      for (std::size_t i = 0; i < k_traffic_classes * wire_.packets_of_core(); ++i) {
        auto* const p = new (std::aligned_alloc(k_line_bytes, bytes)) packet;
        p->owner = static_cast<std::uint16_t>(core);
        p->kind = static_cast<traffic>(i % k_traffic_classes);
        memory_.emplace_back(p, &std::free);
        left(*p);
      }
    }
  }

  /// A packet of `core`, with a chunk for each of `to`: all of one neighbour. False when the core has none
  /// left.
  bool write(unsigned core, traffic kind, const std::vector<unsigned>& to) {
    auto& free = free_[{core, kind}];
    if (free.empty()) return false;
    packet& p = *free.back();
    free.pop_back();
    std::size_t end = 0;
    for (const unsigned destination : to) {
      packet& chunk = *new (&wire_format::chunk(p, end)) packet;
      const unsigned source = transport_.rank() * cores_ + core;
      chunk.kind = kind;
      chunk.source = static_cast<std::uint16_t>(source);
      chunk.owner = static_cast<std::uint16_t>(destination);
      chunk.bytes = 4 + sent_[{destination, source, kind}] % 100;
      std::memcpy(chunk.payload(), &sent_[{destination, source, kind}], 4);
      ++sent_[{destination, source, kind}];
      end += wire_format::bytes_of(chunk);
    }
    p.bytes = static_cast<std::uint32_t>(wire_format::k_head_bytes + end);
    p.matches = static_cast<std::uint16_t>(to.size());
    p.reply_bytes = wire_.routing().next(to.front() / cores_);
    EXPECT_TRUE(lanes_.try_push(p, core, wire_.endpoint_index()));
    return true;
  }

  /// Uses what lies in the lanes of `core`: everything must come in the order in which it was written.
  void use(unsigned core, traffic kind) {
    lane& from = lanes_.between(wire_.endpoint_index(), core, kind);
    while (packet* p = from.front()) {
      from.pop();
      std::uint32_t number = 0;
      std::memcpy(&number, p->payload(), 4);
      EXPECT_EQ(p->owner, transport_.rank() * cores_ + core);
      EXPECT_EQ(number, used_[std::pair(p->owner, std::pair(p->source, kind))]++);
      EXPECT_EQ(p->bytes, 4 + number % 100);
      ++used_in_all_;
      wire_.release(*p);
    }
  }

  class wire& line() { return wire_; }
  std::size_t used() const { return used_in_all_; }
  std::size_t longest() const { return transport_.longest_; }
  const std::vector<std::vector<std::byte>>& notes() const { return notes_; }
  void hold(bool yes) { transport_.holds_ = yes; }
  void hold_to(unsigned process) { transport_.held_ = process; }
  void hold_from(unsigned process) { transport_.late_ = process; }
  void hold_by_chance(std::mt19937& random) { transport_.late_by_chance_ = &random; }
  /// What has come by now comes only once this process waits in the barrier that ends its job.
  void delay_to_barrier(network& all) { transport_.at_barrier_ = std::exchange(all[transport_.rank()], {}); }

 private:
  void arrived(unsigned core) override { ASSERT_LT(core, cores_); }
  void bulk_over(unsigned) override {}
  void left(packet& p) override { free_[{p.owner, p.kind}].push_back(&p); }
  void note(unsigned, std::span<const std::byte> text) override {
    notes_.emplace_back(text.begin(), text.end());
  }

  struct stream {
    unsigned to, from;
    traffic kind;
    auto operator<=>(const stream&) const = default;
  };
  const unsigned cores_;
  memory_transport transport_;
  mesh lanes_;
  fabric::wire wire_;
  std::vector<std::unique_ptr<packet, decltype(&std::free)>> memory_;
  std::map<std::pair<unsigned, traffic>, std::vector<packet*>> free_;
  std::map<stream, std::uint32_t> sent_;
  std::map<std::pair<unsigned, std::pair<unsigned, traffic>>, std::uint32_t> used_;
  std::size_t used_in_all_ = 0;
  std::vector<std::vector<std::byte>> notes_;
};

std::vector<std::unique_ptr<process>> make(network& all, unsigned cores, const wire_options& o) {
  std::vector<std::unique_ptr<process>> processes;
  for (unsigned p = 0; p < all.size(); ++p) processes.push_back(std::make_unique<process>(all, p, cores, o));
  return processes;
}

void everything_arrives_in_order(unsigned n, unsigned cores, routing how,
                                 std::size_t packets = wire_options::k_most_packets, bool late = false) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << n << " processes, " << cores << " cores, seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  network all(n);
  auto processes = make(all, cores, {4096, packets, how});
  if (late)
    for (const auto& p : processes) p->hold_by_chance(random);
  std::size_t written = 0;
  const auto step = [&](bool writing) {
    process& p = *processes[draw(n)];
    if (writing) {
      const unsigned core = draw(cores);
      std::vector<unsigned> to;
      const auto& neighbours = p.line().routing().neighbours();
      const unsigned neighbour = neighbours[draw(static_cast<unsigned>(neighbours.size()))];
      for (unsigned process = 0; process < n; ++process)
        if (p.line().routing().next(process) == neighbour && &p != processes[process].get())
          for (unsigned c = 0; c < cores; ++c)
            if (draw(2) == 0) to.push_back(process * cores + c);
      if (!to.empty() && p.write(core, static_cast<traffic>(draw(2)), to)) written += to.size();
    }
    draw(8) == 0 ? (void)p.line().heartbeat() : (void)p.line().poll();
    // Replies are always used; requests when a core comes to it.
    for (unsigned c = 0; c < cores; ++c) p.use(c, traffic::reply);
    if (!writing || draw(64) == 0) p.use(draw(cores), traffic::request);
  };
  for (int i = 0; i < 10'000; ++i) step(true);
  const auto used = [&] {
    std::size_t sum = 0;
    for (const auto& p : processes) sum += p->used();
    return sum;
  };
  for (int i = 0; i < 200'000 && used() != written; ++i) step(false);
  EXPECT_GT(written, 1000U);
  EXPECT_EQ(used(), written);
  const auto counts = [&] {
    std::pair<std::uint64_t, std::uint64_t> sent_and_received{};
    for (const auto& p : processes) {
      sent_and_received.first += p->line().sent();
      sent_and_received.second += p->line().received();
    }
    return sent_and_received;
  };
  for (int i = 0; i < 1000 && counts().first != counts().second; ++i)  // notes with credits are under way
    for (const auto& p : processes) (void)p->line().poll();
  for (const auto& p : processes) {
    EXPECT_FALSE(p->line().anything_queued());
    // What is under way to one process has a buffer there, or is a reply on its last hop or a note.
    EXPECT_LE(p->longest(), p->line().memory().arriving / p->line().format().packet_bytes + 64);
  }
  EXPECT_EQ(counts().first, counts().second);
}

TEST(Wire, WhatWaitsForCreditsLeavesTogether) {
  network all(2);
  auto processes = make(all, 2, {4096, wire_options::k_most_packets, routing::direct});
  process &from = *processes[0], &to = *processes[1];
  for (unsigned i = 0; i < 2 * wire_options::k_most_packets; ++i) {
    ASSERT_TRUE(from.write(i % 2, traffic::request, {2 + i % 2}));
    from.line().poll();
  }
  const std::uint64_t before = from.line().sent();
  EXPECT_LE(before, 64U);  // credits
  EXPECT_EQ(from.line().joined(), 0U);
  for (int i = 0; i < 100 && to.used() < 2 * wire_options::k_most_packets; ++i) {
    to.line().poll();
    for (unsigned core : {0U, 1U}) to.use(core, traffic::request);
    from.line().poll();
  }
  EXPECT_EQ(to.used(), 2 * wire_options::k_most_packets);
  EXPECT_EQ(from.line().sent() + from.line().joined(), 2 * wire_options::k_most_packets);
  EXPECT_LE(from.line().sent() - before, 8U);  // of some 20 packets each
  EXPECT_FALSE(from.line().anything_queued());
}

TEST(Wire, DeliversEverythingInOrder) {
  for (const unsigned n : {2U, 3U, 5U}) everything_arrives_in_order(n, 2, routing::direct);
}

TEST(Wire, DeliversInOrderWhatComesOutOfOrder) {
  everything_arrives_in_order(3, 2, routing::direct, wire_options::k_most_packets, true);
  everything_arrives_in_order(7, 2, routing::grid, wire_options::k_most_packets, true);
}

TEST(Wire, DeliversEverythingInOrderOverGrids) {
  for (const unsigned n : {2U, 3U, 4U, 6U, 7U, 12U}) everything_arrives_in_order(n, 2, routing::grid);
  everything_arrives_in_order(9, 1, routing::grid);
  everything_arrives_in_order(5, 20, routing::grid);
}

TEST(Wire, DeliversEverythingAmongAThousandProcesses) {
  everything_arrives_in_order(1000, 1, routing::automatic, 4);
}

TEST(Wire, CreditsGoBackThoughEverySendSlotWasTaken) {
  constexpr unsigned k_cores = 4;
  network all(3);
  wire_options o;
  o.packet_bytes = 4096;
  o.packets = transport::k_send_slots / k_cores;
  process a(all, 0, k_cores, o), b(all, 1, k_cores, o), c(all, 2, k_cores, o);
  a.hold(true);
  for (unsigned core = 0; core < k_cores; ++core)
    for (unsigned i = 0; a.write(core, traffic::reply, {(1 + i % 2) * k_cores}); ++i)
      a.line().poll();  // each by itself
  std::size_t written = 0;
  for (; b.write(0, traffic::request, {0}); ++written) b.line().poll();  // more than there are credits
  for (unsigned round = 0; round < 3; ++round) {
    b.line().poll();
    a.line().poll();
    a.use(0, traffic::request);
  }
  EXPECT_LT(a.used(), written);
  a.hold(false);
  for (unsigned round = 0; round < 20; ++round) {
    a.line().poll();
    a.use(0, traffic::request);
    b.line().poll();
    b.use(0, traffic::reply);
  }
  EXPECT_EQ(a.used(), written);
}

TEST(Wire, ASlowProcessKeepsNeitherPacketsNorSlotsOfOthers) {
  constexpr unsigned k_cores = 8;
  for (const traffic kind : {traffic::request, traffic::reply}) {
    network all(3);
    wire_options o;
    o.packet_bytes = 4096;
    o.packets = wire_options::k_most_packets;
    process a(all, 0, k_cores, o), b(all, 1, k_cores, o);
    a.hold_to(2);
    for (unsigned core = 0; core < k_cores; ++core)  // replies: more than there are slots
      for (unsigned i = 0; i < wire_options::k_most_packets / 2; ++i) {
        ASSERT_TRUE(a.write(core, kind, {2 * k_cores}));
        a.line().poll();
      }
    constexpr std::size_t k_rounds = 1000;
    for (std::size_t i = 0; i < k_rounds; ++i) {
      ASSERT_TRUE(a.write(0, kind, {k_cores})) << "after " << i << " packets";
      for (unsigned polls = 0; polls < transport::k_send_slots; ++polls) a.line().poll();
      b.line().poll();
      b.use(0, kind);
      b.line().poll();
    }
    EXPECT_EQ(b.used(), k_rounds);
  }
}

TEST(Wire, AMessageThatHasNotComeHoldsUpNoOthers) {
  network all(3);
  process here(all, 0, 1, {}), computes(all, 1, 1, {}), sends(all, 2, 1, {});
  here.hold_from(1);
  for (unsigned i = 0; i < 10; ++i) {
    ASSERT_TRUE(computes.write(0, traffic::request, {0}));
    computes.line().poll();
  }
  constexpr std::size_t k_rounds = 1000;
  for (std::size_t i = 0; i < k_rounds; ++i) {
    ASSERT_TRUE(sends.write(0, traffic::request, {0})) << "after " << i << " packets";
    sends.line().poll();
    for (unsigned polls = 0; polls < 8 * transport::k_receive_slots && here.used() <= i; ++polls) {
      here.line().poll();
      here.use(0, traffic::request);
    }
    ASSERT_EQ(here.used(), i + 1);
    sends.line().poll();
  }
  here.hold_from(~0U);
  for (unsigned polls = 0; polls < 100; ++polls) {
    here.line().poll();
    here.use(0, traffic::request);
  }
  EXPECT_EQ(here.used(), k_rounds + 10);
}

TEST(Wire, BeatsToAProcessThatTakesNothingTakeNoSlots) {
  network all(3);
  process a(all, 0, 1, {});
  a.hold(true);
  for (unsigned i = 0; i < 2 * transport::k_send_slots; ++i) (void)a.line().heartbeat();
  EXPECT_EQ(all[1].size(), 1U);
}

TEST(Wire, SendsNothingAfterTheBarrierThatEndsAJob) {
  {  // a core gives a chunk back after the last poll
    network all(40);
    process a(all, 0, 1, {}), b(all, 1, 1, {});
    ASSERT_TRUE(b.write(0, traffic::request, {0}));
    b.line().poll();
    a.line().poll();
    a.use(0, traffic::request);
    a.line().close();
  }
  {  // a first hop comes while the process waits in the barrier
    network all(100);
    process a(all, 0, 1, {}), b(all, 1, 1, {});
    ASSERT_EQ(b.line().routing().next(10), 0U);
    ASSERT_TRUE(b.write(0, traffic::request, {10}));
    b.line().poll();
    a.delay_to_barrier(all);
    a.line().close();
  }
}

TEST(Wire, ANoteIsCutToWhatAPacketHolds) {
  constexpr std::size_t k_packet_bytes = 4096;
  network all(2);
  auto processes = make(all, 1, {k_packet_bytes});
  const std::vector<std::byte> text(2 * k_packet_bytes, std::byte{7});
  processes[0]->line().send_note(1, text);
  for (int i = 0; i < 10; ++i)
    for (const auto& p : processes) (void)p->line().poll();
  ASSERT_EQ(processes[1]->notes().size(), 1U);
  const std::vector<std::byte>& came = processes[1]->notes().front();
  EXPECT_EQ(came.size(), k_packet_bytes - wire_format::k_head_bytes);
  EXPECT_EQ(came.back(), std::byte{7});
}

TEST(Wire, AGridTakesLessMemoryAmongManyProcesses) {
  const wire_options o{64 << 10, 0, routing::grid};
  const wire_memory grid(o, {1024, 5, routing::grid}, 16), direct(o, {1024, 5, routing::direct}, 16);
  EXPECT_LT(grid.total(), direct.total() * 2 / 3);
  EXPECT_LT(grid.arriving + grid.forwarding, direct.arriving * 2 / 3);
}

TEST(Wire, AProcessThatIsNotThereMissesItsBeats) {
  network all(3);
  auto processes = make(all, 1, {});
  for (unsigned round = 1; round <= 3; ++round) {
    EXPECT_EQ(processes[1]->line().watched(), 0U);
    (void)processes[2]->line().heartbeat();
    EXPECT_EQ(processes[1]->line().heartbeat(), round);
  }
  (void)processes[0]->line().heartbeat();
  EXPECT_EQ(processes[1]->line().heartbeat(), 0U);
  EXPECT_EQ(processes[1]->line().heartbeat(), 1U);
  EXPECT_EQ(processes[2]->line().heartbeat(), 0U);
}

TEST(Wire, AProcessThatCannotHearMissesNoBeats) {
  network all(2);
  auto processes = make(all, 1, {});
  process &answers = *processes[0], &computes = *processes[1];
  const std::size_t buffers = computes.line().memory().arriving / computes.line().format().packet_bytes;
  for (std::size_t i = 0; i < buffers + 10; ++i) {  // replies need no credit
    ASSERT_TRUE(answers.write(0, traffic::reply, {1}));
    answers.line().poll();
  }
  for (unsigned round = 0; round < 6; ++round) {
    (void)answers.line().heartbeat();
    EXPECT_EQ(computes.line().heartbeat(), 0U);
  }
  for (unsigned polls = 0; polls < 2 * buffers; ++polls) {
    computes.use(0, traffic::reply);
    computes.line().poll();
  }
  EXPECT_EQ(computes.used(), buffers + 10);
  EXPECT_EQ(computes.line().heartbeat(), 0U);
  for (unsigned round = 1; round <= 3; ++round) EXPECT_EQ(computes.line().heartbeat(), round);
}

}  // namespace
}  // namespace gossamer::fabric
