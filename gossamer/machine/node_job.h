/* What the launcher of a job on one node (gossamer/machine/node_launcher.cpp) gives its processes: numbers in the environment, and
 * memory, at whose beginning they say that they have joined. C and C++. */
#ifndef GOSSAMER_NODE_JOB_H
#define GOSSAMER_NODE_JOB_H

#define NODE_JOB_SIZE "GSRUN_SIZE"     /* how many processes */
#define NODE_JOB_RANK "GSRUN_RANK"     /* which one this is, from 0 */
#define NODE_JOB_MEMORY "GSRUN_MEMORY" /* DESCRIPTOR:DEVICE:INODE of the memory, which a process sizes as it needs */
#define NODE_JOB_PLUGINS "GSRUN_PLUGINS" /* the folder of the transport plugins of `gossamer run`, whatever it starts them by */
#define NODE_JOB_MOST 256
#define NODE_JOB_HEAD_BYTES 4096

#ifdef __cplusplus
#include <atomic>
#include <cstdint>
#define NODE_JOB_ATOMIC(type) std::atomic<type>
#else
#include <stdatomic.h>
#include <stdint.h>
#define NODE_JOB_ATOMIC(type) _Atomic(type)
#endif

/* Zeros at the beginning. */
struct node_job_head {
  NODE_JOB_ATOMIC(uint32_t) arrived, generation; /* of the barrier, the processes' own */
  NODE_JOB_ATOMIC(uint32_t) survivor; /* 1 + the process that lives on when another one is lost; 0: none */
  NODE_JOB_ATOMIC(uint32_t) joined[NODE_JOB_MOST]; /* 1: from then on the processes notice each other's loss */
};

#endif
