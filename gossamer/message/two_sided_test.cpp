#include "gossamer/message/two_sided.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class TwoSided : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(TwoSided);

using bytes = std::vector<std::byte>;

/// Sizes around every change of method: none, in the line, eager, by address, many packets.
const std::size_t k_sizes[] = {0,
                               1,
                               8,
                               9,
                               64,
                               message::k_eager_bytes - 1,
                               message::k_eager_bytes,
                               1025,
                               8192,
                               9000,
                               70'001,
                               std::size_t{1} << 20};

bytes pattern(std::size_t n, std::uint64_t seed) {
  bytes all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(hash64(seed, i / 8) >> (i % 8 * 8));
  return all;
}

core_id next_core() { return (here() + 1) % cores(); }
core_id previous_core() { return (here() + cores() - 1) % cores(); }

/// What the job says when it ends by an error.
template <class F>
std::string error_of(const job_options& options, F main) {
  try {
    run(options, main);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST_P(TwoSided, MessagesOfAnySizeArriveWhole) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      spawn([] {
        for (std::size_t n : k_sizes) send(next_core(), n, pattern(n, n + here()));
      });
      spawn([] {
        for (std::size_t n : k_sizes) {
          bytes buffer(n + 3);
          ASSERT_EQ(receive(previous_core(), n, buffer), n);
          buffer.resize(n);
          ASSERT_EQ(buffer, pattern(n, n + previous_core())) << n << " bytes";
        }
      });
    });
  });
}

TEST_P(TwoSided, OneTagKeepsItsOrderSmallAndLargeMixed) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    run(job_options{.cores = GetParam(), .packet_bytes = 4096}, [seed] {
      on_all_cores([seed] {
        // Sizes from the seed, so that both sides know them; which side runs ahead is drawn too.
        const auto size = [seed](std::uint64_t i) {
          return hash64(seed, i) % (hash64(seed, i) >> 60 == 0 ? 20'000 : 40);
        };
        const auto linger = [](std::uint64_t draw) {
          if (draw % 3 == 0) fiber::scheduler::current()->yield();
        };
        spawn([=] {
          for (std::uint64_t i = 0; i < 400; ++i) {
            send(next_core(), 7, pattern(8 + size(i), i));
            linger(hash64(seed + 1, i));
          }
        });
        spawn([=] {
          for (std::uint64_t i = 0; i < 400; ++i) {
            bytes buffer(8 + size(i));
            linger(hash64(seed + 2, i));
            ASSERT_EQ(receive(previous_core(), 7, buffer), buffer.size());
            ASSERT_EQ(buffer, pattern(8 + size(i), i)) << "message " << i;
          }
        });
      });
    });
  }
}

TEST_P(TwoSided, ManyFibersMeetByTagAndSource) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      for (std::uint64_t f = 0; f < 500; ++f)
        spawn([f] {
          // Each fiber sends to every core and hears from the fiber of its number on every core.
          for (core_id c = 0; c < cores(); ++c) send_value(c, f, hash64(f, here() * 100 + c));
          for (core_id c = cores(); c-- > 0;)
            ASSERT_EQ(receive_value<std::uint64_t>(c, f), hash64(f, c * 100 + here()));
        });
    });
  });
}

// More at once than the table is made for at first: it grows, in handlers and fibers, on whatever stack they
// have.
TEST_P(TwoSided, ThousandsOfFibersOnSmallStacksMeet) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      // The thread sanitizer has room for 8,128 fibers in all.
      constexpr std::uint64_t k_fibers = test::k_thread_sanitizer ? 300 : 6000;
      std::vector<joinable<void>> fibers;
      for (std::uint64_t f = 0; f < k_fibers; ++f)
        fibers.push_back(start(
            [f] {
              if (f % 2 == 0) send_value(next_core(), f, hash64(f, here()));
              const auto word = receive_value<std::uint64_t>(previous_core(), f);
              EXPECT_TRUE(word == hash64(f, previous_core()));
            },
            fiber::stack_class::small));
      for (std::uint64_t f = 1; f < k_fibers; f += 2) send_value(next_core(), f, hash64(f, here()));
      for (auto& f : fibers) f.join();
    });
  });
}

