#pragma once
// The cost of messages between two cores: a stream of payloads of one size from core 0 to another core,
// copied into a buffer there as a receive would, and ping-pongs of small messages. Or streams from all cores
// of one half of the job, such as one of two nodes, to those of the other half.

#include <cstddef>
#include <cstdint>

#include "gossamer/base/check.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::kernels {

struct stream_result {
  std::uint64_t messages = 0;
  std::size_t bytes = 0;  // of each
  double seconds = 0;
  check verified{};  // all arrived, with the contents that were sent

  double mb_per_s() const { return seconds > 0 ? static_cast<double>(messages * bytes) / seconds / 1e6 : 0; }
};

/// Returns the partner of core 0: the first core of the next process, or the next core. Throws
/// gossamer::error if there is none.
core_id ping_partner();

/// Sends a stream of messages of `bytes` (at least 8). Inside run(), on core 0. Aggregates if the job does
/// (job_options::aggregate).
stream_result stream_to(core_id to, std::size_t bytes, std::uint64_t messages);

/// Returns how many pairs of cores stream_from_all() has: half of the cores of the job; with several
/// processes, those of half of the processes. Throws gossamer::error if they cannot be halved.
core_id ping_pairs();

/// Sends a stream of `messages` from each core of the first half to the corresponding core of the second
/// half, all at once. Inside run(), on core 0. The result counts the messages of all streams.
stream_result stream_from_all(std::size_t bytes, std::uint64_t messages);

/// Returns the one-way time in seconds, from `rounds` ping-pongs between two fibers.
double one_way_seconds(core_id to, std::size_t bytes, std::uint64_t rounds);

}  // namespace gossamer::kernels
