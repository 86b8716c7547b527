#pragma once
// The connection of a job to the host program that it works for: where its main fiber waits for calls, and which call is
// to be interrupted. Lives longer than the job.

#include "gossamer/fiber/outside_event.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::parallel {

struct host_link {
  fiber::outside_event& news;  // while the main fiber waits for it, sleeping cores are no stall
  message::call_phase& call;
};

}  // namespace gossamer::parallel
