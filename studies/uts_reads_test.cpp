#include "studies/uts_reads.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "gossamer/parallel/job.hpp"

namespace gossamer::studies {
namespace {

using namespace kernels;

uts_tree some_tree(std::mt19937& random) {
  uts_tree t;
  t.kind = static_cast<uts_tree::law>(random() % 3);
  t.how = static_cast<uts_tree::shape>(random() % 4);
  t.mean = t.kind == uts_tree::law::binomial ? random() % 300 : 1 + static_cast<double>(random() % 30) / 10;
  t.limit = 2 + random() % (t.how == uts_tree::shape::cyclic ? 3 : 5);
  t.seed = random() % 1000;
  t.children = 1 + random() % 20;
  t.probability = 0.9 / t.children;
  return t;
}

job_options cluster(const std::string& what) {
  job_options o;
  o.simulate = simulation::options::parse(what);
  return o;
}

TEST(UtsReads, AgreeWithASerialSearchOfAnyTree) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 16; ++i) {
    const uts_tree tree = some_tree(random);
    SCOPED_TRACE(arguments_of(tree));
    const uts_size serial = search_tree_serially(tree);
    job_options o = {.cores = 1 + static_cast<unsigned>(random() % 4)};
    if (i % 2 == 1)
      o = cluster(fmt::format("processes={} cores={} network=qdr faults=all seed={}", 2 + random() % 3,
                              1 + random() % 3, random() % 1000));
    run(o, [&] {
      uts_memory memory(tree, serial, i % 4 == 0 ? uts_memory::k_block : uts_reads_options::k_block);
      ASSERT_EQ(memory.build().size, serial);
      EXPECT_EQ(memory.traverse().size, serial);
      for (const std::uint64_t cache : {1, 2, 3, 7, 8, 13, 32})
        EXPECT_EQ(
            traverse_by_reads(memory, {.children_cache = cache, .stealable = (cache + i) % 3 != 0}).size,
            serial)
            << "cache " << cache;
    });
  }
}

TEST(UtsReads, APublishedTreeHasItsPublishedSize) {
  const uts_tree tree = parse_tree("T3");
  const uts_size size = find_named(tree)->size;
  run({.cores = 2}, [&] {
    uts_memory memory(tree, size);
    (void)memory.build();
    EXPECT_EQ(traverse_by_reads(memory).size, size);
  });
}

// More children than a packed vertex has bits for.
TEST(UtsReads, ARootMayHaveAnyNumberOfChildren) {
  const uts_size size{70001, 1, 70000};
  run(cluster("processes=3 cores=1 network=qdr"), [&] {
    uts_memory memory(parse_tree("-t 0 -b 70000 -q 0 -m 1"), size);
    ASSERT_EQ(memory.build().size, size);
    EXPECT_EQ(traverse_by_reads(memory).size, size);
  });
}

/// Returns the virtual seconds of a traversal of some 30,000 vertices on four processes.
double seconds_with(job_options o, const uts_reads_options& how) {
  const uts_tree tree = parse_tree("-t 1 -a 3 -d 7 -b 4 -r 19");
  double seconds = 0;
  o.simulate = simulation::options::parse("processes=4 cores=2 network=qdr seed=3");
  run(o, [&] {
    uts_memory memory(tree, search_tree(tree).size, uts_reads_options::k_block);
    (void)memory.build();
    seconds = traverse_by_reads(memory, how).seconds;
  });
  return seconds;
}

TEST(UtsReads, TakeLessTimeWithMoreActiveTasks) {
  EXPECT_GT(seconds_with({.fibers = 4}, {}), 2 * seconds_with({.fibers = 1024}, {}));
}

TEST(UtsReads, TakeLessTimeWhereAReadBringsMoreChildren) {
  EXPECT_GT(seconds_with({}, {.children_cache = 1}), 1.2 * seconds_with({}, {.children_cache = 8}));
}

// Families of siblings are adjacent, so one read fetches several of them. One read for each family takes 2.7
// times as long as the walker on this tree.
TEST(UtsReads, TakeLittleLongerThanTheWalkerWhereAReadBringsCousins) {
  const uts_tree tree = parse_tree("-t 1 -a 3 -d 8 -b 4 -r 19");
  job_options o = cluster("processes=4 cores=2 network=qdr seed=3");
  run(o, [&] {
    uts_memory memory(tree, search_tree(tree).size, uts_reads_options::k_block);
    (void)memory.build();
    const double walked = memory.traverse().seconds;
    EXPECT_LT(traverse_by_reads(memory, {.children_cache = 16}).seconds, 2 * walked);
  });
}

TEST(UtsReads, TakeLessTimeWhereIdleCoresTakeTasks) {
  EXPECT_GT(seconds_with({}, {.stealable = false}), 2 * seconds_with({}, {.stealable = true}));
}

}  // namespace
}  // namespace gossamer::studies
