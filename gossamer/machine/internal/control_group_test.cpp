// Control groups are read from planted trees: version 1, version 2, nested, in containers.
#include "gossamer/machine/internal/control_group.hpp"

#include <gtest/gtest.h>

#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/topology.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

using test::temporary_folder;

constexpr std::uint64_t k_mib = 1 << 20;

// A unified hierarchy at /sys/fs/cgroup with the process in /user/job.
void plant_version2(const temporary_folder& root) {
  root.plant("proc/self/cgroup", "0::/user/job\n");
  root.plant("proc/self/mountinfo",
             "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
             "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate\n");
}

// Version 1: cpu and cpuacct mounted together, memory and cpuset alone; the process in /job.
void plant_version1(const temporary_folder& root) {
  root.plant("proc/self/cgroup",
             "9:memory:/job\n"
             "5:cpuset:/job\n"
             "4:cpu,cpuacct:/job\n"
             "1:name=systemd:/job\n");
  root.plant("proc/self/mountinfo",
             "31 22 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
             "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "33 22 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
}

TEST(ControlGroup, FindsNoLimitWhereThereIsNoTree) {
  const temporary_folder root;
  const auto limits = read_control_groups(root.path());
  EXPECT_FALSE(limits.processors);
  EXPECT_FALSE(limits.cpuset);
  EXPECT_FALSE(limits.memory);
  EXPECT_FALSE(limits.memory_left);
}

TEST(ControlGroup, ReadsVersion2) {
  const temporary_folder root;
  plant_version2(root);
  root.plant("sys/fs/cgroup/user/job/cpu.max", "150000 100000\n");
  root.plant("sys/fs/cgroup/user/job/cpuset.cpus.effective", "0-2,5\n");
  root.plant("sys/fs/cgroup/user/job/memory.max", "104857600\n");
  root.plant("sys/fs/cgroup/user/job/memory.current", "62914560\n");
  root.plant("sys/fs/cgroup/user/job/memory.stat",
             "anon 1\nfile 2\ninactive_file 10485760\nactive_file 5242880\nslab_reclaimable 5242880\n");
  const auto limits = read_control_groups(root.path());
  EXPECT_EQ(limits.processors, 1.5);
  EXPECT_EQ(limits.processors_source, root / "sys/fs/cgroup/user/job/cpu.max");
  EXPECT_EQ(limits.cpuset, (std::vector<unsigned>{0, 1, 2, 5}));
  EXPECT_EQ(limits.memory, 100 * k_mib);
  EXPECT_EQ(limits.memory_left, (100 - 60 + 20) * k_mib);
}

TEST(ControlGroup, TakesTheStrictestGroupOfTheHierarchy) {
  const temporary_folder root;
  plant_version2(root);
  root.plant("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
  root.plant("sys/fs/cgroup/user/cpu.max", "300000 100000\n");
  root.plant("sys/fs/cgroup/user/job/memory.max", "104857600\n");
  root.plant("sys/fs/cgroup/user/job/memory.current", "1048576\n");
  root.plant("sys/fs/cgroup/user/memory.max", "209715200\n");
  root.plant("sys/fs/cgroup/user/memory.current", "199229440\n");  // neighbours have nearly all of it
  const auto limits = read_control_groups(root.path());
  EXPECT_EQ(limits.processors, 3.0);
  EXPECT_EQ(limits.processors_source, root / "sys/fs/cgroup/user/cpu.max");
  EXPECT_EQ(limits.memory, 100 * k_mib);
  EXPECT_EQ(limits.memory_left, 10 * k_mib);
}

TEST(ControlGroup, CountsTheThrottlingLimitOfVersion2) {
  const temporary_folder root;
  plant_version2(root);
  root.plant("sys/fs/cgroup/user/job/memory.max", "max\n");
  root.plant("sys/fs/cgroup/user/job/memory.high", "52428800\n");
  root.plant("sys/fs/cgroup/user/job/memory.current", "0\n");
  EXPECT_EQ(read_control_groups(root.path()).memory_left, 50 * k_mib);
}

TEST(ControlGroup, LeavesNothingWhereMoreThanTheLimitIsUsed) {
  const temporary_folder root;
  plant_version2(root);
  root.plant("sys/fs/cgroup/user/job/memory.max", "1048576\n");
  root.plant("sys/fs/cgroup/user/job/memory.current", "2097152\n");
  EXPECT_EQ(read_control_groups(root.path()).memory_left, 0U);
}

TEST(ControlGroup, ReadsVersion1) {
  const temporary_folder root;
  plant_version1(root);
  root.plant("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
  root.plant("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  root.plant("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  root.plant("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  root.plant("sys/fs/cgroup/cpuset/job/cpuset.cpus", "2-3\n");
  root.plant("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "104857600\n");
  root.plant("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "31457280\n");
  root.plant("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 10485760\n");
  root.plant("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // "none" of version 1
  const auto limits = read_control_groups(root.path());
  EXPECT_EQ(limits.processors, 2.5);
  EXPECT_EQ(limits.cpuset, (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(limits.memory, 100 * k_mib);
  EXPECT_EQ(limits.memory_left, 80 * k_mib);
}

TEST(ControlGroup, FindsTheGroupOfAContainerThatMountsItsOwnGroup) {
  const temporary_folder root;
  root.plant("proc/self/cgroup", "4:cpu,cpuacct:/docker/abc/inner\n");
  root.plant("proc/self/mountinfo",
             "31 22 0:27 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n");
  root.plant("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "400000\n");
  root.plant("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
  root.plant("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  root.plant("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_control_groups(root.path()).processors, 2.0);
}

TEST(ControlGroup, FallsBackToTheMountWhereThePathBelongsToAnotherNamespace) {
  const temporary_folder root;
  root.plant("proc/self/cgroup", "0::/../../elsewhere\n");
  root.plant("proc/self/mountinfo", "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root.plant("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(read_control_groups(root.path()).processors, 1.0);
}

TEST(ControlGroup, ReadsMixedVersions) {
  const temporary_folder root;
  root.plant("proc/self/cgroup", "9:memory:/job\n0::/job\n");
  root.plant("proc/self/mountinfo",
             "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "30 22 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  root.plant("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "104857600\n");
  root.plant("sys/fs/cgroup/unified/job/cpu.max", "50000 100000\n");
  const auto limits = read_control_groups(root.path());
  EXPECT_EQ(limits.memory_left, 100 * k_mib);
  EXPECT_EQ(limits.processors, 0.5);
}

TEST(ControlGroup, IgnoresGarbage) {
  const temporary_folder root;
  root.plant("proc/self/cgroup", "what\n::\n3:cpu:relative\n0::/user/job\n");
  root.plant("proc/self/mountinfo",
             "short\n31 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n30 22 0:26 / /sys/fs/cgroup "
             "rw - cgroup2 cgroup2 rw\n- - -\n");
  root.plant("sys/fs/cgroup/user/job/cpu.max", "fast\n");
  root.plant("sys/fs/cgroup/user/job/memory.max", "-5\n");
  root.plant("sys/fs/cgroup/user/job/cpuset.cpus", "all\n");
  const auto limits = read_control_groups(root.path());
  EXPECT_FALSE(limits.processors);
  EXPECT_FALSE(limits.memory);
  EXPECT_FALSE(limits.cpuset);
}

TEST(ControlGroup, ParsesProcessorLists) {
  EXPECT_EQ(parse_processor_list("0"), (std::vector<unsigned>{0}));
  EXPECT_EQ(parse_processor_list("0-3,8,10-11"), (std::vector<unsigned>{0, 1, 2, 3, 8, 10, 11}));
  for (const char* text : {"", "x", "3-1", "1-", "-1", "1,,2", "0-99999999"})
    EXPECT_FALSE(parse_processor_list(text)) << text;
}

TEST(Topology, RoundsTheQuotaUpButNotBeyondTheProcessors) {
  const unsigned allowed = usable_processors(temporary_folder().path());
  EXPECT_EQ(allowed, affinity().size());
  const temporary_folder root;
  plant_version2(root);
  root.plant("sys/fs/cgroup/user/job/cpu.max", "10000 100000\n");
  EXPECT_EQ(usable_processors(root.path()), 1U);
  root.plant("sys/fs/cgroup/user/job/cpu.max", "100000000 100000\n");
  EXPECT_EQ(usable_processors(root.path()), allowed);
  if (allowed < 2) GTEST_SKIP() << "the rest needs two processors";
  root.plant("sys/fs/cgroup/user/job/cpu.max", "110000 100000\n");
  EXPECT_EQ(usable_processors(root.path()), 2U);
  EXPECT_EQ(discover_topology(root.path()).usable, 2U);
  EXPECT_NEAR(discover_topology(root.path()).quota, 1.1, 1e-9);
}

TEST(Topology, StaysWithinTheCpuset) {
  const temporary_folder root;
  plant_version2(root);
  const unsigned last = affinity().back();
  root.plant("sys/fs/cgroup/user/job/cpuset.cpus.effective", std::to_string(last) + "\n");
  const auto found = discover_topology(root.path());
  ASSERT_EQ(found.processors.size(), 1U);
  EXPECT_EQ(found.processors[0].id, last);
  EXPECT_EQ(found.usable, 1U);
}

TEST(AvailableMemory, IsTheLeastOfComputerAndControlGroup) {
  const temporary_folder root;
  plant_version2(root);
  root.plant("proc/meminfo", "MemTotal:  204800 kB\nMemFree: 1 kB\nMemAvailable:   102400 kB\n");
  EXPECT_EQ(total_memory(root.path()), 200 * k_mib);
  EXPECT_EQ(available_memory(root.path()), 100 * k_mib);
  root.plant("sys/fs/cgroup/user/memory.max", "52428800\n");
  root.plant("sys/fs/cgroup/user/memory.current", "10485760\n");
  EXPECT_EQ(available_memory(root.path()), 40 * k_mib);
}

}  // namespace
}  // namespace gossamer::machine
