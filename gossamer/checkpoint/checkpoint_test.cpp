// What was kept is there again, on any number of processes and cores; damage is found, and what fails leaves the checkpoint before.
#include "gossamer/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <random>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/child_process.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using test::temporary_folder;

struct point {
  std::uint64_t x;
  std::uint32_t y, z;
};

/// The topologies on which checkpoints are written and read: cores, or a simulated cluster.
constexpr const char* k_jobs[] = {"1",
                                  "3",
                                  "8",
                                  "processes=2 cores=2 seed=1",
                                  "processes=3 cores=1 seed=2",
                                  "processes=2 cores=2 node=2 faults=all seed=3"};

template <class Job>
void run_on(const std::string& where, Job job) {
  job_options o;
  if (where.size() == 1)
    o.cores = static_cast<unsigned>(std::stoul(where));
  else
    o.simulate = simulation::options::parse(where);
  run(o, job);
}

std::uint64_t number(std::uint64_t seed, std::uint64_t i) { return hash64(seed * 1'000'003 + i); }

/// Arrays of each distribution, of elements that do and do not divide a block.
struct all_arrays {
  explicit all_arrays(std::uint64_t n) : blocks(n), in_turn(n, block_cyclic(3)), scrambled(n, hashed(8)) {}

  void keep(checkpoint& work) const {
    work.add("blocks", blocks.handle());
    work.add("in turn", in_turn.handle());
    work.add("scrambled", scrambled.handle());
  }
  void fill(std::uint64_t seed) const {
    for_each([seed](std::uint64_t i, auto& element) { set(element, number(seed, i)); });
  }
  void expect(std::uint64_t seed) const {
    for_each([seed](std::uint64_t i, auto& element) {
      auto wanted = element;
      set(wanted, number(seed, i));
      GOSSAMER_ASSERT(std::memcmp(&wanted, &element, sizeof element) == 0, "an element is not what was kept");
    });
  }

  scoped_array<std::uint64_t> blocks;
  scoped_array<point> in_turn;
  scoped_array<std::uint32_t> scrambled;

 private:
  static void set(std::uint64_t& e, std::uint64_t x) { e = x; }
  static void set(std::uint32_t& e, std::uint64_t x) { e = static_cast<std::uint32_t>(x); }
  static void set(point& e, std::uint64_t x) {
    e = {x, static_cast<std::uint32_t>(x >> 7), static_cast<std::uint32_t>(x >> 31)};
  }
  template <class F>
  void for_each(F f) const {
    on_all_cores([f, a = blocks.handle(), b = in_turn.handle(), c = scrambled.handle()] {
      const auto each = [f](const auto& of) {
        for (std::uint64_t k = 0; k < of.local().size(); ++k) f(of.local_index(k), of.local()[k]);
      };
      each(a);
      each(b);
      each(c);
    });
  }
};

