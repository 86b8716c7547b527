#pragma once
// Says whether a history is sequentially consistent (Lamport, IEEE Transactions on Computers C-28, 1979): one order of
// all operations keeps the order of each fiber, and a sequential model answers in it as the history says. That is less
// than linearizability: the order may contradict time between fibers. It is not local: each key may be right by
// itself where all keys together are not. So the whole history is searched, and several structures of one kind are
// written into one history by keys of their own.

#include <cstdint>

#include "support/linearizability/checker.hpp"

namespace gossamer::test::linearizability {

/// Whether keys are judged together, or each as if it were a structure of its own.
enum class keys : std::uint8_t { together, apart };

/// Judges the program order of a history of sets or maps. Its operations are all answered. A key that is wrong by itself is
/// reported alone.
verdict check_program_order(structure s, history operations, std::uint64_t most_states = 1'000'000,
                            keys judged = keys::together);

}  // namespace gossamer::test::linearizability
