#pragma once
// The API: one global memory, fibers, loops and delegates. It leaves out graphs (gossamer/graph/), MapReduce, sorting and
// tables (mapreduce/, sort/, tables/), checkpoints (checkpoint/) and parallel/run_recorder.hpp: every program would take a third
// longer to compile.

#if __cplusplus < 202002L
#error \
    "Gossamer needs C++20: compile with -std=c++20 or newer (CMake: target_compile_features(... cxx_std_20))"
#else

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/priority_queue.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"
#include "gossamer/fiber/sync.hpp"
#include "gossamer/host/runtime.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/memory/gather.hpp"
#include "gossamer/memory/global_ptr.hpp"
#include "gossamer/memory/notification.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/loop_reduction.hpp"
#include "gossamer/parallel/per_core.hpp"

#endif
