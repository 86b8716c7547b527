#pragma once
// --explain: where the core time of the run went, and advice.

#include "gossamer/parallel/explain.hpp"
#include "output/session.hpp"

namespace gossamer::cli {

/// Adds the shares of each phase, the findings, and the key "explain".
void say_explanation(session& s, const run_record& run);

}  // namespace gossamer::cli
