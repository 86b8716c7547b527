#pragma once
// The numbers of a network that is there: what a simulation needs to imitate it. Messages of two sizes go to
// and fro and in streams between two processes, straight over the transport; what a processor spends in its
// calls is overhead, the rest of a way latency, and what a stream takes beyond the slower end the adapter's.
// The method is that of LogP's parameters (Culler, Liu, Martin, Yoshikawa, IEEE Micro 1996), with a line
// through two sizes for the times per byte.

#include "gossamer/fabric/transport.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::simulation {

/// Measures between processes 0 and 1, which takes these two some tenths of a second. Collective and
/// blocking, between jobs, by every process of the transport. All get the numbers. Numbers inside a process
/// and `detect_ns` are not measured but those of `like`; `rendezvous_bytes` is 0. Throws gossamer::error as
/// the transport does, and where there is one process.
network measure_network(fabric::transport& between, const network& like);

}  // namespace gossamer::simulation