TEST(Checkpoint, ArraysAreThereAgainOnAnyNumberOfCores) {
  for (const std::uint64_t n : {0U, 5U, 1000U, 300'001U})
    for (const char* first : k_jobs)
      for (const char* second : k_jobs) {
        // Of many elements each job with itself and with one other: all pairs have fewer.
        if (n > 1000 && first != second && first != k_jobs[1] && second != k_jobs[1]) continue;
        SCOPED_TRACE(std::string(first) + " then " + second);
        const temporary_folder folder;
        run_on(first, [&] {
          const all_arrays arrays(n);
          checkpoint work({.folder = folder / "work"}, "arrays");
          arrays.keep(work);
          EXPECT_FALSE(work.restore());
          arrays.fill(1);
          work.save();
          arrays.fill(2);
          work.save();
          arrays.fill(3);
        });
        checkpoint_folder kept;
        run_on(second, [&] {
          checkpoint work({.folder = folder / "work"}, "arrays");
          kept = work.folder();
          EXPECT_EQ(work.elements_of("in turn"), n);
          EXPECT_EQ(work.elements_of("nothing"), std::nullopt);
          const all_arrays arrays(n);
          arrays.keep(work);
          EXPECT_TRUE(work.restore());
          arrays.expect(2);
        });
        kept.forget();
        EXPECT_TRUE(std::filesystem::is_empty(folder / "work"));
      }
}

TEST(Checkpoint, ValuesOfCoresAreMergedWhereThereAreFewer) {
  for (const char* first : k_jobs)
    for (const char* second : k_jobs) {
      SCOPED_TRACE(std::string(first) + " then " + second);
      const temporary_folder folder;
      const auto plus = [](std::uint64_t& mine, const std::uint64_t& more) { mine += more; };
      std::uint64_t wanted = 0;
      run_on(first, [&] {
        const scoped_per_core<std::uint64_t> sums;
        checkpoint work({.folder = folder / "work"}, "sums");
        std::uint64_t steps = 7;
        work.add("steps", &steps);
        work.add("sums", sums.handle(), plus);
        on_all_cores([sums = sums.handle()] { sums.here() = 10 + here(); });
        for (core_id c = 0; c < cores(); ++c) wanted += 10 + c;
        work.save();
      });
      run_on(second, [&] {
        const scoped_per_core<std::uint64_t> sums;
        checkpoint work({.folder = folder / "work"}, "sums");
        std::uint64_t steps = 0;
        work.add("steps", &steps);
        work.add("sums", sums.handle(), plus);
        EXPECT_TRUE(work.restore());
        EXPECT_EQ(steps, 7U);
        std::uint64_t sum = 0;
        core_id c = 0;
        for (const std::uint64_t one : collect(sums.handle(), [](std::uint64_t& s) { return s; })) {
          if (std::string(first) == second) {
            EXPECT_EQ(one, 10U + c);
            ++c;
          }
          sum += one;
        }
        EXPECT_EQ(sum, wanted);
      });
    }
}

TEST(Checkpoint, KeysOfMapsAndSetsAreInsertedAgain) {
  for (const char* first : k_jobs)
    for (const char* second : k_jobs) {
      SCOPED_TRACE(std::string(first) + " then " + second);
      const temporary_folder folder;
      constexpr std::uint64_t k_keys = 500;
      run_on(first, [&] {
        const scoped_hash_map<std::uint64_t, std::uint32_t> map;
        const scoped_hash_set<std::uint32_t> set;
        const scoped_hash_map<std::uint32_t, bool> odd;
        checkpoint work({.folder = folder / "work"}, "keys");
        work.add("map", map.handle());
        work.add("odd", odd.handle());
        work.add("set", set.handle());
        for (std::uint64_t i = 0; i < k_keys; ++i) {
          map.insert(number(1, i), static_cast<std::uint32_t>(i));
          set.insert(static_cast<std::uint32_t>(3 * i));
          odd.insert(static_cast<std::uint32_t>(i), i % 2 != 0);
        }
        work.save();
      });
      run_on(second, [&] {
        const scoped_hash_map<std::uint64_t, std::uint32_t> map;
        const scoped_hash_set<std::uint32_t> set;
        const scoped_hash_map<std::uint32_t, bool> odd;
        checkpoint work({.folder = folder / "work"}, "keys");
        work.add("map", map.handle());
        work.add("odd", odd.handle());
        work.add("set", set.handle());
        EXPECT_TRUE(work.restore());
        EXPECT_EQ(map.size(), k_keys);
        EXPECT_EQ(set.size(), k_keys);
        for (std::uint64_t i = 0; i < k_keys; ++i) {
          EXPECT_EQ(map.lookup(number(1, i)), i);
          EXPECT_TRUE(set.contains(static_cast<std::uint32_t>(3 * i)));
          EXPECT_EQ(odd.lookup(static_cast<std::uint32_t>(i)), i % 2 != 0);
        }
      });
    }
}

/// A small checkpoint, by two cores.
void write_small(const std::string& folder, std::uint64_t seed, std::uint64_t n = 6) {
  run(job_options{.cores = 2}, [&] {
    const all_arrays arrays(n);
    checkpoint work({.folder = folder}, "small");
    arrays.keep(work);
    arrays.fill(seed);
    work.save();
  });
}
void expect_small(const std::string& folder, std::uint64_t seed, unsigned cores, std::uint64_t n = 6) {
  run(job_options{.cores = cores}, [&] {
    const all_arrays arrays(n);
    checkpoint work({.folder = folder}, "small");
    arrays.keep(work);
    EXPECT_TRUE(work.restore());
    arrays.expect(seed);
  });
}
/// Returns what reading it says; empty where it is read.
std::string complaint_about(const std::string& folder, unsigned cores = 2, const std::string& job = "small") {
  try {
    run(job_options{.cores = cores}, [&] {
      const all_arrays arrays(6);
      checkpoint work({.folder = folder}, job);
      arrays.keep(work);
      (void)work.restore();
      arrays.expect(1);
    });
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

TEST(Checkpoint, EveryDamagedByteAndEveryLostEndIsFound) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1);
  EXPECT_EQ(complaint_about(work), "");
  for (const std::string file : {"manifest", "1-process-0.part"}) {
    const std::string path = work + "/" + file, whole = test::content_of(path);
    ASSERT_GT(whole.size(), 100U);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      folder.plant("work/" + file, damaged);
      const std::string said = complaint_about(work, 1 + static_cast<unsigned>(at % 3));
      EXPECT_TRUE(said.starts_with(path + ": expected ")) << "byte " << at << ": " << said;
      EXPECT_EQ(said.find('\n'), std::string::npos);
    }
    for (std::size_t left = 0; left < whole.size(); left += 7) {
      folder.plant("work/" + file, whole.substr(0, left));
      const std::string said = complaint_about(work);
      EXPECT_TRUE(said.starts_with(path + ": expected ")) << left << " bytes: " << said;
    }
    folder.plant("work/" + file, whole);
  }
  EXPECT_EQ(complaint_about(work), "");
  std::filesystem::remove(work + "/1-process-0.part");
  EXPECT_EQ(complaint_about(work), "cannot read " + work + "/1-process-0.part: No such file or directory");
}

TEST(Checkpoint, WorkOfAnotherJobOrProgramIsRefused) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1);
  EXPECT_EQ(complaint_about(work, 2, "large"),
            work +
                ": expected the work of this job, found that of another (other inputs, options or "
                "program): give another folder, or remove it");
  EXPECT_EQ(complaint_about(work, 2), "");
  EXPECT_TRUE(complaint_about(folder / "no/such").starts_with("cannot make the folder "));
  folder.plant("other/manifest", "of something else, and longer than a head of thirty-two bytes");
  EXPECT_EQ(complaint_about(folder / "other"),
            folder / "other/manifest: expected a checkpoint, found something else");
  folder.plant("other/notes-process-1.part", "stays");
  folder.plant("other/3-process-x.part", "stays");
  std::filesystem::remove(folder / "other/manifest");
  std::filesystem::remove(folder / "other/job");
  write_small(folder / "other", 1);
  EXPECT_EQ(test::content_of(folder / "other/notes-process-1.part"), "stays");
  EXPECT_EQ(test::content_of(folder / "other/3-process-x.part"), "stays");
}

