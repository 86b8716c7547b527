// How jobs of several processes end, for ends_test.py: ends_program MODE. Every process says what its jobs
// threw, in a line, and ends with 0 where that was as the mode asks: a launcher may end the others as soon as
// one process ends otherwise.

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gossamer/base/units.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace {

using namespace gossamer;

const unsigned k_rank = machine::find_launch().rank;

/// Runs a job. Returns whether it ended well.
template <class F>
bool job(F main) {
  try {
    run(job_options{.cores = 1}, main);
    return true;
  } catch (const std::exception& e) {
    constexpr std::size_t k_most = 1000;  // launchers pass on short lines whole
    machine::write_error(fmt::format("process {}: {}\n", k_rank, abridged(e.what(), k_most)));
    return false;
  }
}

bool good_job() {
  return job([] { std::puts("a good job"); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc >= 2 ? argv[1] : "";
  if (mode == "fails") {
    const bool first = job([] { throw std::runtime_error("the first job fails"); });
    if (first || !good_job()) return 2;
  } else if (mode == "fails-and-exits") {
    if (!job([] { throw std::runtime_error("the first job fails"); })) return 3;
    return good_job() ? 0 : 2;
  } else if (mode == "fails-at-length") {
    if (job([] { throw std::runtime_error("it fails: " + std::string(10'000, 'x') + ": the reason"); }))
      return 2;
  } else if (mode == "differs") {
    if (good_job() || good_job()) return 2;
  } else if (mode == "stalls") {
    const bool first = job([] { fiber::semaphore(0).acquire(); });
    if (first || !good_job()) return 2;
  } else if (mode == "leaves") {
    if (!good_job()) return 2;
    if (k_rank == 1) return 0;
    return good_job() || good_job() ? 2 : 0;  // refused each time
  }
  return 0;
}