TEST_P(TwoSided, NonBlockingOnesCompleteInAnyOrder) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      constexpr std::size_t k_count = 24;
      std::vector<bytes> out(k_count), in(k_count);
      request sends[k_count], receives[k_count];
      std::vector<request*> open;
      for (std::size_t i = 0; i < k_count; ++i) {
        in[i].resize(k_sizes[i % 12]);
        ireceive(receives[i], previous_core(), i, in[i]);
        open.push_back(&receives[i]);
      }
      barrier();  // all receives are there first
      for (std::size_t k = 0; k < k_count; ++k) {
        const std::size_t i = (k * 7 + 5) % k_count;
        out[i] = pattern(k_sizes[i % 12], i);
        isend(sends[i], next_core(), i, out[i]);
      }
      for (request& r : sends) r.wait();
      for (std::size_t done = 0; done < k_count; ++done) {
        const std::size_t i = wait_any(open);
        ASSERT_NE(open[i], nullptr);
        ASSERT_EQ(open[i]->bytes(), k_sizes[i % 12]);
        ASSERT_EQ(open[i]->source(), previous_core());
        ASSERT_EQ(in[i], pattern(k_sizes[i % 12], i));
        open[i] = nullptr;
      }
    });
  });
}

TEST_P(TwoSided, WaitAnyWakesForTheFirstOfSeveral) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      spawn([] {
        int words[3];
        request requests[3];
        std::vector<request*> all;
        for (std::size_t i = 0; i < 3; ++i) {
          ireceive(requests[i], previous_core(), 10 + i, std::as_writable_bytes(std::span(&words[i], 1)));
          all.push_back(&requests[i]);
        }
        for (const int expected : {2, 0, 1}) {
          send_value(previous_core(), 99, expected);  // asks for it
          ASSERT_EQ(wait_any(all), static_cast<std::size_t>(expected));
          ASSERT_EQ(words[expected], expected);
        }
      });
      spawn([] {
        for (int i = 0; i < 3; ++i) {
          const int which = receive_value<int>(next_core(), 99);
          send_value(next_core(), 10 + static_cast<message_tag>(which), which);
        }
      });
    });
  });
}

TEST_P(TwoSided, TestLetsTheMessageArrive) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      bytes in(100'000), out = pattern(100'000, here());
      request sending, receiving;
      ireceive(receiving, previous_core(), 1, in);
      isend(sending, next_core(), 1, out);
      bool sent = false, received = false;
      while (!sent || !received) {
        sent = sent || sending.test();
        received = received || receiving.test();
      }
      ASSERT_EQ(in, pattern(100'000, previous_core()));
    });
  });
}

TEST_P(TwoSided, ADeclaredTagSpaceMatchesByTagAlone) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint16_t k_space = 3;
    match_by_tag(k_space);
    on_all_cores([] {
      for (int i = 0; i < 100; ++i) send_value(0, tag_in(k_space, 5), here());
      send_value(0, tag_in(k_space + 1, 5), here());  // another space: by source
    });
    std::vector<int> heard(cores());
    for (unsigned i = 0; i < 100 * cores(); ++i) {
      core_id from = 0;
      request r;
      ireceive(r, any_core, tag_in(k_space, 5), std::as_writable_bytes(std::span(&from, 1)));
      r.wait();
      ASSERT_EQ(r.source(), from);
      ++heard[from];
    }
    EXPECT_TRUE(std::ranges::all_of(heard, [](int n) { return n == 100; }));
    for (core_id c = cores(); c-- > 0;) EXPECT_EQ(receive_value<core_id>(c, tag_in(k_space + 1, 5)), c);
    EXPECT_THROW(receive_value<int>(any_core, tag_in(k_space + 1, 5)), error);
  });
}

