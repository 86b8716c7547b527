#pragma once
// --explain: where the time of the run went, and what to do about it.

#include "gossamer/parallel/explain.hpp"
#include "output/session.hpp"

namespace gossamer::cli {

/// Adds the shares of each phase, the findings, and the key "explain".
void say_explanation(session& s, const run_record& run);

}  // namespace gossamer::cli
