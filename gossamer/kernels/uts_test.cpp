#include "gossamer/kernels/uts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "gossamer/base/error.hpp"
#include "gossamer/kernels/uts_memory.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::kernels {

void PrintTo(const uts_size& s, std::ostream* out) {
  *out << s.nodes << " nodes, depth " << s.depth << ", " << s.leaves << " leaves";
}

namespace {

/// Trees of all kinds, of some thousands of nodes at most.
uts_tree small_tree(std::mt19937& random) {
  uts_tree t;
  t.kind = static_cast<uts_tree::law>(random() % 3);
  t.how = static_cast<uts_tree::shape>(random() % 4);
  t.mean = t.kind == uts_tree::law::binomial ? random() % 300 : 1 + static_cast<double>(random() % 30) / 10;
  t.limit = 2 + random() % (t.how == uts_tree::shape::cyclic ? 3 : 5);
  t.seed = random() % 1000;
  t.children = 1 + random() % 6;
  t.probability = 0.9 / t.children;
  return t;
}

TEST(Uts, PublishedTreesHaveThePublishedSizes) {
  for (const char* name : {"T1", "T2", "T3", "T4", "T5"}) {
    const uts_tree tree = parse_tree(name);
    for (const unsigned cores : {1U, 2U, 3U})
      run({.cores = cores}, [&] {
        EXPECT_EQ(search_tree(tree).size, find_named(tree)->size) << name << " on " << cores << " cores";
      });
  }
}

TEST(Uts, AgreesWithASerialSearchOfAnyTree) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 20; ++i) {
    const uts_tree tree = small_tree(random);
    SCOPED_TRACE(arguments_of(tree));
    const uts_size serial = search_tree_serially(tree);
    run({.cores = 1 + static_cast<unsigned>(random() % 4)}, [&] {
      for (std::uint32_t method = 0; method < sha1_methods().size(); ++method)
        EXPECT_EQ(search_tree(tree, {}, method).size, serial) << sha1_methods()[method].name;
      uts_memory memory(tree, serial);
      EXPECT_EQ(memory.build().size, serial);
      EXPECT_EQ(memory.traverse().size, serial);
      EXPECT_EQ(memory.traverse().size, serial) << "for the second time";
    });
  }
}

TEST(Uts, ARootAloneIsATree) {
  run({.cores = 2}, [] {
    const uts_tree tree = parse_tree("-t 0 -b 0");
    EXPECT_EQ(search_tree(tree).size, (uts_size{1, 0, 1}));
    uts_memory memory(tree, {1, 0, 1});
    EXPECT_EQ(memory.build().size, (uts_size{1, 0, 1}));
    EXPECT_EQ(memory.traverse().size, (uts_size{1, 0, 1}));
  });
}

TEST(Uts, TellsHowFarItIs) {
  run({.cores = 1}, [] {
    std::uint64_t last = 0;
    (void)search_tree(parse_tree("-t 1 -a 3 -d 8 -b 4 -r 19"), [&](std::uint64_t nodes) {
      EXPECT_GE(nodes, last);
      last = nodes;
    });
    EXPECT_GT(last, 0U);
  });
}

TEST(UtsMemory, APublishedTreeIsBuiltAndTraversed) {
  const uts_tree tree = parse_tree("T3");
  const uts_size size = find_named(tree)->size;
  for (const unsigned cores : {1U, 3U})
    run({.cores = cores}, [&] {
      uts_memory memory(tree, size);
      EXPECT_EQ(memory.build().size, size);
      EXPECT_EQ(memory.traverse().size, size);
    });
}

TEST(UtsMemory, SaysWhatItNeedsBeforeItTakesIt) {
  run({.cores = 1}, [] {
    const uts_tree tree = parse_tree("T1XL");
    EXPECT_GT(uts_memory::bytes_for(1'635'119'272, 4), std::uint64_t{24} << 30);
    try {
      uts_memory memory(tree, {std::uint64_t{1} << 44, 15, 1});
      FAIL() << "256 TiB were to be had";
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find("uts-mem T1XL needs"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("available"), std::string::npos) << e.what();
    }
  });
}

TEST(UtsMemory, ATreeLargerThanSaidIsRefused) {
  run({.cores = 2}, [] {
    uts_memory memory(parse_tree("T1"), {1000, 10, 800});
    EXPECT_THROW((void)memory.build(), error);
  });
}

TEST(UtsMemory, ASavedTreeIsLockedUntilItIsForgotten) {
  const test::temporary_folder folder;
  const uts_tree tree = parse_tree("T1");
  const checkpoint_options resume{.folder = folder / "work"};
  for (const bool is_built_before : {false, true})
    run({.cores = 2}, [&] {
      uts_memory memory(tree, find_named(tree)->size, uts_memory::k_block, resume);
      memory.build();
      EXPECT_EQ(memory.was_built(), is_built_before);
      EXPECT_THROW(uts_memory(tree, find_named(tree)->size, uts_memory::k_block, resume), error);
      if (!is_built_before) return;
      memory.forget();
      EXPECT_EQ(folder.names(), std::vector<std::string>{"work"});
      EXPECT_TRUE(std::filesystem::is_empty(folder / "work"));
    });
}

}  // namespace
}  // namespace gossamer::kernels