TEST_P(TwoSided, ASpaceDeclaredLateTakesInWhatIsThereAlready) {
  for (const std::size_t size : {std::size_t{8}, std::size_t{5000}}) {
    run(job_options{.cores = GetParam()}, [size] {
      constexpr message_tag k_tag = tag_in(9, 1), k_other = tag_in(9, 2);
      const core_id last = cores() - 1;
      finish([=] {
        // Waits for core 0 under a tag that the last core sends under: they meet when matched by tag.
        spawn([=] {
          bytes buffer(size);
          EXPECT_EQ(receive(0, k_other, buffer), size);
          EXPECT_EQ(buffer, pattern(size, 50));
        });
        async_on(last, [=] {
          spawn([=] {
            for (std::uint64_t i = 0; i < 20; ++i)
              if (size > message::k_eager_bytes)
                spawn([=] { send(0, k_tag, pattern(size, i)); });
              else
                send(0, k_tag, pattern(size, i));
            send_value(0, 77, 1);
            send(0, k_other, pattern(size, 50));
          });
        });
        (void)receive_value<int>(last, 77);
        match_by_tag(9);
        for (std::uint64_t i = 0; i < 20; ++i) {
          bytes buffer(size);
          ASSERT_EQ(receive(any_core, k_tag, buffer), size);
          EXPECT_TRUE(size > message::k_eager_bytes || buffer == pattern(size, i));
        }
      });
    });
  }
}

TEST_P(TwoSided, ATooLongMessageIsAnErrorAtTheReceiverOnly) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{70'000}}) {
    run(job_options{.cores = GetParam()}, [size] {
      const core_id last = cores() - 1;
      async_on(last, [size] {
        spawn([size] {
          send(0, 0x17, pattern(size, 1));
          send(0, 0x17, pattern(10, 2));
        });
      });
      bytes buffer(50, std::byte{7});
      std::string what;
      try {
        receive(last, 0x17, buffer);
      } catch (const error& e) {
        what = e.what();
      }
      EXPECT_EQ(what, "receive: a message of " + std::to_string(size) + " bytes from core " +
                          std::to_string(last) + ", tag 0x17, has come for a buffer of 50 bytes");
      EXPECT_EQ(buffer, bytes(50, std::byte{7}));
      EXPECT_EQ(receive(last, 0x17, buffer), 10U);  // the sender went on
      send_value(0, 1, 5);
      EXPECT_THROW(receive_value<std::uint64_t>(0, 1), error);
    });
  }
}

TEST_P(TwoSided, ARequestThatHasThrownIsIdle) {
  run(job_options{.cores = GetParam()}, [] {
    const core_id last = cores() - 1;
    on_core(last, [] { send(0, 3, pattern(100, 1)); });
    bytes buffer(50);
    request r;
    ireceive(r, last, 3, buffer);
    EXPECT_THROW(r.wait(), error);
    EXPECT_TRUE(r.idle());
    EXPECT_NO_THROW(r.wait());
    EXPECT_TRUE(r.test());
  });
}

TEST_P(TwoSided, AValueOfAnotherSizeIsRefusedByItsSender) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint16_t k_space = 5;
    const core_id last = cores() - 1;
    match_by_tag(k_space);
    for (const std::size_t size : {3, 5}) {
      on_core(last, [size] { send(0, tag_in(k_space, 1), pattern(size, 1)); });
      try {
        (void)receive_value<int>(any_core, tag_in(k_space, 1));
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_NE(std::string(e.what()).find("bytes from core " + std::to_string(last) + ", tag"),
                  std::string::npos)
            << e.what();
      }
    }
  });
}

TEST_P(TwoSided, ValuesNeedNoDefaultConstructor) {
  struct point {
    explicit point(double first) : x(first), y(2 * first) {}
    double x, y;
  };
  run(job_options{.cores = GetParam()}, [] {
    const core_id last = cores() - 1;
    on_core(last, [] { send_value(0, 1, point(3)); });
    EXPECT_EQ(receive_value<point>(last, 1).y, 6);
  });
}

