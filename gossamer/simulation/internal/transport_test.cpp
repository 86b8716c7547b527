#include "gossamer/simulation/internal/simulated_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "simulation/clocks.hpp"

namespace gossamer::simulation {
namespace {

/// Round numbers: 1 us, 100 and 200 ns at the ends, 1 ns per byte of an adapter, 0.5 of a link.
network plain() {
  return parse_network(
      "latency_ns = 1000\nsend_ns = 100\nreceive_ns = 200\nsend_byte_ps = 0\nreceive_byte_ps = 0\n"
      "gap_ns = 50\nprocess_byte_ps = 1000\nlink_byte_ps = 500\nrendezvous_bytes = 0\npoll_ns = 10\n"
      "detect_ns = 5000\nlocal_packet_ns = 60\nlocal_byte_ps = 50\nlook_ns = 20\nwake_ns = 17000\n"
      "yield_ns = 1000\nstart_ns = 1000\n",
      "plain");
}

/// Processes on a network, driven by hand.
class cluster {
 public:
  cluster(const network& n, unsigned processes, choices decide = {0, {}},
          std::optional<options::loss> lose = {}, message_listener* listener = nullptr)
      : time(processes, std::move(decide)), all_(n, processes, lose, listener) {
    for (unsigned p = 0; p < processes; ++p) ends_.push_back(all_.connect(p, time));
  }

  fabric::transport& at(unsigned process) {
    time.run(process);
    return *ends_[process];
  }

  void send(unsigned from, unsigned to, std::string_view text) {
    const unsigned n = sends_[from]++, slot = n % fabric::transport::k_send_slots;
    if (n >= fabric::transport::k_send_slots)
      while (!at(from).sent(slot)) {}
    send(from, to, text, slot);
  }
  void send(unsigned from, unsigned to, std::string_view text, unsigned slot) {
    at(from).send(slot, to, std::as_bytes(std::span(text)));
  }
  /// Has a buffer wait in the slot.
  void post(unsigned process, unsigned slot, std::size_t bytes = 4096) {
    auto& buffer = buffers_[{process, slot}];
    buffer.assign(bytes, '?');
    at(process).receive(slot, std::as_writable_bytes(std::span(buffer)));
  }
  /// "2:text" of what came in the slot, empty where nothing has.
  std::string look(unsigned process, unsigned slot) {
    const auto a = at(process).received(slot);
    if (!a) return "";
    return std::to_string(a->from) + ":" + buffers_[{process, slot}].substr(0, a->bytes);
  }

  clocks time;

