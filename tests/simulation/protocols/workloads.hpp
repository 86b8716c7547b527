#pragma once
// The protocols, each in a file of its own name.

#include "protocol.hpp"

namespace gossamer::test {

extern const protocol completion, stealing, flow_control, matching, collective, frozen_view, stall_report,
    fork_join, transfers, mpi_messages, progress;

}  // namespace gossamer::test
