#pragma once
// The connection of a job to its host program: the event on which its main fiber waits for calls, and the
// call to interrupt. Outlives the job.

#include "gossamer/base/function_ref.hpp"
#include "gossamer/fiber/outside_event.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::parallel {

struct host_link {
  fiber::outside_event& news;  // while the main fiber waits for it, sleeping cores are no stall
  message::call_phase& call;
};

/// Does the same as report_errors(), in a process that serves a host program. The program of process 0
/// continues after an error that all processes detect, so this one ends without printing a line.
int report_errors_of_host(function_ref<void()> body) noexcept;

}  // namespace gossamer::parallel
