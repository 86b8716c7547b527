/* The transport over MPI: gossamer/fabric/transport_plugin.h by two-sided messages, nothing newer than
 * MPI 3.0. C, one file, linked with nothing of the library, so that a site builds it with its own mpicc:
 *
 *   mpicc -O2 -fPIC -shared -I include plugins/mpi/transport_mpi.c -o libgossamer-transport-site.so
 *
 * Threads: MPI_THREAD_SERIALIZED, the caller holds its lock. Errors are returned, never fatal. A receive matches
 * any process; MPI matches in the order in which receives were started, which is the order the interface promises.
 * A program that has started MPI itself ends it, too: the transport closes within its MPI_Finalize(). */
#include "gossamer/fabric/transport_plugin.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GOSSAMER_MPI_ABI /* the standard's own interface: one build for every MPI that has it */
#include "plugins/mpi/standard_abi.h"
#else
#include <mpi.h>
#endif

enum { k_tag = 1, k_plain_window = 64, k_error_bytes = 512 };

/* One per process, as MPI itself is. Written by open() and close(); requests by whoever holds the caller's lock. */
static struct {
  int is_open, owns_mpi, rank, size; /* owns_mpi: started it, and has to end it */
  void (*ending)(void);
  unsigned receive_slots, send_slots;
  MPI_Comm packets, bulk, plain; /* messages of one never meet the receives of another */
  MPI_Request *receives, *sends;
  MPI_Request* moves; /* of bulk, by slot */
  unsigned move_slots, tags;
  char error[k_error_bytes];
  char description[256];
} self = {.size = 1, .packets = MPI_COMM_NULL, .bulk = MPI_COMM_NULL, .plain = MPI_COMM_NULL};

static int fail(const char* doing, const char* why) {
  snprintf(self.error, sizeof self.error, "%s: %s", doing, why);
  for (char* c = self.error; *c != '\0'; ++c)
    if (*c == '\n' || *c == '\r') *c = ' ';
  return -1;
}

/* 0, or -1 with MPI's own text. */
static int checked(const char* call, int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) snprintf(text, sizeof text, "MPI error %d", code);
  return fail(call, text);
}

static int too_large(const char* call, size_t bytes) {
  char why[96];
  if (bytes <= INT_MAX) return 0;
  snprintf(why, sizeof why, "%zu bytes at once, MPI takes at most %d", bytes, INT_MAX);
  return fail(call, why);
}

static const char* description(void) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0, version = 0, subversion = 0;
  size_t end;
  if (self.description[0] != '\0') return self.description;
  MPI_Get_version(&version, &subversion); /* both may be called before MPI_Init */
  MPI_Get_library_version(library, &length);
  if (strncmp(library, "MPICH Version:", 14) == 0) { /* "MPICH Version:\t4.0.2\n" and ten more lines */
    const char* number = library + 14;
    while (*number == ' ' || *number == '\t') ++number;
    end = strcspn(number, "\n\r ");
    snprintf(self.description, sizeof self.description, "MPICH %.*s (MPI %d.%d)", (int)end, number, version,
             subversion);
    return self.description;
  }
  end = strcspn(library, ",\n\r"); /* "Open MPI v4.1.4, package: ..." */
  for (size_t i = 0; i < end; ++i)
    if (library[i] == '\t') library[i] = ' ';
  if (strncmp(library, "Open MPI v", 10) == 0)
    snprintf(self.description, sizeof self.description, "Open MPI %.*s (MPI %d.%d)", (int)(end - 10), library + 10,
             version, subversion);
  else
    snprintf(self.description, sizeof self.description, "%.*s (MPI %d.%d)", (int)(end > 160 ? 160 : end), library,
             version, subversion);
  return self.description;
}

static MPI_Request* new_requests(unsigned count) {
  MPI_Request* all = malloc((count == 0 ? 1 : count) * sizeof *all);
  for (unsigned i = 0; all != NULL && i < count; ++i) all[i] = MPI_REQUEST_NULL;
  return all;
}

