#pragma once
// The peers' programs (bench/peers): found beside this one or in GOSSAMER_PEERS, run one after the other for
// the same bench and with the same settings, their rows joined to ours by case. A peer that fails or runs too
// long is a warning; its rows are missing.

#include <string>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "micro/measure.hpp"

namespace gossamer::bench {

/// Runs every peer that measures this bench and returns the rows. Blocks for seconds: not inside a job.
std::vector<row> run_peers(std::string_view bench, const settings& s, function_ref<void(std::string)> warn);

/// Tells each of our rows its best peer and the budget that follows from it, and adds the peers' rows behind
/// ours, each with peer_of.
void join(std::vector<row>& ours, std::vector<row> peers);

}  // namespace gossamer::bench