TEST(Checkpoint, AnotherStartOfTheSameJobIsRefusedMeanwhile) {
  const temporary_folder folder;
  run(job_options{.cores = 1}, [&] {
    const checkpoint one({.folder = folder / "work"}, "job");
    EXPECT_THROW(checkpoint({.folder = folder / "work"}, "job"), error);
  });
  run(job_options{.cores = 1}, [&] { EXPECT_NO_THROW(checkpoint({.folder = folder / "work"}, "job")); });
}

TEST(Checkpoint, AFolderIsLockedUntilItIsForgotten) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1);
  run(job_options{.cores = 2}, [&] {
    checkpoint_folder kept = checkpoint({.folder = work}, "small").folder(), copy = kept;
    EXPECT_THROW(checkpoint({.folder = work}, "small"), error);
    kept.forget();
    EXPECT_TRUE(std::filesystem::is_empty(work));
    checkpoint next({.folder = work}, "another");
    copy.forget();  // has been
    EXPECT_TRUE(std::filesystem::exists(work + "/job"));
  });
}

TEST(Checkpoint, WithoutItsJobTheWorkIsStillThatOfOne) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  for (const bool is_empty : {true, false}) {
    write_small(work, 1);
    std::filesystem::remove(work + "/job");
    if (is_empty) folder.plant("work/job", "");
    EXPECT_EQ(complaint_about(work, 2, "large"),
              work +
                  ": expected the work of this job, found that of another (other inputs, options or "
                  "program): give another folder, or remove it");
    expect_small(work, 1, 3);
  }
}

TEST(Checkpoint, AnArrayOfAnotherSizeIsRefused) {
  const temporary_folder folder;
  write_small(folder / "work", 1, 7);
  EXPECT_EQ(complaint_about(folder / "work"),
            folder / "work/manifest: expected 6 elements of \"blocks\", found 7");
}

TEST(Checkpoint, AFullDiskLeavesTheOneBefore) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1, 300'000);
  test::child_process child([&](auto) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit few{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &few);
    try {
      write_small(work, 2, 300'000);
    } catch (const error& e) {
      std::fputs(e.what(), stderr);
      std::fflush(stderr);
      throw;
    }
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(99));
  EXPECT_EQ(child.errors(), "cannot write " + work + "/2-process-0.part: File too large");
  EXPECT_EQ(std::filesystem::exists(work + "/2-process-0.part"), false);
  expect_small(work, 1, 3, 300'000);
}

TEST(Checkpoint, AFailureBehindThePartsLeavesNone) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1);
  std::filesystem::create_directory(work + "/manifest.new");  // stands in the way of the next manifest
  std::filesystem::create_directory(work + "/manifest.new/full");
  run(job_options{.cores = 2}, [&] {
    const all_arrays arrays(6);
    checkpoint kept({.folder = work}, "small");
    arrays.keep(kept);
    EXPECT_TRUE(kept.restore());
    EXPECT_THROW(kept.save(), error);
    EXPECT_FALSE(std::filesystem::exists(work + "/2-process-0.part"));
    EXPECT_TRUE(std::filesystem::exists(work + "/1-process-0.part"));
    std::filesystem::remove_all(work + "/manifest.new");
    kept.save();
  });
  EXPECT_FALSE(std::filesystem::exists(work + "/1-process-0.part"));
  expect_small(work, 1, 3);
}

