// A job of many cores in several processes, for many_cores_test.py: each core asks each other one something, then gets from each
// more than one packet holds. Says how the processes exchange packets, and how many answers and bytes were right.

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/message/endpoint.hpp"

namespace {

using namespace gossamer;

constexpr std::uint64_t k_words =
    150;  // to each core, by records of a word: more than the smallest packet holds

}  // namespace

int main() try {
  run(job_options::from_environment(), [] {
    const scoped_per_core<std::uint64_t> right, sum;
    on_all_cores([right = right.handle(), sum = sum.handle()] {
      for (core_id to = 0; to < cores(); ++to)
        right.here() += call_on(to, [] { return std::uint64_t{here()}; }) == to ? 1 : 0;
      finish([&] {
        for (core_id c = 1; c < cores(); ++c)
          for (std::uint64_t i = 0; i < k_words; ++i)
            async_on((here() + c) % cores(), [sum, i] { sum.here() += i; });
      });
    });
    const auto add = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    const std::uint64_t n = cores();
    fmt::print("{} of {} answers, {} of {}, by {}\n", right.fold(std::uint64_t{0}, add), n * n,
               sum.fold(std::uint64_t{0}, add), n * (n - 1) * (k_words * (k_words - 1) / 2),
               message::endpoint::here().process().node != nullptr ? "lanes" : "the wire");
  });
  return 0;
} catch (const std::exception& e) {
  machine::write_error(fmt::format("error: {}\n", e.what()));
  return 2;
}
