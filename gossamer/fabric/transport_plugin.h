/* What a transport plugin offers: how packets travel between the processes of a job. A C interface, so that
 * a site can build its own against its own MPI (docs/clusters.md): one shared library that exports
 * gossamer_transport_v1(). Nothing of the library is linked into it, and it links no part of the library.
 *
 * All calls but abort() come from one thread at a time (MPI: SERIALIZED). Functions that return int give 0 (or
 * what their comment says), or -1 after writing one line that says what failed into error(). None may block
 * but open(), barrier(), all_gather(), plain_stream() and close().
 *
 * A slot is a number that the caller chooses, below the numbers given to open(): a buffer under way.
 * Order: messages from one process to another arrive in the order in which they were sent, in receive slots
 * in the order in which those were started. */
#ifndef GOSSAMER_TRANSPORT_PLUGIN_H
#define GOSSAMER_TRANSPORT_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GOSSAMER_TRANSPORT_VERSION 1

struct gossamer_transport {
  uint32_t version;      /* GOSSAMER_TRANSPORT_VERSION */
  uint32_t struct_bytes; /* sizeof(struct gossamer_transport) as the plugin was compiled */

  /* Starts the transport with so many slots; once in the life of a process. */
  int (*open)(unsigned receive_slots, unsigned send_slots);
  /* After open(): this process, and how many there are. */
  int (*rank)(void);
  int (*size)(void);
  /* One line: "Open MPI 4.1.4 (MPI 3.1)". Before and after open(). */
  const char* (*description)(void);
  /* What failed last; one line. */
  const char* (*error)(void);

  /* Starts to receive one message of any process, of at most `bytes` bytes. */
  int (*receive)(unsigned slot, void* buffer, size_t bytes);
  /* 1 once it has come (and from whom, how many bytes; the slot is free then), 0 before. */
  int (*received)(unsigned slot, int* from, size_t* bytes);
  /* Starts to send; the data stay until sent(). */
  int (*send)(unsigned slot, int to, const void* data, size_t bytes);
  /* 1 once the data may be reused (the slot is free then), 0 before. */
  int (*sent)(unsigned slot);
  /* Takes back every receive that nothing has come for. */
  int (*cancel_receives)(void);

  /* Collective, blocking. */
  int (*barrier)(void);
  /* `bytes` of every process, in order, into `all` (size() * bytes). */
  int (*all_gather)(const void* mine, size_t bytes, void* all);

  /* For comparisons: `count` messages of `bytes` from process `from` to process `to` by the transport's plainest
   * means (MPI_Isend/MPI_Irecv in windows of at most 64 that fit a cache); seconds that it took, on both; < 0 after an error. Called
   * by these two only, between barriers. */
  double (*plain_stream)(int from, int to, size_t bytes, unsigned count);

  /* Ends every process of the job at once, non-zero. Any thread, at any time. */
  void (*abort)(int code);
  /* The orderly end; nothing may be under way. Ends MPI where open() has started it. */
  int (*close)(void);

  /* Before open(). Where the program has started MPI itself, and ends it before close(): `ending` is called then, and
   * calls close(). */
  void (*at_end)(void (*ending)(void));

  /* After open(): this process wants to live on when another one is lost (1), or to end with it (0, as at the beginning).
   * 1 where the launcher lets it, else 0. Any thread. */
  int (*outlive)(int wanted);

  /* Bulk: bytes that go from where they lie to where they are wanted. Both sides start a move; they find each other by
   * their processes and a tag. From one process to another one, a tag belongs to one receive at a time; the next send of that
   * tag may start when that receive is over. Slots of moves have numbers of their own, from 0 on, as many as the caller has
   * under way. A null bulk_tags(): it moves no bulk. A move may wait for its other side, and for no other move: any number of them
   * may be under way that no process receives. */

  /* After open(): how many tags there are. */
  unsigned (*bulk_tags)(void);
  int (*bulk_send)(unsigned slot, int to, unsigned tag, const void* data, size_t bytes);
  int (*bulk_receive)(unsigned slot, int from, unsigned tag, void* buffer, size_t bytes);
  /* 1 once the move is over (the slot is free then), 0 before. A move may get on only while it is looked at. */
  int (*bulk_over)(unsigned slot);
  /* Takes back a move whose other side has not begun, and never will. */
  int (*bulk_cancel)(unsigned slot, int sends);
};

/* The one symbol of a plugin. Never null; the same table each time. */
const struct gossamer_transport* gossamer_transport_v1(void);

#ifdef __cplusplus
}
#endif

#endif