 private:
  fabric_model all_;
  std::vector<std::unique_ptr<fabric::transport>> ends_;
  std::map<unsigned, unsigned> sends_;  // so far, by process
  std::map<std::pair<unsigned, unsigned>, std::string> buffers_;
};

TEST(Transport, AMessageTakesOverheadsLatencyAndItsBytes) {
  cluster c(plain(), 2);
  c.post(1, 0);
  c.time.set(0, 7000);
  c.send(0, 1, "hello");
  EXPECT_EQ(c.time.of(0), 7100U);
  const std::uint64_t arrives = 7100 + 1000 + 5;  // the adapter's byte time: the slower one
  EXPECT_EQ(c.time.arrivals(), (std::vector<clocks::expected>{{1, arrives}}));
  c.time.set(1, arrives - 1);
  EXPECT_EQ(c.look(1, 0), "");
  EXPECT_EQ(c.time.of(1), arrives - 1 + 10);  // a look in vain
  c.time.set(1, arrives);
  EXPECT_EQ(c.look(1, 0), "0:hello");
  EXPECT_EQ(c.time.of(1), arrives + 200);
}

TEST(Transport, CopiesCostTheCores) {
  network n = plain();
  n.send_byte_ps = 2000;
  n.receive_byte_ps = 3000;
  cluster c(n, 2);
  c.post(1, 0);
  c.send(0, 1, std::string(100, 'x'));
  EXPECT_EQ(c.time.of(0), 100U + 200);
  c.time.set(1, 100'000);
  EXPECT_NE(c.look(1, 0), "");
  EXPECT_EQ(c.time.of(1), 100'000U + 200 + 300);
}

TEST(Transport, MessagesOfAProcessKeepItsGap) {
  network n = plain();
  n.send_ns = 0;
  cluster c(n, 3);
  for (unsigned to : {1U, 2U, 1U}) c.send(0, to, "");
  EXPECT_EQ(c.time.arrivals(), (std::vector<clocks::expected>{{1, 1000}, {2, 1050}, {1, 1100}}));
}

TEST(Transport, BytesOccupyAdapterAndLink) {
  network n = plain();
  n.send_ns = 0;
  cluster fast_link(n, 3);
  fast_link.send(0, 1, std::string(1000, 'x'));
  fast_link.send(0, 2, std::string(1000, 'y'));  // the adapter is busy for 1000 ns
  EXPECT_EQ(fast_link.time.arrivals(), (std::vector<clocks::expected>{{1, 2000}, {2, 3000}}));

  n.link_byte_ps = 4000;
  cluster slow_link(n, 3);
  slow_link.send(0, 1, std::string(1000, 'x'));
  slow_link.send(0, 2, std::string(1000, 'y'));  // another link: waits for the adapter only
  slow_link.send(0, 1, std::string(1000, 'z'));  // the same link: busy for 4000 ns
  EXPECT_EQ(slow_link.time.arrivals(), (std::vector<clocks::expected>{{1, 5000}, {2, 6000}, {1, 9000}}));
}

TEST(Transport, ManySendersWaitForOneReceiver) {
  network n = plain();
  n.send_ns = 0;
  n.poll_ns = 1;
  cluster c(n, 4);
  for (unsigned slot : {0U, 1U, 2U}) c.post(0, slot);
  for (unsigned from : {1U, 2U, 3U}) c.send(from, 0, std::string(1000, 'x'));
  EXPECT_EQ(c.time.arrivals(), (std::vector<clocks::expected>{{0, 2000}, {0, 2000}, {0, 2000}}));
  for (unsigned slot : {0U, 1U, 2U}) {
    const std::uint64_t through = 2000 + slot * 1000;
    c.time.set(0, through - 1);
    EXPECT_EQ(c.look(0, slot), "");
    if (slot != 0) {
      EXPECT_EQ(c.time.arrivals().back(),
                (clocks::expected{0, through}));  // the receiver is told when to look again
    }
    c.time.set(0, through);
    EXPECT_NE(c.look(0, slot), "");
  }
}

TEST(Transport, LongMessagesAskFirst) {
  network n = plain();
  n.rendezvous_bytes = 1000;
  cluster c(n, 2);
  c.send(0, 1, std::string(1000, 'x'));
  EXPECT_EQ(c.time.arrivals().back().at, 100U + 1000 + 1000);
  c.time.set(0, 10'000);
  c.send(0, 1, std::string(1001, 'x'));
  EXPECT_EQ(c.time.arrivals().back().at, 10'000U + 100 + 2300 + 1000 + 1001);
}

TEST(Transport, AnAdapterIsFreeWhileALongMessageAsks) {
  network n = plain();
  n.rendezvous_bytes = 1000;
  cluster c(n, 3);
  c.send(0, 1, std::string(2000, 'x'));
  EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{1, 100U + 2300 + 1000 + 2000}));
  // The adapter has the bytes of both to send, and nothing to do while the first one asks.
  c.send(0, 2, "short");
  EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{2, 100U + 2000 + 1000 + 5}));
}

TEST(Transport, ABufferIsFreeWhenItsBytesHaveLeft) {
  cluster c(plain(), 2);
  c.send(0, 1, std::string(500, 'x'), 3);
  EXPECT_EQ(c.time.of(0), 100U);
  EXPECT_FALSE(c.at(0).sent(3));
  EXPECT_EQ(c.time.of(0), 110U);
  c.time.set(0, 599);
  EXPECT_FALSE(c.at(0).sent(3));
  c.time.set(0, 600);
  EXPECT_TRUE(c.at(0).sent(3));
  EXPECT_EQ(c.time.of(0), 600U);
}

TEST(Transport, BytesAreTakenWhenTheyAreSent) {
  cluster c(plain(), 2);
  c.post(1, 0);
  std::string text = "before";
  c.send(0, 1, text);
  text = "after!";
  c.time.set(1, 1'000'000);
  EXPECT_EQ(c.look(1, 0), "0:before");
}

TEST(Transport, SlotsFillInTheOrderInWhichTheyWereStarted) {
  cluster c(plain(), 3);
  for (unsigned slot : {5U, 2U, 9U}) c.post(0, slot);
  c.time.set(2, 50);
  c.send(2, 0, "second");
  c.send(1, 0, "first");  // earlier in time although later in the test
  c.time.set(0, 1'000'000);
  EXPECT_EQ(c.look(0, 9), "");
  EXPECT_EQ(c.look(0, 2), "2:second");
  EXPECT_EQ(c.look(0, 5), "1:first");
  c.send(1, 0, "third");
  c.time.set(0, 2'000'000);
  EXPECT_EQ(c.look(0, 9), "1:third");
}

TEST(Transport, WaitsForABuffer) {
  cluster c(plain(), 2);
  c.send(0, 1, "early");
  c.time.set(1, 1'000'000);
  c.post(1, 0);
  EXPECT_EQ(c.look(1, 0), "0:early");
}

TEST(Transport, RefusesAMessageThatIsTooLong) {
  cluster c(plain(), 2);
  c.post(1, 0, 4);
  c.send(0, 1, "hello");
  c.time.set(1, 1'000'000);
  EXPECT_THROW(c.look(1, 0), error);
}

TEST(Transport, CancelledBuffersReceiveNothing) {
  cluster c(plain(), 2);
  c.post(1, 0);
  c.at(1).cancel_receives();
  c.send(0, 1, "hello");
  c.post(1, 7);
  c.time.set(1, 1'000'000);
  EXPECT_EQ(c.look(1, 7), "0:hello");
}

TEST(Transport, BarriersCostMessagesForEachDoubling) {
  for (const auto& [processes, steps] :
       {std::pair{2U, 1U}, {3U, 2U}, {4U, 2U}, {5U, 3U}, {128U, 7U}, {1000U, 10U}}) {
    cluster c(plain(), processes);
    c.at(1).barrier();
    EXPECT_EQ(c.time.met(), 1U);
    EXPECT_EQ(c.time.of(1), steps * 1300U) << processes;
  }
}

TEST(Transport, GathersFromAll) {
  constexpr unsigned k_processes = 3;
  cluster c(plain(), k_processes);
  // meet() does not wait in this test: the last of each round sees what all have brought.
  for (const unsigned round : {10U, 20U, 30U}) {
    std::vector<std::uint32_t> all(k_processes);
    for (unsigned p = 0; p < k_processes; ++p) {
      const std::uint32_t mine = round + p;
      c.at(p).all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    }
    EXPECT_EQ(all, (std::vector<std::uint32_t>{round, round + 1, round + 2}));
  }
  EXPECT_GT(c.time.of(0), 3U * 2 * 1300);  // the bytes cost, too
}

TEST(Transport, AFastOneMayGatherAgainWhileASlowOneStillReads) {
  cluster c(plain(), 2);
  const auto gather = [&c](unsigned process, std::uint32_t mine) {
    std::vector<std::uint32_t> all(2);
    c.at(process).all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
  };
  c.time.meanwhile = [&] {
    EXPECT_EQ(gather(1, 11), (std::vector<std::uint32_t>{10, 11}));
    gather(1, 21);
    c.time.run(0);
  };
  EXPECT_EQ(gather(0, 10), (std::vector<std::uint32_t>{10, 11}));
  EXPECT_EQ(gather(0, 20), (std::vector<std::uint32_t>{20, 21}));
}

TEST(Transport, ALostProcessIsNoticedAfterAWhile) {
  cluster c(plain(), 3, {0, {}}, options::loss{1, 50'000});
  c.post(0, 0);
  c.post(2, 0);
  c.time.set(1, 10'000);
  c.send(1, 0, "alive");
  c.time.set(0, 20'000);
  EXPECT_EQ(c.look(0, 0), "1:alive");
  c.time.set(0, 49'000);
  c.send(0, 1, "too late");  // would arrive after the loss
  c.post(0, 0);
  c.time.set(0, 54'989);
  EXPECT_EQ(c.look(0, 0), "");
  c.time.set(0, 55'000);
  try {
    c.look(0, 0);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()), "process 1 was lost");
  }
  EXPECT_THROW(c.at(0).barrier(), error);
}

TEST(Transport, WhatALostProcessHadSentStillArrives) {
  cluster c(plain(), 2, {0, {}}, options::loss{1, 50'000});
  c.post(0, 0);
  c.time.set(1, 49'000);
  c.send(1, 0, "last words");
  c.time.set(1, 50'000);
  c.send(1, 0, "from beyond");
  c.time.set(0, 100'000);
  EXPECT_EQ(c.look(0, 0), "1:last words");
  c.post(0, 1);
  EXPECT_THROW(c.look(0, 1), error);
}

TEST(Transport, AbortEndsTheSimulation) {
  cluster c(plain(), 2);
  EXPECT_THROW(c.at(1).abort(3), clocks::abortion);
}

TEST(Transport, APlainStreamHasTheBandwidthOfTheNetwork) {
  cluster c(plain(), 2);
  EXPECT_NEAR(c.at(0).plain_stream(0, 1, 1'000'000, 100), 0.1, 1e-5);
  EXPECT_NEAR(c.at(0).plain_stream(0, 1, 0, 1000), 200e-6 + 1e-6, 1e-9);  // the receiver's overhead
}

/// Random traffic: (from, to, number, arrival) of all messages in the order of receiving.
struct received_message {
  unsigned from, to, number;
  std::uint64_t at;
  bool operator==(const received_message&) const = default;
};

std::vector<received_message> traffic(std::uint64_t seed, const char* faults, const network& n) {
  constexpr unsigned k_processes = 4, k_messages = 2000;
  cluster c(n, k_processes, choices(seed, fault_set::parse(faults)));
  xoshiro256 random(42);
  std::vector<std::vector<unsigned>> sent(k_processes, std::vector<unsigned>(k_processes));
  for (unsigned i = 0; i < k_messages; ++i) {
    const auto from = static_cast<unsigned>(bounded(random, k_processes));
    const auto to = (from + 1 + static_cast<unsigned>(bounded(random, k_processes - 1))) % k_processes;
    c.time.set(from, std::max<std::uint64_t>(c.time.of(from), i * 20));
    std::string text(4 + bounded(random, 2000), 'x');
    std::memcpy(text.data(), &sent[from][to], sizeof(unsigned));
    ++sent[from][to];
    c.send(from, to, text);
  }
  std::vector<received_message> all;
  for (unsigned p = 0; p < k_processes; ++p) {
    unsigned due = 0;
    for (unsigned from = 0; from < k_processes; ++from) due += sent[from][p];
    unsigned slot = 0;
    c.post(p, slot);
    c.time.set(p, 0);
    while (due != 0) {
      const std::uint64_t now = c.time.of(p);
      const std::string text = c.look(p, slot);
      if (text.empty()) continue;
      unsigned number = 0;
      std::memcpy(&number, text.data() + 2, sizeof number);
      all.push_back({static_cast<unsigned>(text[0] - '0'), p, number, now});
      --due;
      slot = (slot + 1) % 64;
      c.post(p, slot);
    }
  }
  return all;
}

bool in_order_between_two(const std::vector<received_message>& all) {
  std::map<std::pair<unsigned, unsigned>, unsigned> next;
  return std::all_of(all.begin(), all.end(),
                     [&](const received_message& m) { return m.number == next[{m.from, m.to}]++; });
}

TEST(Transport, KeepsTheOrderBetweenTwoProcessesWhateverTheDelays) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_TRUE(in_order_between_two(traffic(seed, "all", plain()))) << "seed " << seed;
}

TEST(Transport, DelaysAndOtherOrdersFollowTheSeed) {
  const auto usual = traffic(1, "none", plain());
  EXPECT_EQ(usual, traffic(2, "none", plain()));
  const auto first = traffic(1, "delay", plain()), second = traffic(2, "delay", plain());
  EXPECT_EQ(first, traffic(1, "delay", plain()));
  EXPECT_NE(first, second);
  const auto senders = [](const std::vector<received_message>& all) {
    std::vector<unsigned> from;
    for (const auto& m : all) from.push_back(m.from);
    return from;
  };
  EXPECT_NE(senders(first), senders(second));
  EXPECT_NE(senders(first), senders(usual));
}

TEST(Transport, NothingComesBeforeTheLatencyNorIsDelayedForEver) {
  struct check : message_listener {
    std::uint64_t longest = 0;
    void sent(unsigned, unsigned, std::size_t, std::uint64_t leaves, std::uint64_t arrives) override {
      EXPECT_GE(arrives, leaves + 1000);
      longest = std::max(longest, arrives - leaves);
    }
  } checked;
  cluster c(plain(), 2, choices(11, fault_set::all()), {}, &checked);
  for (unsigned i = 0; i < 2000; ++i) {
    c.time.set(0, i * 100'000);
    c.send(0, 1, "x");
  }
  EXPECT_GT(checked.longest, 10'000U);
  EXPECT_LE(checked.longest, 1001U + 16'000);
}

TEST(Transport, AMoveLeavesWhenBothSidesHaveBegunAndTheSenderLooks) {
  cluster c(plain(), 2);
  std::string from = "0123456789", to(10, '?');
  const auto data = std::as_bytes(std::span(from));
  c.at(0).bulk_send(0, 1, 7, data);
  EXPECT_EQ(c.time.of(0), 100U);
  c.time.set(0, 50'000);
  EXPECT_FALSE(c.at(0).bulk_over(0)) << "the other side has not begun";
  c.time.set(1, 60'000);
  c.at(1).bulk_receive(3, 0, 7, std::as_writable_bytes(std::span(to)));
  // The two agree (2 x 1000 + 100 + 200), then its bytes leave.
  const std::uint64_t left = 60'000 + 200 + 2300 + 10;
  EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{0, left}));
  EXPECT_FALSE(c.at(1).bulk_over(3));
  c.time.set(0, left - 1);
  EXPECT_FALSE(c.at(0).bulk_over(0));
  from[0] = 'x';  // still the sender's to change: it is to be seen that it was
  c.time.set(0, left + 5000);
  EXPECT_TRUE(c.at(0).bulk_over(0));
  from[1] = 'y';
  const std::uint64_t arrives = left + 5000 + 100 + 1000;
  EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{1, arrives}));
  c.time.set(1, arrives - 1);
  EXPECT_FALSE(c.at(1).bulk_over(3));
  EXPECT_EQ(to, "??????????");
  c.time.set(1, arrives);
  EXPECT_TRUE(c.at(1).bulk_over(3));
  EXPECT_EQ(to, "x123456789");
}

TEST(Transport, MovesOfManySendersWaitForOneReceiver) {
  network n = plain();
  n.send_ns = 0;
  cluster c(n, 4);
  std::string from[3], to[3];
  for (const unsigned i : {0U, 1U, 2U}) {
    from[i].assign(1000, static_cast<char>('a' + i));
    to[i].assign(1000, '?');
    c.at(i + 1).bulk_send(0, 0, 7, std::as_bytes(std::span(from[i])));
    c.at(0).bulk_receive(i, i + 1, 7, std::as_writable_bytes(std::span(to[i])));
  }
  for (const unsigned i : {1U, 2U, 3U}) {
    c.time.set(i, 10'000);
    EXPECT_TRUE(c.at(i).bulk_over(0));
    EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{0, 11'000}));
  }
  for (const unsigned i : {2U, 0U, 1U}) {  // looked at in another order than they come
    c.time.set(0, 11'000 + i * 1000 - 1);
    EXPECT_FALSE(c.at(0).bulk_over(i));
    if (i != 0) {
      EXPECT_EQ(c.time.arrivals().back(), (clocks::expected{0, 11'000U + i * 1000}));
    }
  }
  for (const unsigned i : {0U, 1U, 2U}) {
    c.time.set(0, 11'000 + i * 1000);
    EXPECT_TRUE(c.at(0).bulk_over(i));
    EXPECT_EQ(to[i], from[i]);
  }
}

TEST(Transport, MovesAreToldApartByDirectionAndTag) {
  cluster c(plain(), 2);
  std::string out[2] = {"abc", "defg"}, back = "hijkl", in[2] = {"???", "????"}, in_back = "?????";
  const auto writable = [](std::string& s) { return std::as_writable_bytes(std::span(s)); };
  c.at(0).bulk_send(0, 1, 1, std::as_bytes(std::span(out[0])));
  c.at(0).bulk_send(1, 1, 2, std::as_bytes(std::span(out[1])));
  c.at(1).bulk_send(0, 0, 1, std::as_bytes(std::span(back)));
  c.at(1).bulk_receive(1, 0, 2, writable(in[1]));
  c.at(1).bulk_receive(2, 0, 1, writable(in[0]));
  c.at(0).bulk_receive(2, 1, 1, writable(in_back));
  for (const unsigned p : {0U, 1U}) c.time.set(p, 100'000);
  EXPECT_TRUE(c.at(0).bulk_over(0) && c.at(0).bulk_over(1) && c.at(1).bulk_over(0));
  for (const unsigned p : {0U, 1U}) c.time.set(p, 200'000);
  EXPECT_TRUE(c.at(1).bulk_over(1) && c.at(1).bulk_over(2) && c.at(0).bulk_over(2));
  EXPECT_EQ(in[0] + in[1] + in_back, "abcdefghijkl");
}

TEST(Transport, AMoveForAPlaceOfAnotherSizeIsRefused) {
  cluster c(plain(), 2);
  std::string from = "abc", to = "??";
  c.at(0).bulk_send(0, 1, 1, std::as_bytes(std::span(from)));
  EXPECT_THROW(c.at(1).bulk_receive(0, 0, 1, std::as_writable_bytes(std::span(to))), error);
}

}  // namespace
}  // namespace gossamer::simulation
