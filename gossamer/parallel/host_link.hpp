#pragma once
// What a job that works for a host program knows of it: where its main fiber waits for calls, and which of them is to
// end early. Lives longer than the job.

#include "gossamer/fiber/outside_event.hpp"
#include "gossamer/message/call_phase.hpp"

namespace gossamer::parallel {

struct host_link {
  fiber::outside_event& news;  // while main waits for it, sleeping cores are no stall
  message::call_phase& call;
};

}  // namespace gossamer::parallel