TEST_P(TwoSided, AReceiveThatIsGivenUpTakesNoMessage) {
  run(job_options{.cores = GetParam()}, [] {
    const core_id last = cores() - 1;
    int first = 0, second = 0;
    {
      request given_up;
      ireceive(given_up, last, 4, std::as_writable_bytes(std::span(&first, 1)));
      EXPECT_FALSE(given_up.test());
    }
    async_on(last, [] { spawn([] { send_value(0, 4, 11); }); });
    second = receive_value<int>(last, 4);
    EXPECT_EQ(first, 0);
    EXPECT_EQ(second, 11);
  });
}

TEST_P(TwoSided, AReceiveThatNothingMatchesIsNamedWhenTheJobStalls) {
  const std::string last = std::to_string(GetParam() - 1);
  const std::string what = error_of(job_options{.cores = GetParam()}, [] {
    const core_id from = cores() - 1;
    finish([from] { async_on(from, [] { spawn([] { send_value(0, 0x18, 1); }); }); });
    (void)receive_value<int>(from, 0x17);
  });
  EXPECT_NE(what.find("stalled"), std::string::npos) << what;
  EXPECT_NE(what.find("waits for a message from core " + last + ", tag 0x17"), std::string::npos) << what;
  EXPECT_NE(
      what.find("core 0 holds 1 message that no fiber receives: from core " + last + ", tag 0x18, 4 bytes"),
      std::string::npos)
      << what;
}

TEST_P(TwoSided, ASendThatNobodyReceivesIsNamedWhenTheJobStalls) {
  const std::string last = std::to_string(GetParam() - 1);
  static const bytes k_large = pattern(100'000, 1);  // not the fiber's: it never goes on
  const std::string what =
      error_of(job_options{.cores = GetParam()}, [] { send(cores() - 1, 0x21, k_large); });
  EXPECT_NE(what.find("waits for its message to be received"), std::string::npos) << what;
  EXPECT_NE(what.find("core " + last +
                      " holds 1 message that no fiber receives: from core 0, tag 0x21, 100000 bytes"),
            std::string::npos)
      << what;
}

constexpr job_options scarce(unsigned cores) {
  return {.cores = cores, .packet_bytes = 2048, .packets = 2, .unexpected = 200};
}

TEST_P(TwoSided, CoresThatFloodOneAnotherAllGetEverything) {
  run(scarce(GetParam()), [] {
    on_all_cores([] {
      for (core_id c = 0; c < cores(); ++c) {
        spawn([c] {
          for (std::uint64_t i = 0; i < 3000; ++i) send_value(c, 1, i);
        });
        spawn([c] {
          for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(receive_value<std::uint64_t>(c, 1), i);
        });
      }
    });
  });
}

TEST_P(TwoSided, LargeOnesInAllDirectionsAllArrive) {
  run(scarce(GetParam()), [] {
    on_all_cores([] {
      for (std::uint64_t f = 0; f < 150; ++f) {
        spawn([f] {
          for (core_id c = 0; c < cores(); ++c) send(c, f, pattern(2000 + f, here()));
        });
        spawn([f] {
          for (core_id c = cores(); c-- > 0;) {
            bytes buffer(2000 + f);
            ASSERT_EQ(receive(c, f, buffer), buffer.size());
            ASSERT_EQ(buffer, pattern(2000 + f, c));
          }
        });
      }
    });
  });
}

// Every form against every other, in batches whose sizes are drawn: what comes out of each (source, tag) must
// be what went in, in order.
TEST_P(TwoSided, RandomTrafficArrivesAsItWasSent) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    run(scarce(GetParam()), [seed] {
      static constexpr std::uint64_t k_each = 120, k_most = 5;
      struct stream {
        std::uint64_t seed, from, to, tag;
        std::uint64_t draw(std::uint64_t what, std::uint64_t i) const {
          return hash64(seed + what, ((i * 64 + from) * 64 + to) * 64 + tag);
        }
        bytes message(std::uint64_t i) const {
          const std::uint64_t d = draw(1, i);
          return pattern(d % 8 == 0 ? 500 + (d >> 8) % 3000 : (d >> 8) % 40, d);
        }
        std::uint64_t batch(std::uint64_t what, std::uint64_t i) const {
          return std::min(1 + draw(what, i) % k_most, k_each - i);
        }
      };
      const auto send_all = [](const stream& s) {
        for (std::uint64_t i = 0, n = 0; i < k_each; i += n) {
          n = s.batch(2, i);
          bytes messages[k_most];
          request sends[k_most];
          for (std::uint64_t j = 0; j < n; ++j)
            isend(sends[j], static_cast<core_id>(s.to), s.tag, messages[j] = s.message(i + j));
          for (std::uint64_t j = 0; j < n; ++j) sends[(j + s.draw(3, i)) % n].wait();
        }
      };
      const auto receive_all = [](const stream& s) {
        for (std::uint64_t i = 0, n = 0; i < k_each; i += n) {
          n = s.batch(4, i);
          bytes buffers[k_most];
          request receives[k_most];
          request* open[k_most];
          for (std::uint64_t j = 0; j < n; ++j) {
            buffers[j].resize(4000);
            ireceive(*(open[j] = &receives[j]), static_cast<core_id>(s.from), s.tag, buffers[j]);
          }
          for (std::uint64_t left = n; left > 0; --left) {
            const std::size_t j = wait_any(std::span(open, n));
            buffers[j].resize(open[j]->bytes());
            ASSERT_EQ(buffers[j], s.message(i + j)) << "message " << i + j;
            open[j] = nullptr;
          }
        }
      };
      on_all_cores([=] {
        for (core_id c = 0; c < cores(); ++c)
          for (std::uint64_t tag = 0; tag < 3; ++tag) {
            spawn([=] { send_all({seed, here(), c, tag}); });
            spawn([=] { receive_all({seed, c, here(), tag}); });
          }
      });
    });
  }
}

