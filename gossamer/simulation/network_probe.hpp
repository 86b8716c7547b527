#pragma once
// Measures the parameters of the real network, so that a simulation can imitate it. Sends messages of two
// sizes in ping-pongs and in streams between two processes, directly over the transport. Time in calls is
// overhead; the rest of a one-way time is latency; the time of a stream beyond the slower end is the
// adapter's. The method is that of LogP's parameters (Culler, Liu, Martin, Yoshikawa, IEEE Micro 1996), with
// a line through two sizes for the times per byte.

#include "gossamer/fabric/transport.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::simulation {

/// Measures between processes 0 and 1, which takes these two some tenths of a second. Collective and
/// blocking, between jobs, by every process of the transport. All get the result. Numbers inside a process
/// and `detect_ns` are not measured but taken from `like`; `rendezvous_bytes` is 0. Throws gossamer::error as
/// the transport does, and if there is one process.
network measure_network(fabric::transport& between, const network& like);

}  // namespace gossamer::simulation
