#pragma once
// Numbers of cores, and where to combine: what tests of structures run on.

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::test {

class combining_test : public ::testing::TestWithParam<std::tuple<unsigned, combine>> {
 public:
  static job_options job() {
    job_options o;
    o.cores = std::get<0>(GetParam());
    return o;
  }
  static combine where() { return std::get<1>(GetParam()); }
};

inline std::string combining_name(const ::testing::TestParamInfo<std::tuple<unsigned, combine>>& info) {
  static constexpr const char* k_names[] = {"off", "home", "local", "both", "automatic"};
  return std::to_string(std::get<0>(info.param)) + "cores_" +
         k_names[static_cast<unsigned>(std::get<1>(info.param))];
}

/// Runs f(number) in so many fibers of this core at once. Returns when all have ended.
template <class F>
void in_fibers(unsigned n, F f) {
  std::vector<joinable<void>> all;
  for (unsigned i = 0; i < n; ++i) all.push_back(start([f, i] { f(i); }));
  for (auto& one : all) one.join();
}

}  // namespace gossamer::test

#define GOSSAMER_COMBINING_CASES(suite)                                                                      \
  INSTANTIATE_TEST_SUITE_P(On, suite,                                                                        \
                           ::testing::Combine(::testing::Values(1U, 2U, 3U, 8U),                             \
                                              ::testing::Values(combine::off, combine::home, combine::local, \
                                                                combine::both, combine::automatic)),         \
                           ::gossamer::test::combining_name)
