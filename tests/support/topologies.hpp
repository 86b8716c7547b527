#pragma once
// The numbers of cores that runtime tests run on; on small machines most of them are more than processors.

#include <gtest/gtest.h>

#include <string>

namespace gossamer::test {

/// A test body run once per topology: TEST_P(Thing, Behaviour) { run(job(), ...); }
class topology_test : public ::testing::TestWithParam<unsigned> {};

inline std::string topology_name(const ::testing::TestParamInfo<unsigned>& info) {
  return std::to_string(info.param) + "cores";
}

}  // namespace gossamer::test

#define GOSSAMER_ON_TOPOLOGIES(suite) \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values(1U, 2U, 3U, 8U), ::gossamer::test::topology_name)
