#pragma once
// The connection of a job to the host program that it works for: where its main fiber waits for calls, and which call is
// to be interrupted. Lives longer than the job.

#include "gossamer/base/function_ref.hpp"
#include "gossamer/fiber/outside_event.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::parallel {

struct host_link {
  fiber::outside_event& news;  // while the main fiber waits for it, sleeping cores are no stall
  message::call_phase& call;
};

/// Does the same as report_errors() in a process that serves a host program. The program of process 0 goes on after an error that all
/// processes find, so this one ends without a line of its own.
int report_errors_of_host(function_ref<void()> body) noexcept;

}  // namespace gossamer::parallel
