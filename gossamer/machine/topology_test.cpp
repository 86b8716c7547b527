#include "gossamer/machine/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gossamer/machine/environment.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::machine {
namespace {

TEST(Topology, ListsEveryProcessorOfTheAffinityMaskAtMostOnce) {
  const auto found = discover_topology();
  const auto mask = affinity();
  std::set<unsigned> ids;
  for (const processor& p : found.processors) EXPECT_TRUE(ids.insert(p.id).second) << p.id;
  EXPECT_TRUE(std::includes(mask.begin(), mask.end(), ids.begin(), ids.end()));
  EXPECT_GE(found.usable, 1U);
  EXPECT_LE(found.usable, found.processors.size());
  EXPECT_EQ(found.usable, usable_processors());
  EXPECT_LE(found.cores, found.processors.size());
}

TEST(Topology, PlacesOneThreadOfEveryCoreFirst) {
  const auto found = discover_topology();
  std::set<unsigned> cores;
  for (unsigned i = 0; i < found.cores; ++i) EXPECT_TRUE(cores.insert(found.processors[i].core).second);
}

TEST(Topology, PinsAThreadToOneProcessor) {
  const auto mask = affinity();
  thread([&] { return std::string("pinned"); }(),
         [&] {
           for (const unsigned id : mask) {
             ASSERT_TRUE(pin_thread(id));
             EXPECT_EQ(affinity(), std::vector<unsigned>{id});
             EXPECT_EQ(current_processor(), id);
           }
           ASSERT_TRUE(pin_thread(mask));
           EXPECT_EQ(affinity(), mask);
         })
      .join();
  EXPECT_EQ(affinity(), mask);  // of this thread, untouched
}

TEST(Topology, RefusesToPinToAProcessorThatDoesNotExist) {
  const auto mask = affinity();
  EXPECT_FALSE(pin_thread(60'000));
  EXPECT_FALSE(pin_thread(std::vector<unsigned>{}));
  EXPECT_EQ(affinity(), mask);
}

TEST(Environment, HasTheFactsOfABugReport) {
  const auto facts = environment_facts();
  const auto value = [&](std::string_view group, std::string_view name) -> std::string {
    for (const fact& f : facts)
      if (f.group == group && f.name == name) return f.value;
    return "(missing)";
  };
  EXPECT_EQ(value("processors", "usable"), std::to_string(usable_processors()));
  EXPECT_TRUE(value("system", "kernel").starts_with("Linux "));
  EXPECT_TRUE(value("libraries", "zlib").starts_with("1."));
  EXPECT_TRUE(value("libraries", "hwloc").starts_with("2."));
  for (const fact& f : facts) {
    EXPECT_FALSE(f.value.empty()) << f.name;
    EXPECT_EQ(f.value.find('\n'), std::string::npos) << f.name << ": " << f.value;
  }
}

}  // namespace
}  // namespace gossamer::machine