static int duplicate(MPI_Comm* into) {
  if (checked("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, into)) != 0) return -1;
  return checked("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(*into, MPI_ERRORS_RETURN));
}

/* MPI_COMM_WORLD is the program's: its errors are returned only while it is copied. */
static int duplicate_world(void) {
  MPI_Errhandler programs;
  int result;
  if (checked("MPI_Comm_get_errhandler", MPI_Comm_get_errhandler(MPI_COMM_WORLD, &programs)) != 0) return -1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  result = duplicate(&self.packets) != 0 || duplicate(&self.bulk) != 0 || duplicate(&self.plain) != 0 ? -1 : 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, programs);
  MPI_Errhandler_free(&programs);
  return result;
}

static int find_tags(void) {
  int* most = NULL;
  int found = 0;
  if (checked("MPI_Comm_get_attr", MPI_Comm_get_attr(self.bulk, MPI_TAG_UB, &most, &found)) != 0) return -1;
  self.tags = found ? (unsigned)*most : 32767; /* the least that MPI promises */
  return 0;
}

/* MPI_Finalize of the program deletes the attributes of MPI_COMM_SELF first of all, while MPI still works. */
static int program_ends_mpi(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  if (self.is_open && self.ending != NULL) self.ending();
  return MPI_SUCCESS;
}

static int await_end_of_mpi(void) {
  int key = MPI_KEYVAL_INVALID;
  if (checked("MPI_Comm_create_keyval",
              MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, program_ends_mpi, &key, NULL)) != 0)
    return -1;
  if (checked("MPI_Comm_set_attr", MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL)) != 0) return -1;
  return checked("MPI_Comm_free_keyval", MPI_Comm_free_keyval(&key));
}

