// The runtime over whatever processes a launcher started (topologies_test.py), and in one. The main fiber
// runs in process 0 only: that is where expectations are; other processes report by what they return.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/memory/gather.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "support/job_from_environment.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

using test::in_job;

// --- messages -----------------------------------------------------------------------------------

TEST(Processes, AgreeOnWhoIsWhere) {
  in_job([] {
    ASSERT_EQ(cores() % processes(), 0U);
    for (core_id c = 0; c < cores(); ++c) {
      const auto [at, in, all] = call_on(c, [] { return std::array{here(), process(), processes()}; });
      EXPECT_EQ(at, c);
      EXPECT_EQ(in, process_of(c));
      EXPECT_EQ(all, processes());
    }
  });
}

TEST(Processes, ExceptionsOfCallsArriveWithTheirText) {
  in_job([] {
    for (core_id c = 0; c < cores(); ++c) {
      try {
        call_on(c, [c] { throw error("thrown on " + std::to_string(c)); });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_EQ(e.what(), "thrown on " + std::to_string(c));
      }
    }
  });
}

TEST(Processes, ExceptionsOfTasksArriveWhereTheyAreWaitedFor) {
  in_job([] {
    for (core_id c = 0; c < cores(); ++c) {
      try {
        on_all_cores([c] {
          if (here() == c) throw error("core " + std::to_string(c) + " gives up");
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_EQ(e.what(), "core " + std::to_string(c) + " gives up");
      }
    }
    // Through three cores: a task here, of a task there, of a task elsewhere.
    try {
      on_core(cores() - 1, [] { on_core(0, [] { on_core(cores() / 2, [] { throw error("far down"); }); }); });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const error& e) {
      EXPECT_STREQ(e.what(), "far down");
    }
  });
}

// However an exception travels, the begin and the end of its text arrive.
TEST(Processes, LongExceptionsKeepTheirReason) {
  in_job([] {
    const auto fail = [] { throw error("data/" + std::string(5000, 'x') + ".csv:7: the reason"); };
    const core_id last = cores() - 1;
    for (int way = 0; way < 3; ++way) {
      std::string text;
      try {
        if (way == 0) call_on(last, fail);
        if (way == 1) finish([&] { async_on(last, fail); });
        if (way == 2) on_core(last, fail);
      } catch (const error& e) {
        text = e.what();
      }
      EXPECT_TRUE(text.starts_with("data/xxx")) << text;
      EXPECT_TRUE(text.ends_with("xxx.csv:7: the reason")) << text;
    }
  });
}

TEST(Processes, OnCoreBringsResultsBack) {
  in_job([] {
    for (core_id c = 0; c < cores(); ++c) {
      EXPECT_EQ(on_core(c, [] { return here() + 7; }), c + 7);
      EXPECT_EQ(on_core(c, [] { return std::string(3000, static_cast<char>('a' + here() % 26)); }),
                std::string(3000, static_cast<char>('a' + c % 26)));
      const auto numbers = on_core(c, [] { return std::vector<std::uint64_t>(100'000, here()); });
      EXPECT_EQ(numbers, std::vector<std::uint64_t>(100'000, c));
      EXPECT_EQ(on_core(c, [] { return std::vector<bool>{true, false, here() % 2 == 0}; }),
                (std::vector<bool>{true, false, c % 2 == 0}));
      EXPECT_EQ(on_core(c, [] { return std::vector<bool>(); }), std::vector<bool>());
    }
  });
}

// Every core asks every core, from many fibers: replies must always find room.
TEST(Processes, EverybodyCallsEverybody) {
  in_job([] {
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([wrong = wrong.handle()] {
      for (int f = 0; f < 50; ++f)
        spawn([wrong] {
          for (std::uint64_t i = 0; i < 40; ++i) {
            const auto to = static_cast<core_id>(hash64(i * 31 + here()) % cores());
            wrong.here() += call_on(to, [i] { return i * 3 + here(); }) != i * 3 + to;
          }
        });
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), 0U);
  });
}

TEST(Processes, PayloadsOfAllSizesArriveWhole) {
  in_job([] {
    scoped_per_core<std::uint64_t> sums;
    std::uint64_t expected = 0;
    for (const std::size_t size : {0, 1, 8, 100, 1000, 5000, 70'000, 1'000'000}) {
      std::vector<std::uint8_t> bytes(size);
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(hash64(i));
      const std::uint64_t sum = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}) + size;
      expected += sum * cores();
      finish([&] {
        for (core_id c = 0; c < cores(); ++c)
          async_on(
              c,
              [sums = sums.handle()](std::span<const std::byte> got) {
                for (std::byte b : got) sums.here() += static_cast<std::uint8_t>(b);
                sums.here() += got.size();
              },
              std::as_bytes(std::span(bytes)));
      });
    }
    EXPECT_EQ(sums.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), expected);
  });
}

// A ring of messages, small and large, and back against the stream.
TEST(Processes, SendAndReceiveInOrder) {
  in_job([] {
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([wrong = wrong.handle()] {
      const core_id to = (here() + 1) % cores(), from = (here() + cores() - 1) % cores();
      const auto word = [](core_id sender, std::size_t message, std::size_t i) {
        return hash64(sender * 1'000'003 + message * 1009 + i);
      };
      const auto size_of = [](std::size_t message) { return std::size_t{1} << (message * 3 % 15); };
      constexpr std::size_t n = 60;
      spawn([=] {
        for (std::size_t m = 0; m < n; ++m) {
          std::vector<std::uint64_t> data(size_of(m));
          for (std::size_t i = 0; i < data.size(); ++i) data[i] = word(here(), m, i);
          send(to, 5, std::as_bytes(std::span(data)));
        }
      });
      spawn([=] {
        for (std::size_t m = 0; m < n; ++m) {
          std::vector<std::uint64_t> data(size_of(m) + 1);
          const std::size_t bytes = receive(from, 5, std::as_writable_bytes(std::span(data)));
          wrong.here() += bytes != size_of(m) * 8;
          for (std::size_t i = 0; i < size_of(m); ++i) wrong.here() += data[i] != word(from, m, i);
        }
      });
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), 0U);
  });
}

// Sizes about those of packets and of parts of large messages, to both sides at once; small ones leave between the parts.
TEST(Processes, LargeMessagesOfManySizesGoBothWaysBesideSmallOnes) {
  in_job([] {
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([wrong = wrong.handle()] {
      const core_id to = (here() + cores() / 2) % cores(), from = (here() + cores() - cores() / 2) % cores();
      std::vector<std::size_t> sizes{1025, 8191, 8192, 200'003, 1 << 20, (1 << 20) + 5};
      for (std::size_t part : {16'320, 32'704})  // of lanes of 128 and 256 KiB
        for (std::size_t n : {1, 2, 7})
          for (std::size_t off : {0, 1, 8}) sizes.insert(sizes.end(), {n * part - off, n * part + off});
      const auto byte_of = [](core_id sender, std::size_t message, std::size_t i) {
        return static_cast<std::byte>(hash64(sender * 1009 + message, i / 8) >> (i % 8 * 8));
      };
      std::vector<std::vector<std::byte>> in, out;
      for (std::size_t m = 0; m < sizes.size(); ++m) {
        in.emplace_back(sizes[m]);
        out.emplace_back(sizes[m]);
        for (std::size_t i = 0; i < sizes[m]; ++i) out[m][i] = byte_of(here(), m, i);
      }
      const std::unique_ptr<request[]> come(new request[sizes.size()]), sent(new request[sizes.size()]);
      for (std::size_t m = 0; m < sizes.size(); ++m) ireceive(come[m], from, 100 + m, in[m]);
      for (std::size_t m = 0; m < sizes.size(); ++m) isend(sent[m], to, 100 + m, out[m]);
      for (std::size_t m = 0; m < sizes.size(); ++m) {
        send_value(to, 1, m);
        wrong.here() += receive_value<std::size_t>(from, 1) != m;
        sent[m].wait();
      }
      for (std::size_t m = 0; m < sizes.size(); ++m) {
        come[m].wait();
        wrong.here() += come[m].bytes() != sizes[m];
        for (std::size_t i = 0; i < sizes[m]; ++i) wrong.here() += in[m][i] != byte_of(from, m, i);
      }
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), 0U);
  });
}

TEST(Processes, MessagesThatAreTooLongAreRefusedAndTheSenderGoesOn) {
  in_job([] {
    const core_id far = cores() - 1;
    spawn_on(far, [] {
      const std::vector<std::byte> large(100'000);
      send(0, 9, large);
    });
    spawn([far] {
      std::vector<std::byte> small(50'000);
      EXPECT_THROW((void)receive(far, 9, small), error);
    });
  });
}

// Messages without a receive yet are kept, or stay where they are, and all arrive.
TEST(Processes, UnexpectedMessagesWait) {
  in_job([] {
    constexpr int n = 3000;
    for (core_id c = 0; c < cores(); ++c)
      on_core(c, [] {
        for (int i = 0; i < n; ++i)
          send_value(0, 1000U + static_cast<unsigned>(i), i + static_cast<int>(here()));
      });
    for (core_id c = cores(); c-- > 0;)
      for (int i = n; i-- > 0;)
        ASSERT_EQ(receive_value<int>(c, 1000U + static_cast<unsigned>(i)), i + static_cast<int>(c));
  });
}

// --- memory -------------------------------------------------------------------------------------

TEST(Processes, ArraysTakeUpdatesFromEverywhere) {
  in_job([] {
    constexpr std::uint64_t n = 10'007, updates = 200'000;
    std::vector<std::uint64_t> bounds{0};
    for (core_id c = 1; c <= cores(); ++c) bounds.push_back(n * c * c / (std::uint64_t{cores()} * cores()));
    for (const auto& d : {block, block_cyclic(8), hashed(3), by_boundaries(bounds)}) {
      scoped_array<std::uint64_t> a(n, d);
      forall(0, updates, [a = a.handle()](std::uint64_t i) {
        a.async(hash64(i) % n, [i](std::uint64_t& cell) { cell += i; });
      });
      std::vector<std::uint64_t> expected(n);
      for (std::uint64_t i = 0; i < updates; ++i) expected[hash64(i) % n] += i;
      const auto view = a.freeze();
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(view[i], expected[i]) << "element " << i;
      a.thaw();
      EXPECT_EQ(a.read(n - 1), expected[n - 1]);
      a.write(n / 2, 5);
      EXPECT_EQ(a.read(n / 2), 5U);
    }
  });
}

// Made by one process, released by another; the addresses go back to the process that gave them out.
TEST(Processes, ArraysMayBeReleasedElsewhere) {
  in_job([] {
    for (int round = 0; round < 3; ++round)
      for (core_id c = 0; c < cores(); ++c) {
        auto a = on_core(c, [] { return make_array<std::uint64_t>(1000); });
        a.write(999, c);
        EXPECT_EQ(a.read(999), c);
        on_core((c + cores_per_process()) % cores(), [a] {
          auto mine = a;
          release(mine);
        });
      }
  });
}

// Addresses are used again, in this job and in the next one; processes of a node have memory in common there.
TEST(Processes, ArraysAreZeroesHoweverOftenTheyAreMade) {
  constexpr std::uint64_t n = 700'001;
  const auto wrong_elements = [](array<std::uint64_t> a) {
    const scoped_per_core<std::uint64_t> wrong;
    on_all_cores([a, wrong = wrong.handle()] {
      wrong.here() =
          static_cast<std::uint64_t>(std::ranges::count_if(a.local(), [](auto v) { return v != 0; }));
    });
    return wrong.fold(std::uint64_t{0}, [](auto x, auto y) { return x + y; });
  };
  const auto fill = [](array<std::uint64_t> a) {
    on_all_cores([a] { std::ranges::fill(a.local(), 1 + here()); });
  };
  for (int job = 0; job < 2; ++job)
    in_job([&] {
      for (int round = 0; round < 3; ++round) {
        auto a = make_array<std::uint64_t>(n, round == 1 ? hashed(5) : block);
        EXPECT_EQ(wrong_elements(a), 0U) << "job " << job << ", round " << round;
        fill(a);
        release(a);
      }
      auto kept = make_array<std::uint64_t>(n);  // the job's end releases it
      EXPECT_EQ(wrong_elements(kept), 0U);
      fill(kept);
    });
}

// One that some process has no memory for is an error, and leaves nothing behind.
TEST(Processes, ArraysThatDoNotFitAreRefused) {
  in_job([] {
    for (int round = 0; round < 3; ++round)
      EXPECT_THROW((void)make_array<std::uint64_t>(std::uint64_t{1} << 41), error);
    scoped_array<std::uint64_t> small(100);
    small.write(99, 7);
    EXPECT_EQ(small.read(99), 7U);
  });
}

// A view shows what was written before it was frozen, everywhere, each time.
TEST(Processes, FrozenViewsAreFreshInEveryProcess) {
  in_job([] {
    constexpr std::uint64_t n = 5000;
    scoped_array<std::uint64_t> a(n, block_cyclic(16));
    for (std::uint64_t round = 1; round <= 3; ++round) {
      forall(0, n, [a = a.handle(), round](std::uint64_t i) {
        a.async(i, [v = hash64(i) ^ round](std::uint64_t& cell) { cell = v; });
      });
      scoped_per_core<std::uint64_t> wrong;
      on_all_cores([view = a.freeze(), round, wrong = wrong.handle()] {
        for (std::uint64_t i = 0; i < n; ++i) wrong.here() += view[i] != (hash64(i) ^ round);
      });
      a.thaw();
      EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto x, auto y) { return x + y; }), 0U);
    }
  });
}

TEST(Processes, GatherReadsFromEverywhere) {
  in_job([] {
    constexpr std::uint64_t n = 4096;
    scoped_array<std::uint64_t> a(n);
    forall(a.handle(), [](std::uint64_t i, std::uint64_t& cell) { cell = hash64(i); });
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([a = a.handle(), wrong = wrong.handle()] {
      std::vector<std::uint64_t> at, got(20'000);
      for (std::uint64_t k = 0; k < got.size(); ++k) at.push_back(hash64(k + here() * 77) % n);
      gather(a, std::span<const std::uint64_t>(at), std::span(got));
      for (std::size_t k = 0; k < at.size(); ++k) wrong.here() += got[k] != hash64(at[k]);
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto x, auto y) { return x + y; }), 0U);
  });
}

TEST(Processes, ObjectsOnTheHeapAreReachedFromEverywhere) {
  in_job([] {
    const auto p = on_core(cores() - 1, [] { return make_global<std::uint64_t>(5U); });
    for (core_id c = 0; c < cores(); ++c) on_core(c, [p] { call(p, [](std::uint64_t& v) { ++v; }); });
    EXPECT_EQ(read(p), 5U + cores());
    destroy_global(p);
  });
}

// --- loops and tasks ----------------------------------------------------------------------------

TEST(Processes, LoopsRunEveryIndexOnce) {
  in_job([] {
    constexpr std::uint64_t n = 30'011;
    scoped_array<std::uint32_t> hits(n, hashed());
    const auto hit = [hits = hits.handle()](std::uint64_t i) {
      hits.async(i, [](std::uint32_t& h) { ++h; });
    };
    forall(0, n, hit);
    forall_chunks(0, n, 100, [hit](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) hit(b);
    });
    const auto view = hits.freeze();
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(view[i], 2U) << i;
    hits.thaw();
  });
}

TEST(Processes, TasksSpawnTasksAnywhere) {
  in_job([] {
    scoped_per_core<std::uint64_t> count;
    struct tree {
      per_core<std::uint64_t> count;
      void grow(unsigned depth, std::uint64_t seed) const {
        ++count.here();
        for (unsigned k = 0; depth > 0 && k < 3; ++k) {
          const std::uint64_t next = hash64(seed * 3 + k);
          spawn_on(static_cast<core_id>(next % cores()),
                   [t = *this, depth, next] { t.grow(depth - 1, next); });
        }
      }
    };
    const tree t{count.handle()};
    finish([t] { t.grow(8, 1); });
    std::uint64_t expected = 0;
    for (std::uint64_t level = 0, width = 1; level <= 8; ++level, width *= 3) expected += width;
    EXPECT_EQ(count.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), expected);
  });
}

// All of it starts on one core; others get some only by stealing.
TEST(Processes, StealableTasksAreRunOnceWhereverTheyGo) {
  in_job([] {
    scoped_per_core<std::uint64_t> count;
    struct tree {
      per_core<std::uint64_t> count;
      std::uint64_t padding[20];  // more than a task holds itself
      void grow(unsigned depth) const {
        ++count.here();
        for (unsigned k = 0; depth > 0 && k < 2; ++k)
          spawn_stealable([t = *this, depth] { t.grow(depth - 1); });
        if (depth % 4 == 0) (void)has_idle_thieves();
      }
    };
    const tree t{count.handle(), {}};
    finish([t] { t.grow(14); });
    EXPECT_EQ(count.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), (1U << 15) - 1);
  });
}

TEST(Processes, PerCoreSlotsAreCollectedInOrder) {
  in_job([] {
    scoped_per_core<std::vector<std::uint32_t>> parts;
    on_all_cores([parts = parts.handle()] { parts.here().assign(here() * 1000, here()); });
    const auto sizes = collect(parts.handle(), [](const auto& v) { return v.size(); });
    const auto all = collect_spans<std::uint32_t>(parts.handle(), [](const auto& v) { return std::span(v); });
    for (core_id c = 0; c < cores(); ++c) {
      EXPECT_EQ(sizes[c], c * 1000);
      EXPECT_EQ(all[c], std::vector<std::uint32_t>(c * 1000, c));
    }
  });
}

TEST(Processes, ExchangePartsOfUnevenSizes) {
  in_job([] {
    scoped_per_process<std::string> wrong;
    const std::size_t unit = processes() > 8 ? 500 : 5000;
    on_all_processes([wrong = wrong.handle(), unit] {
      std::vector<std::vector<std::uint64_t>> parts(processes());
      for (unsigned p = 0; p < processes(); ++p)
        parts[p].assign((process() * 7 + p) * unit, process() * 100 + p);
      const auto got = exchange(std::move(parts));
      for (unsigned p = 0; p < processes(); ++p)
        if (got[p] != std::vector<std::uint64_t>((p * 7 + process()) * unit, p * 100 + process()))
          wrong.here() += "part of " + std::to_string(p);
      const auto all = all_gather_processes(process() * 3);
      for (unsigned p = 0; p < processes(); ++p)
        if (all[p] != p * 3) wrong.here() += "value of " + std::to_string(p);
    });
    for (unsigned p = 0; p < processes(); ++p)
      EXPECT_EQ(on_core(first_core(p), [wrong = wrong.handle()] { return wrong.here(); }), "");
  });
}

TEST(Processes, CollectivesGiveTheSameEverywhere) {
  in_job([] {
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([wrong = wrong.handle()] {
      const std::uint64_t n = cores();
      for (std::uint64_t round = 0; round < 50; ++round) {
        wrong.here() +=
            all_reduce(here() + round, [](auto a, auto b) { return a + b; }) != n * (n - 1) / 2 + n * round;
        wrong.here() +=
            exclusive_scan(std::uint64_t{here()}, round, [](auto a, auto b) { return a + b; }) !=
            round + std::uint64_t{here()} * (here() + std::uint64_t{0} - (here() == 0 ? 0 : 1)) / 2;
        wrong.here() +=
            broadcast(here() * 2 + round, static_cast<core_id>(round % n)) != round % n * 2 + round;
        barrier();
      }
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](auto a, auto b) { return a + b; }), 0U);
  });
}

// The sender runs out of room while it sends pieces, for which there is no fiber that could wait.
TEST(Processes, LargeMessagesGoToACoreThatComputesAndDoesNotLook) {
  constexpr unsigned k_messages = 6;
  static constexpr std::size_t k_bytes = 400'000;
  in_job([] {
    const core_id far = cores() - 1;
    if (far == 0) return;
    const auto byte_of = [](unsigned message, std::size_t at) {
      return static_cast<std::byte>((at / 7 + message) % 251);
    };
    finish([=] {
      spawn_on(far, [=] {
        std::vector<std::vector<std::byte>> in(k_messages, std::vector<std::byte>(k_bytes));
        request r[k_messages];
        for (unsigned m = 0; m < k_messages; ++m) ireceive(r[m], 0, m, in[m]);
        (void)receive_value<int>(0, k_messages);  // all have matched
        send_value(0, k_messages, 1);
        for (int turns = 0; turns < 100; ++turns) yield();  // the grants leave
        std::uint64_t work = 1;
        for (int i = 0; i < 20'000'000; ++i) work = work * 6364136223846793005 + 1;
        std::uint64_t bad = work == 0 ? 1 : 0;
        for (unsigned m = 0; m < k_messages; ++m) {
          r[m].wait();
          for (std::size_t at = 0; at < k_bytes; ++at) bad += in[m][at] != byte_of(m, at) ? 1 : 0;
        }
        if (bad != 0) throw error(std::to_string(bad) + " bytes are wrong");
      });
      std::vector<std::vector<std::byte>> out(k_messages, std::vector<std::byte>(k_bytes));
      request r[k_messages];
      for (unsigned m = 0; m < k_messages; ++m) {
        for (std::size_t at = 0; at < k_bytes; ++at) out[m][at] = byte_of(m, at);
        isend(r[m], far, m, out[m]);
      }
      send_value(far, k_messages, 1);
      (void)receive_value<int>(far, k_messages);
      for (request& one : r) one.wait();
    });
  });
}

// --- ends ---------------------------------------------------------------------------------------

TEST(Processes, ManyJobsOneAfterTheOther) {
  for (int i = 0; i < 20; ++i) in_job([] { on_all_cores([] { barrier(); }); });
}

// What a job has left in memory that processes have in common would be found by the next one, at other places.
TEST(Processes, JobsOfOtherShapesOneAfterTheOther) {
  constexpr std::uint64_t k_records = 3000;
  job_options o = job_options::from_environment();
  for (const unsigned cores_of_process : {1U, 2U, 1U, 3U})
    for (const std::size_t packet_bytes : {std::size_t{2048}, std::size_t{8192}}) {
      o.cores = cores_of_process;
      o.packet_bytes = packet_bytes;
      run(o, [] {
        const auto counts = make_array<std::uint64_t>(cores());
        on_all_cores([=] {
          for (std::uint64_t i = 0; i < k_records; ++i)
            for (core_id c = 0; c < cores(); ++c) counts.async(c, [](std::uint64_t& n) { ++n; });
        });
        for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(counts.read(c), k_records * cores());
      });
    }
}

TEST(Processes, AJobWhoseMessagesFindNoRoomEndsWithAReport) {
  job_options o = job_options::from_environment();
  o.unexpected = 100;
  std::string what;
  try {
    run(o, [] {
      const core_id far = cores() - 1;
      for (int i = 0; i < 200'000; ++i) send_value(far, 0x78, i);
    });
  } catch (const error& e) {
    what = e.what();
  }
  if (machine::find_launch().rank != 0) return;
  EXPECT_NE(what.find("the job has stalled"), std::string::npos) << what;
}

// One side of a large transfer has begun, and the message that begins the other one is never run: it is taken back at the job's end. Two
// jobs follow, since jobs have two halves of the tags in turn.
TEST(Processes, AJobThatStallsInALargeTransferLeavesNothingToTheNext) {
  constexpr std::uint64_t k_elements = 100'000;
  if (test::k_address_sanitizer) GTEST_SKIP() << "the fibers of a stalled job never end: what they own leaks";
  for (int round = 0; round < 6; ++round) {
    const bool puts = round % 2 == 0;
    job_options o = job_options::from_environment();
    o.unexpected = 100;
    o.wire_packet_bytes = 64 << 10;
    o.wire_packets = 0;
    std::string what;
    bool in_place = false;
    try {
      run(o, [puts, &in_place] {
        const scoped_array<std::uint64_t> a(k_elements * cores());
        in_place = memory::all_lies_here();
        if (in_place) return;
        static std::vector<std::uint64_t> data(k_elements);  // not the fiber's: it never ends
        const core_id far = cores() - 1;
        for (int i = 0; i < 20'000; ++i) send_value(far, 0x78, i);
        puts ? put(a, k_elements * far, data) : get(a, k_elements * far, std::span(data));
      });
    } catch (const error& e) {
      what = e.what();
    }
    if (machine::find_launch().rank == 0 && !in_place) {
      EXPECT_NE(what.find("the job has stalled"), std::string::npos) << what;
    }
    for (std::uint64_t next = 0; next < 2; ++next)
      in_job([next, round] {
        const scoped_array<std::uint64_t> a(k_elements * cores());
        std::vector<std::uint64_t> expected(a.size()), found(a.size());
        std::iota(expected.begin(), expected.end(), next);
        put(a, 0, expected);
        get(a, 0, std::span(found));
        EXPECT_TRUE(found == expected) << "round " << round << ", job " << next << " behind it";
      });
  }
}

TEST(Processes, AJobThatCannotGoOnEndsWithAReportOfAllProcesses) {
  std::string what;
  try {
    in_job([] {
      const core_id far = cores() - 1;
      on_core(far, [far] { (void)receive_value<int>((far + 1) % cores(), 0x77); });
    });
  } catch (const error& e) {
    what = e.what();
  }
  if (machine::find_launch().rank != 0) return;
  EXPECT_NE(what.find("the job has stalled"), std::string::npos) << what;
  EXPECT_NE(what.find("tag 0x77"), std::string::npos) << what;
}

}  // namespace
}  // namespace gossamer