TEST_P(TwoSided, WhatIsKeptIsBoundedAndSendersWait) {
  run(scarce(GetParam()), [] {
    constexpr std::uint64_t k_each = 5000;
    finish([] {
      for (core_id c = 0; c < cores(); ++c)
        async_on(c, [] {
          spawn([] {
            for (std::uint64_t i = 0; i < k_each; ++i) send_value(0, 1, i);
          });
        });
      const auto& mail = message::mailbox::here();
      EXPECT_LE(mail.most_kept(), std::max(200U, 130 * cores()));
      while (mail.kept() < 100) fiber::scheduler::current()->yield();
      for (std::uint64_t i = 0; i < k_each; ++i)
        for (core_id c = 0; c < cores(); ++c) {
          ASSERT_LE(mail.kept(), mail.most_kept());
          ASSERT_EQ(receive_value<std::uint64_t>(c, 1), i);
          if (i % 16 == 0) fiber::scheduler::current()->yield();
        }
      ASSERT_EQ(mail.kept(), 0U);
    });
  });
}

TEST_P(TwoSided, AFloodThatNobodyReceivesEndsWithAReport) {
  const std::string what = error_of(scarce(GetParam()), [] {
    on_all_cores([] {
      for (std::uint64_t i = 0; i < 5000; ++i) send_value(0, 1, i);
    });
  });
  EXPECT_NE(what.find("stalled"), std::string::npos) << what;
  EXPECT_NE(what.find("core 0 holds "), std::string::npos) << what;
  EXPECT_NE(what.find(" messages that no fiber receives: from core "), std::string::npos) << what;
  EXPECT_NE(what.find("waits for room "), std::string::npos) << what;
}

/// Sends messages under the tags from `first` on, which have left when it returns.
void send_numbers(core_id to, message_tag first, unsigned n) {
  for (unsigned i = 0; i < n; ++i) send_value(to, first + i, i);
  message::endpoint::here().flush();
}
void receive_numbers(core_id from, message_tag first, unsigned n) {
  for (unsigned i = 0; i < n; ++i) ASSERT_EQ(receive_value<unsigned>(from, first + i), i);
}