static int open_transport(unsigned receive_slots, unsigned send_slots) {
  int started = 0, ended = 0, given = MPI_THREAD_SINGLE;
  if (self.is_open) return fail("open", "the transport is open already");
  MPI_Finalized(&ended);
  if (ended) return fail("open", "MPI has ended: the program has called MPI_Finalize()");
  MPI_Initialized(&started);
  self.owns_mpi = !started;
  if (started) {
    MPI_Query_thread(&given);
  } else if (checked("MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given)) != 0) {
    return -1;
  }
  if (given < MPI_THREAD_SERIALIZED)
    return started ? fail("open", "the program has started MPI without threads: ask MPI_Init_thread() for "
                                  "MPI_THREAD_SERIALIZED")
                   : fail("MPI_Init_thread",
                          "this MPI gives less than MPI_THREAD_SERIALIZED; build it with thread support");
  if (checked("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &self.rank)) != 0) return -1;
  if (checked("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &self.size)) != 0) return -1;
  if (duplicate_world() != 0 || find_tags() != 0) return -1;
  if (started && await_end_of_mpi() != 0) return -1;
  self.receive_slots = receive_slots;
  self.send_slots = send_slots;
  self.receives = new_requests(receive_slots);
  self.sends = new_requests(send_slots);
  if (self.receives == NULL || self.sends == NULL) return fail("open", "out of memory");
  self.is_open = 1;
  return 0;
}

static int rank(void) { return self.rank; }
static int size(void) { return self.size; }
static const char* error(void) { return self.error; }

static int receive(unsigned slot, void* buffer, size_t bytes) {
  if (slot >= self.receive_slots || self.receives[slot] != MPI_REQUEST_NULL)
    return fail("receive", "no such slot, or it is in use");
  if (too_large("MPI_Irecv", bytes) != 0) return -1;
  return checked("MPI_Irecv", MPI_Irecv(buffer, (int)bytes, MPI_BYTE, MPI_ANY_SOURCE, k_tag, self.packets,
                                        &self.receives[slot]));
}

static int received(unsigned slot, int* from, size_t* bytes) {
  MPI_Status status;
  int done = 0, count = 0;
  if (slot >= self.receive_slots || self.receives[slot] == MPI_REQUEST_NULL)
    return fail("received", "no such slot, or it is not in use");
  if (checked("MPI_Test of a receive", MPI_Test(&self.receives[slot], &done, &status)) != 0) return -1;
  if (!done) return 0;
  if (checked("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &count)) != 0) return -1;
  *from = status.MPI_SOURCE;
  *bytes = (size_t)count;
  return 1;
}

static int send(unsigned slot, int to, const void* data, size_t bytes) {
  if (slot >= self.send_slots || self.sends[slot] != MPI_REQUEST_NULL)
    return fail("send", "no such slot, or it is in use");
  if (too_large("MPI_Isend", bytes) != 0) return -1;
  return checked("MPI_Isend",
                 MPI_Isend(data, (int)bytes, MPI_BYTE, to, k_tag, self.packets, &self.sends[slot]));
}

static int sent(unsigned slot) {
  int done = 0;
  if (slot >= self.send_slots || self.sends[slot] == MPI_REQUEST_NULL)
    return fail("sent", "no such slot, or it is not in use");
  if (checked("MPI_Test of a send", MPI_Test(&self.sends[slot], &done, MPI_STATUS_IGNORE)) != 0) return -1;
  return done;
}

static int cancel_receives(void) {
  int result = 0;
  for (unsigned i = 0; i < self.receive_slots; ++i) {
    if (self.receives[i] == MPI_REQUEST_NULL) continue;
    if (checked("MPI_Cancel", MPI_Cancel(&self.receives[i])) != 0 ||
        checked("MPI_Wait", MPI_Wait(&self.receives[i], MPI_STATUS_IGNORE)) != 0)
      result = -1;
  }
  return result;
}

/* Finds the request of a slot, which is free. */
static MPI_Request* free_move(const char* call, unsigned slot) {
  if (slot >= self.move_slots) {
    const unsigned slots = slot < 16 ? 32 : 2 * slot;
    MPI_Request* all = realloc(self.moves, slots * sizeof *all);
    if (all == NULL) {
      (void)fail(call, "out of memory");
      return NULL;
    }
    for (unsigned i = self.move_slots; i < slots; ++i) all[i] = MPI_REQUEST_NULL;
    self.moves = all;
    self.move_slots = slots;
  }
  if (self.moves[slot] == MPI_REQUEST_NULL) return &self.moves[slot];
  (void)fail(call, "the slot is in use");
  return NULL;
}

static unsigned bulk_tags(void) { return self.tags; }

static int bulk_send(unsigned slot, int to, unsigned tag, const void* data, size_t bytes) {
  MPI_Request* const move = free_move("bulk_send", slot);
  if (move == NULL || too_large("MPI_Isend", bytes) != 0) return -1;
  return checked("MPI_Isend", MPI_Isend(data, (int)bytes, MPI_BYTE, to, (int)tag, self.bulk, move));
}

static int bulk_receive(unsigned slot, int from, unsigned tag, void* buffer, size_t bytes) {
  MPI_Request* const move = free_move("bulk_receive", slot);
  if (move == NULL || too_large("MPI_Irecv", bytes) != 0) return -1;
  return checked("MPI_Irecv", MPI_Irecv(buffer, (int)bytes, MPI_BYTE, from, (int)tag, self.bulk, move));
}

static int bulk_over(unsigned slot) {
  int done = 0;
  if (slot >= self.move_slots || self.moves[slot] == MPI_REQUEST_NULL)
    return fail("bulk_over", "no such slot, or it is not in use");
  if (checked("MPI_Test of a move", MPI_Test(&self.moves[slot], &done, MPI_STATUS_IGNORE)) != 0) return -1;
  return done;
}

static int bulk_cancel(unsigned slot, int sends) {
  if (slot >= self.move_slots || self.moves[slot] == MPI_REQUEST_NULL)
    return fail("bulk_cancel", "no such slot, or it is not in use");
  if (checked("MPI_Cancel of a move", MPI_Cancel(&self.moves[slot])) != 0) return -1;
  if (sends) /* not every MPI takes a send back, and to wait for one would be for ever */
    return checked("MPI_Request_free", MPI_Request_free(&self.moves[slot]));
  return checked("MPI_Wait", MPI_Wait(&self.moves[slot], MPI_STATUS_IGNORE));
}

/* Waits for a collective, and gives the processor to others meanwhile: MPICH's own waits do not, and where there are
 * more processes than processors each hop of a blocking collective costs a time slice. */
static int wait_politely(const char* call, MPI_Request request) {
  for (int done = 0;;) {
    if (checked(call, MPI_Test(&request, &done, MPI_STATUS_IGNORE)) != 0) return -1;
    if (done) return 0;
    sched_yield();
  }
}

static int barrier(void) {
  MPI_Request request;
  if (checked("MPI_Ibarrier", MPI_Ibarrier(self.packets, &request)) != 0) return -1;
  return wait_politely("MPI_Test of a barrier", request);
}

static int all_gather(const void* mine, size_t bytes, void* all) {
  MPI_Request request;
  if (too_large("MPI_Iallgather", bytes) != 0) return -1;
  if (checked("MPI_Iallgather", MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, self.packets,
                                               &request)) != 0)
    return -1;
  return wait_politely("MPI_Test of a gathering", request);
}

/* Returns how many messages a window of plain_stream() has: 64, or fewer so that all lie in the cache. */
static unsigned window_of(size_t bytes) {
  const size_t cached = (size_t)1 << 20;
  if (bytes * k_plain_window <= cached) return k_plain_window;
  return bytes >= cached ? 1 : (unsigned)(cached / bytes);
}

/* Both sides: windows of nonblocking messages, each waited for as a whole; the receiver answers the last. */
static int stream(int from, int to, int bytes, unsigned count, char* buffer) {
  const unsigned window_messages = window_of((size_t)bytes);
  MPI_Request window[k_plain_window];
  MPI_Status statuses[k_plain_window]; /* gcc 12 doubts MPICH's MPI_STATUSES_IGNORE */
  const int sending = self.rank == from;
  for (unsigned done = 0; done < count;) {
    const unsigned left = count - done;
    const unsigned n = left < window_messages ? left : window_messages;
    for (unsigned i = 0; i < n; ++i) {
      char* place = buffer + (size_t)i * (size_t)bytes;
      const int code = sending ? MPI_Isend(place, bytes, MPI_BYTE, to, k_tag, self.plain, &window[i])
                               : MPI_Irecv(place, bytes, MPI_BYTE, from, k_tag, self.plain, &window[i]);
      if (checked(sending ? "MPI_Isend" : "MPI_Irecv", code) != 0) return -1;
    }
    if (checked("MPI_Waitall", MPI_Waitall((int)n, window, statuses)) != 0) return -1;
    done += n;
  }
  if (sending)
    return checked("MPI_Recv", MPI_Recv(NULL, 0, MPI_BYTE, to, k_tag, self.plain, MPI_STATUS_IGNORE));
  return checked("MPI_Send", MPI_Send(NULL, 0, MPI_BYTE, from, k_tag, self.plain));
}

static double plain_stream(int from, int to, size_t bytes, unsigned count) {
  char* buffer;
  double start;
  int failed;
  if (from == to || (self.rank != from && self.rank != to))
    return fail("plain_stream", "two different processes, and this is one of them, are expected");
  if (too_large("plain_stream", bytes) != 0) return -1;
  buffer = calloc(window_of(bytes), bytes == 0 ? 1 : bytes);
  if (buffer == NULL) return fail("plain_stream", "out of memory");
  start = MPI_Wtime();
  failed = stream(from, to, (int)bytes, count, buffer);
  free(buffer);
  return failed != 0 ? -1 : MPI_Wtime() - start;
}

static void abort_job(int code) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started && !ended) MPI_Abort(MPI_COMM_WORLD, code);
}

static int close_transport(void) {
  if (!self.is_open) return 0;
  self.is_open = 0;
  if (cancel_receives() != 0) return -1;
  free(self.receives);
  free(self.sends);
  free(self.moves);
  self.receives = self.sends = self.moves = NULL;
  self.move_slots = 0;
  self.receive_slots = self.send_slots = 0;
  MPI_Comm_free(&self.plain);
  MPI_Comm_free(&self.bulk);
  MPI_Comm_free(&self.packets);
  return self.owns_mpi ? checked("MPI_Finalize", MPI_Finalize()) : 0;
}

static void at_end(void (*ending)(void)) { self.ending = ending; }

/* Launchers of an MPI end all processes when one is lost. */
static int outlive(int wanted) {
  (void)wanted;
  return 0;
}

__attribute__((visibility("default"))) const struct gossamer_transport* gossamer_transport_v1(void) {
  static const struct gossamer_transport table = {
      .version = GOSSAMER_TRANSPORT_VERSION,
      .struct_bytes = sizeof(struct gossamer_transport),
      .open = open_transport,
      .rank = rank,
      .size = size,
      .description = description,
      .error = error,
      .receive = receive,
      .received = received,
      .send = send,
      .sent = sent,
      .cancel_receives = cancel_receives,
      .barrier = barrier,
      .all_gather = all_gather,
      .plain_stream = plain_stream,
      .abort = abort_job,
      .close = close_transport,
      .at_end = at_end,
      .outlive = outlive,
      .bulk_tags = bulk_tags,
      .bulk_send = bulk_send,
      .bulk_receive = bulk_receive,
      .bulk_over = bulk_over,
      .bulk_cancel = bulk_cancel,
  };
  return &table;
}
