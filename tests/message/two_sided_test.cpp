#include "gossamer/message/two_sided.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class TwoSided : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(TwoSided);

using bytes = std::vector<std::byte>;

/// Sizes around every change of method: none, in the line, eager, by address, many packets.
const std::size_t k_sizes[] = {0,
                               1,
                               8,
                               9,
                               64,
                               message::k_eager_bytes - 1,
                               message::k_eager_bytes,
                               1025,
                               8192,
                               9000,
                               70'001,
                               std::size_t{1} << 20};

bytes pattern(std::size_t n, std::uint64_t seed) {
  bytes all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(hash64(seed, i / 8) >> (i % 8 * 8));
  return all;
}

core_id next_core() { return (here() + 1) % cores(); }
core_id previous_core() { return (here() + cores() - 1) % cores(); }

/// What the job says when it ends by an error.
template <class F>
std::string error_of(const job_options& options, F main) {
  try {
    run(options, main);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST_P(TwoSided, MessagesOfAnySizeArriveWhole) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      spawn([] {
        for (std::size_t n : k_sizes) send(next_core(), n, pattern(n, n + here()));
      });
      spawn([] {
        for (std::size_t n : k_sizes) {
          bytes buffer(n + 3);
          ASSERT_EQ(receive(previous_core(), n, buffer), n);
          buffer.resize(n);
          ASSERT_EQ(buffer, pattern(n, n + previous_core())) << n << " bytes";
        }
      });
    });
  });
}

}  // namespace
}  // namespace gossamer
