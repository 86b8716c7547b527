#pragma once
// What messages between two cores cost: payloads of one size from core 0 to another, copied into a buffer
// there as a receive would, and a small message there and back. Or from all cores of one half of the job, which is one
// node of two, to those of the other half.

#include <cstddef>
#include <cstdint>

#include "gossamer/base/check.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::kernels {

struct stream_result {
  std::uint64_t messages = 0;
  std::size_t bytes = 0;  // of each
  double seconds = 0;
  check verified{};  // all came, and held what was sent

  double mb_per_s() const { return seconds > 0 ? static_cast<double>(messages * bytes) / seconds / 1e6 : 0; }
};

/// Returns the partner of core 0: the first core of the next process, or the next core. Throws
/// gossamer::error where there is none.
core_id ping_partner();

/// Sends a stream of messages of `bytes` (from 8 on). Called inside run(), on core 0. Aggregates or not, as
/// the job does (job_options::aggregate).
stream_result stream_to(core_id to, std::size_t bytes, std::uint64_t messages);

/// Returns how many pairs of cores stream_from_all() has: half of the cores of the job, of whole processes where there are
/// several. Throws gossamer::error where they cannot be halved.
core_id ping_pairs();

/// Sends a stream of `messages` from each core of the first half to the core at the same place of the second half, all at
/// once. Called inside run(), on core 0. The result counts the messages of all of them.
stream_result stream_from_all(std::size_t bytes, std::uint64_t messages);

/// Returns the seconds one way, of `rounds` messages there and back. Two fibers send and receive them.
double one_way_seconds(core_id to, std::size_t bytes, std::uint64_t rounds);

}  // namespace gossamer::kernels