class MailboxRoom : public testing::TestWithParam<std::pair<unsigned, core_id>> {};
INSTANTIATE_TEST_SUITE_P(Cores, MailboxRoom,
                         testing::Values(std::pair{9U, core_id{2}}, std::pair{10U, core_id{9}},
                                         std::pair{3U, core_id{0}}, std::pair{3U, core_id{2}}),
                         [](const auto& i) {
                           return std::to_string(i.param.first) + "_from_" + std::to_string(i.param.second);
                         });

// Core 1 fills what is common, `from` its own part; one more of `from` goes on when core 1's are received.
TEST_P(MailboxRoom, ThatIsCommonWakesWhoeverWaitsForIt) {
  static constexpr unsigned k_own = 512, k_common = 600;
  const auto [n, from] = GetParam();
  job_options o{.cores = n, .packet_bytes = 8 << 10};
  o.unexpected = k_own * n + k_common;  // a packetful of each
  run(o, [from] {
    ASSERT_EQ(message::endpoint::here().most_matches(), k_own);
    const auto kept = [] { return message::mailbox::here().kept(); };
    finish([] { spawn_on(1, [] { send_numbers(0, 0, k_own + k_common); }); });
    while (kept() < k_own + k_common) yield();
    finish([&kept, from] {
      spawn_on(from, [] { send_numbers(0, 100'000, k_own); });
      while (kept() < 2 * k_own + k_common) yield();
      static std::atomic<bool> s_left;
      s_left = false;
      const auto send_one = [] {
        send_numbers(0, 200'000, 1);
        s_left = true;
      };
      from == 0 ? spawn(send_one) : spawn_on(from, send_one);
      while (from != 0 && !s_left) yield();
      for (int i = 0; i < 300; ++i) yield();  // it has been looked at, and waits
      receive_numbers(1, 0, k_own + k_common);
      receive_numbers(from, 200'000, 1);
      receive_numbers(from, 100'000, k_own);
    });
  });
}

/// 2 processes of one core, with few fibers.
job_options with_few_fibers() {
  job_options o;
  o.fibers = 8;
  o.simulate = simulation::options::parse("processes=2 cores=1");
  return o;
}

TEST(TwoSidedOfProcesses, LargeOnesAreSentWhereAllFibersWaitForThat) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run(with_few_fibers(), [] {
    constexpr unsigned k_messages = 50;
    finish([] {
      spawn_on(1, [] {
        bytes in[k_messages];
        request r[k_messages];
        (void)receive_value<int>(0, k_messages);
        for (unsigned i = 0; i < k_messages; ++i) {
          in[i].resize(20'000);
          ireceive(r[i], 0, i, in[i]);
        }
        for (unsigned i = 0; i < k_messages; ++i) {
          r[i].wait();
          EXPECT_EQ(in[i], pattern(20'000, i));
        }
      });
      for (unsigned i = 0; i < k_messages; ++i) spawn([i] { send(1, i, pattern(20'000, i)); });
      for (unsigned i = 0; i < 64 * k_messages; ++i) yield();  // all fibers have begun to send
      send_value(1, k_messages, 1);
    });
  });
}

// A core that has sent a large message in chunks sleeps like any other.
TEST(TwoSidedOfProcesses, AStallAfterALargeMessageIsFound) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  if (test::k_address_sanitizer) GTEST_SKIP() << "the fibers of a stalled job never end: what they own leaks";
  job_options o;
  o.bulk_bytes = 0;
  o.simulate = simulation::options::parse("processes=2 cores=1");
  const std::string what = error_of(o, [] {
    on_all_cores([] {
      if (here() == 0) {
        send(1, 7, pattern(20'000, 1));
      } else {
        bytes in(20'000);
        (void)receive(0, 7, in);
      }
      (void)receive_value<int>(1 - here(), 99);  // that is never sent
    });
  });
  EXPECT_NE(what.find("stalled"), std::string::npos) << what;
}

// Its chunks pass the small messages that were sent behind it, fill the mailbox and are received last.
TEST(TwoSidedOfProcesses, AGrantedMessageWaitsForNothingThatIsSentLater) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* const shape : {"processes=2 cores=1", "processes=3 cores=2 faults=all seed=3"}) {
    job_options o;
    o.bulk_bytes = 0;
    o.unexpected = 100;
    o.simulate = simulation::options::parse(shape);
    run(o, [] {
      constexpr int k_small = 5000;
      on_all_cores([] {
        const core_id last = cores() - 1;
        if (here() == 0) {
          const bytes large = pattern(50'000, 1);
          request r;
          isend(r, last, 1, large);
          for (int i = 0; i < k_small; ++i) send_value(last, 2, i);
          r.wait();
        } else if (here() == last) {
          while (message::mailbox::here().kept() < 100) yield();
          bytes in(50'000);
          receive(0, 1, in);
          EXPECT_EQ(in, pattern(50'000, 1));
          for (int i = 0; i < k_small; ++i) EXPECT_EQ(receive_value<int>(0, 2), i);
        }
      });
    });
  }
}

// More of them than there are tags, longer than what is moved at least and not: each way of coming is taken.
TEST(TwoSidedOfProcesses, LargeOnesComeByMovesAndInChunks) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* const shape :
       {"processes=2 cores=2", "processes=3 cores=1 network=hdr", "processes=2 cores=2 faults=all seed=5"})
    for (const std::size_t least : {std::size_t{1}, std::size_t{4000}, std::size_t{20'000}}) {
      job_options o;
      o.bulk_bytes = least;
      o.simulate = simulation::options::parse(shape);
      run(o, [] {
        constexpr unsigned k_messages = 60;
        on_all_cores([] {
          const core_id to = (here() + 1) % cores(), from = (here() + cores() - 1) % cores();
          const auto length = [](core_id of, unsigned i) { return 1025 + (of * 7919 + i * 104'729) % 9000; };
          std::vector<bytes> out(k_messages), in(k_messages);
          request sends[k_messages], receives[k_messages];
          for (unsigned i = 0; i < k_messages; ++i) {
            out[i] = pattern(length(here(), i), i);
            isend(sends[i], to, i, out[i]);
          }
          for (unsigned i = k_messages; i-- > 0;) {
            in[i].resize(length(from, i));
            ireceive(receives[i], from, i, in[i]);
          }
          for (unsigned i = 0; i < k_messages; ++i) {
            receives[i].wait();
            sends[i].wait();
            EXPECT_EQ(in[i], pattern(length(from, i), i));
          }
          bytes small(10);  // a message that is too long is refused, however it would have come
          request refused;
          isend(sends[0], to, k_messages, out[0]);
          ireceive(refused, from, k_messages, small);
          EXPECT_THROW(refused.wait(), error);
          sends[0].wait();
        });
      });
    }
}

// No fiber waits for the large message when it is granted: its sender waits for what follows from it.
TEST(TwoSidedOfProcesses, LargeOnesAreSentWhileTheirFibersWaitForOthers) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run(with_few_fibers(), [] {
    constexpr unsigned k_messages = 30;
    finish([] {
      for (unsigned i = 0; i < k_messages; ++i)
        spawn([i] {
          const bytes out = pattern(3000, i);
          request r;
          isend(r, 1, i, out);
          EXPECT_EQ(receive_value<unsigned>(1, i), i);
          r.wait();
        });
      spawn_on(1, [] {
        for (unsigned i = 0; i < k_messages; ++i) {
          bytes in(3000);
          (void)receive(0, i, in);
          EXPECT_EQ(in, pattern(3000, i));
          send_value(0, i, i);
        }
      });
    });
  });
}

// A block whose other side cannot begin, since the message that begins it waits behind what finds no room, is no reason to wait.
TEST(TwoSidedOfProcesses, ABlockBehindMessagesThatFindNoRoomIsAStall) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  if (test::k_address_sanitizer) GTEST_SKIP() << "the fibers of a stalled job never end: what they own leaks";
  for (const bool puts : {false, true}) {
    job_options o;
    o.unexpected = 100;
    o.bulk_bytes = 1024;
    o.simulate = simulation::options::parse("processes=2 cores=1");
    const std::string what = error_of(o, [puts] {
      static std::vector<std::uint64_t> data(10'000);  // not the fiber's: it never ends
      const scoped_array<std::uint64_t> a(20'000);
      for (int i = 0; i < 20'000; ++i) send_value(1, 0x78, i);
      puts ? put(a, 10'000, data) : get(a, 10'000, std::span(data));
    });
    EXPECT_NE(what.find("core 0 fiber 0 (main) waits for completion"), std::string::npos)
        << what;  // not for a packet
    EXPECT_NE(what.find("the job has stalled"), std::string::npos) << what;
  }
}

// Packets that wait for credits of a process that gives none never leave: the job has stalled, and says so.
TEST(TwoSidedOfProcesses, MessagesThatFindNoRoomAreAStall) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* const shape : {"processes=2 cores=1", "processes=6 cores=2"})
    for (const routing routes : {routing::direct, routing::grid}) {
      job_options o;
      o.unexpected = 100;
      o.wire_packet_bytes = 8 << 10;
      o.routes = routes;
      o.simulate = simulation::options::parse(shape);
      const std::string what = error_of(o, [] {
        for (int i = 0; i < 200'000; ++i) send_value(cores() - 1, 0x78, i);
      });
      EXPECT_NE(what.find("the job has stalled"), std::string::npos) << shape << ": " << what;
    }
}

// The largest packets of many cores: a packetful of each would be more than a mailbox can hold.
TEST(TwoSidedOfProcesses, AMailboxHoldsAPacketfulOfEveryCoreHoweverLarge) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  job_options o;
  o.fibers = 64;
  o.small_fibers = 64;
  o.wire_packet_bytes = 1 << 20;
  o.wire_packets = 4;
  o.simulate = simulation::options::parse("processes=2 cores=40");
  run(o, [] {
    const auto& mail = message::mailbox::here();
    EXPECT_LE(mail.most_kept(), message::mailbox::k_most_messages);
    EXPECT_GE(mail.most_kept(), cores() * message::endpoint::here().most_matches());
    constexpr std::uint64_t k_messages = 60'000;  // without bytes: as many in a packet as there can be
    finish([] {
      spawn_on(cores() - 1, [] {
        for (std::uint64_t i = 0; i < k_messages; ++i) send(0, 1, {});
      });
      for (std::uint64_t i = 0; i < k_messages; ++i) EXPECT_EQ(receive(cores() - 1, 1, {}), 0U);
    });
    EXPECT_EQ(mail.kept(), 0U);
  });
}

TEST(TwoSidedTags, OfTheLibraryAreRefused) {
  run(job_options{.cores = 1}, [] {
    constexpr message_tag k_own = tag_in(k_first_own_space, 3), k_last = tag_in(0xffff, 0);
    std::byte byte{};
    const std::span<std::byte> one(&byte, 1);
    request r;
    const auto error_in = [](auto f) {
      try {
        f();
      } catch (const error& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    EXPECT_EQ(
        error_in([&] { send(0, k_own, one); }),
        "send: tag 0xfff0000000000003 lies in space 0xfff0: spaces from 0xfff0 on are the library's own");
    EXPECT_NE(error_in([&] { send(0, k_last, one); }), "");
    EXPECT_NE(error_in([&] { isend(r, 0, k_own, one); }), "");
    EXPECT_NE(error_in([&] { ireceive(r, 0, k_own, one); }), "");
    EXPECT_NE(error_in([&] { (void)receive(0, k_own, one); }), "");
    EXPECT_NE(error_in([&] { send_value(0, k_own, 1); }), "");
    EXPECT_NE(error_in([&] { (void)receive_value<int>(0, k_own); }), "");
    EXPECT_NE(error_in([&] { match_by_tag(k_first_own_space); }), "");
    EXPECT_TRUE(r.idle());
    constexpr message_tag k_largest = k_own - 4;  // the program's last one
    send_value(0, k_largest, 7);
    EXPECT_EQ(receive_value<int>(0, k_largest), 7);
  });
}

}  // namespace
}  // namespace gossamer