TEST(Checkpoint, WhatAKillLeavesBehindIsRemovedByTheNextStart) {
  const temporary_folder folder;
  const std::string work = folder / "work";
  write_small(work, 1);
  folder.plant("work/2-process-0.part", "not finished");  // before its manifest
  folder.plant("work/2-process-7.part", "not finished");
  folder.plant("work/.2-process-7.part.tmp-123-00", "of a killed process, where files need names");
  folder.plant("work/manifest.new", "not finished");
  expect_small(work, 1, 1);
  EXPECT_FALSE(std::filesystem::exists(work + "/2-process-7.part"));
  EXPECT_FALSE(std::filesystem::exists(work + "/.2-process-7.part.tmp-123-00"));
  write_small(work, 2);
  expect_small(work, 2, 3);
  EXPECT_TRUE(std::filesystem::exists(work + "/2-process-0.part"));
  EXPECT_FALSE(std::filesystem::exists(work + "/1-process-0.part"));
}

TEST(Checkpoint, OneWithoutAFolderDoesNothing) {
  run(job_options{.cores = 2}, [] {
    checkpoint none({}, "job");
    std::uint64_t value = 3;
    none.add("value", &value);
    EXPECT_FALSE(none);
    EXPECT_FALSE(none.restore());
    EXPECT_FALSE(none.is_due());
    none.save();
  });
}

TEST(Checkpoint, ItIsDueAtOnceWhereNoSecondsPass) {
  const temporary_folder folder;
  run(job_options{.cores = 1}, [&] {
    EXPECT_TRUE(checkpoint({.folder = folder / "a", .seconds = 0}, "job").is_due());
    for (const double seconds : {1e6, 2e10, 1e300, std::numeric_limits<double>::infinity()})
      EXPECT_FALSE(checkpoint({.folder = folder / "b", .seconds = seconds}, "job").is_due()) << seconds;
    for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()})
      EXPECT_THROW(checkpoint({.folder = folder / "c", .seconds = seconds}, "job"), error) << seconds;
  });
}

/// Counts in an array, a step at a time, with a checkpoint behind each.
void count_to(const std::string& folder, std::uint64_t steps, unsigned cores) {
  run(job_options{.cores = cores}, [&] {
    const scoped_array<std::uint64_t> counts(20'000, hashed(8));
    std::uint64_t step = 0;
    checkpoint work({.folder = folder, .seconds = 0}, "counting");
    work.add("counts", counts.handle());
    work.add("step", &step);
    (void)work.restore();
    while (step < steps) {
      on_all_cores([counts = counts.handle()] {
        for (std::uint64_t& n : counts.local()) ++n;
      });
      ++step;
      work.save();
    }
    on_all_cores([counts = counts.handle(), steps] {
      for (const std::uint64_t n : counts.local())
        GOSSAMER_ASSERT(n == steps, "a step is lost, or counted twice");
    });
  });
}

TEST(Checkpoint, AKillAtAnyMomentLosesNothingThatWasKept) {
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  xoshiro256 random(seed);
  const temporary_folder folder;
  unsigned kills = 0;
  for (unsigned round = 0; round < 12; ++round) {
    const auto cores = static_cast<unsigned>(1 + bounded(random, 4));
    test::child_process child([&](auto ready) {
      ready();
      count_to(folder / "work", 1'000'000, cores);
    });
    child.wait_until_ready();
    ::usleep(static_cast<useconds_t>(bounded(random, 60'000)));
    child.send(SIGKILL);
    child.finish();
    kills += child.killed_by(SIGKILL) ? 1 : 0;
  }
  EXPECT_EQ(kills, 12U);
  std::uint64_t step = 0;
  run(job_options{.cores = 3}, [&] {
    const scoped_array<std::uint64_t> counts(20'000, hashed(8));
    checkpoint work({.folder = folder / "work"}, "counting");
    work.add("counts", counts.handle());
    work.add("step", &step);
    (void)work.restore();
  });
  std::printf("killed after %llu steps\n", static_cast<unsigned long long>(step));
  count_to(folder / "work", step + 2, 2);
}

}  // namespace
}  // namespace gossamer
