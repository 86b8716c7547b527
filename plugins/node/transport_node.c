/* The transport between processes of one node, without any MPI: gossamer/fabric/transport_plugin.h over memory that the
 * launcher (`gossamer run`, gossamer/machine/node_launcher.hpp) gives to all of them. The memory has no name and ends with them.
 *
 * From each process to each other one there is a ring of bytes with one writer and one reader. A message is its size, then its
 * data, in whole words; one that is larger than the ring travels in pieces. So a message is copied twice, and no call blocks.
 *
 * A bulk move is offered by its sender, and copied by its receiver from the sender's memory (process_vm_readv), once. Where the
 * system refuses that (Yama, some containers), the transport moves no bulk. Each tag has a place of its own for its offer: moves that
 * no process receives hold up no other. Places that no move has used take no memory.
 *
 *   word             written by     read by
 *   ring.written     the sender     the receiver   bytes so far; release, after the bytes
 *   ring.read        the receiver   the sender     bytes so far; release, after they were copied
 *   offer.state      the sender, then the receiver   release, after the rest; after the bytes were copied
 *   head.arrived     each process   the last to arrive
 *   head.generation  the last       the others     release; a futex */
#define _GNU_SOURCE
#include "gossamer/fabric/transport_plugin.h"
#include "gossamer/machine/node_job.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
  k_line = 128, /* neighbouring lines are fetched together */
  k_word = 8,
  k_exchange_bytes = 4096, /* of each process, in all_gather() */
  k_spins = 200,           /* looks at a word before the processor is given up */
  k_most_tags = 1 << 15,   /* of bulk moves */
  k_least_tags = 1 << 8,
  k_most_offers = 1 << 23, /* tags of all ordered pairs of processes, as long as each pair has k_least_tags */
  k_copied_at_once = 4 << 20 /* bytes of a move, by one look */
};

struct ring {
  _Alignas(k_line) _Atomic uint64_t written;
  _Alignas(k_line) _Atomic uint64_t read;
};

enum { k_unused, k_offered, k_copied }; /* states of an offer */

/* Says where a bulk move's bytes lie. */
struct offer {
  _Atomic uint32_t state;
  const unsigned char* data; /* in the sender's memory */
  uint64_t bytes;
};

/* One side of a bulk move. */
struct move {
  enum { k_no_move, k_sends, k_receives } kind;
  unsigned peer, tag;
  unsigned char* data;
  size_t bytes, moved;
  struct offer* offered; /* null: not yet, or not found */
};

/* A send or a receive under way. */
struct slot {
  enum { k_free, k_waiting, k_moving, k_done } state;
  unsigned peer;
  unsigned char* data;
  size_t bytes, moved; /* bytes of a receive: of the buffer until the message is known */
  int next;            /* in the queue of its peer, or of all receives */
};

struct queue {
  int first, last;
};

static struct {
  int is_open;
  unsigned rank, size;
  size_t capacity; /* of a ring */
  struct node_job_head* head;
  unsigned char *exchange, *bytes; /* bytes: of all rings */
  struct ring* rings;
  size_t memory_bytes;
  unsigned receive_slots, send_slots;
  struct slot *receives, *sends;
  struct queue waiting;   /* receives that no message has been found for */
  struct queue* outgoing; /* by destination */
  int* filling;           /* by source: the receive that a message is copied to, or -1 */
  uint64_t* taken;        /* by source: a copy of ring.read, which only this process writes */
  unsigned tags;          /* of bulk moves */
  struct offer* offers;   /* of all ordered pairs, by tag */
  struct move* moves;     /* by slot */
  unsigned move_slots;
  int* ids;               /* of all processes, for the system; null: no bulk */
  char error[512];
} self = {.size = 1};

static int fail(const char* doing, const char* why) {
  snprintf(self.error, sizeof self.error, "%s: %s", doing, why);
  return -1;
}

static size_t rounded(size_t bytes) { return (bytes + k_word - 1) / k_word * k_word; }

/* ---- where things lie ---- */

static size_t capacity_for(unsigned size) { return size <= 16 ? 256 << 10 : size <= 64 ? 64 << 10 : 16 << 10; }
static unsigned tags_for(unsigned size) {
  const unsigned tags = k_most_offers / size / size;
  return tags > k_most_tags ? k_most_tags : tags < k_least_tags ? k_least_tags : tags;
}
static struct ring* ring_of(unsigned from, unsigned to) { return self.rings + (size_t)from * self.size + to; }
static unsigned char* bytes_of(const struct ring* r) { return self.bytes + (size_t)(r - self.rings) * self.capacity; }

/* ---- rings ---- */

/* Copies to the ring at position `at`, which may run over its end. */
static void copy_in(struct ring* r, uint64_t at, const unsigned char* from, size_t bytes) {
  const size_t place = at % self.capacity;
  const size_t first = bytes < self.capacity - place ? bytes : self.capacity - place;
  memcpy(bytes_of(r) + place, from, first);
  memcpy(bytes_of(r), from + first, bytes - first);
}

static void copy_out(struct ring* r, uint64_t at, unsigned char* to, size_t bytes) {
  const size_t place = at % self.capacity;
  const size_t first = bytes < self.capacity - place ? bytes : self.capacity - place;
  memcpy(to, bytes_of(r) + place, first);
  memcpy(to + first, bytes_of(r), bytes - first);
}

/* Writes as much of a message as there is room for. Returns whether all of it is written. */
static int write_some(struct slot* s) {
  struct ring* const r = ring_of(self.rank, s->peer);
  uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
  size_t room = self.capacity - (size_t)(at - atomic_load_explicit(&r->read, memory_order_acquire));
  if (s->state == k_waiting) {
    const uint64_t size = s->bytes;
    if (room < sizeof size) return 0;
    copy_in(r, at, (const unsigned char*)&size, sizeof size);
    at += sizeof size;
    room -= sizeof size;
    s->state = k_moving;
  }
  const size_t left = s->bytes - s->moved;
  const size_t now = rounded(left) <= room ? left : room / k_word * k_word;
  copy_in(r, at, s->data + s->moved, now);
  s->moved += now;
  atomic_store_explicit(&r->written, at + rounded(now), memory_order_release); /* pairs with read_some() */
  return s->moved == s->bytes;
}

static void append(struct queue* q, struct slot* all, int slot) {
  all[slot].next = -1;
  if (q->first < 0)
    q->first = slot;
  else
    all[q->last].next = slot;
  q->last = slot;
}

static void flush(unsigned to) {
  struct queue* const q = &self.outgoing[to];
  while (q->first >= 0) {
    struct slot* const s = &self.sends[q->first];
    if (!write_some(s)) return;
    s->state = k_done;
    q->first = s->next;
  }
}

/* Copies what has come from a process to the receives that are started, in their order. */
static int read_some(unsigned from) {
  struct ring* const r = ring_of(from, self.rank);
  const uint64_t before = self.taken[from];
  uint64_t at = before;
  const uint64_t end = atomic_load_explicit(&r->written, memory_order_acquire); /* pairs with write_some() */
  int result = 0;
  while (at != end) {
    if (self.filling[from] < 0) {
      uint64_t size;
      if (self.waiting.first < 0) break;
      struct slot* const s = &self.receives[self.waiting.first];
      copy_out(r, at, (unsigned char*)&size, sizeof size);
      if (size > s->bytes) {
        result = fail("receive", "a message is larger than the buffer");
        break;
      }
      self.filling[from] = self.waiting.first;
      self.waiting.first = s->next;
      s->state = k_moving;
      s->peer = from;
      s->bytes = size;
      s->moved = 0;
      at += sizeof size;
    }
    struct slot* const s = &self.receives[self.filling[from]];
    const size_t left = s->bytes - s->moved, here = (size_t)(end - at);
    const size_t now = rounded(left) <= here ? left : here;
    copy_out(r, at, s->data + s->moved, now);
    s->moved += now;
    at += rounded(now);
    if (s->moved != s->bytes) break;
    s->state = k_done;
    self.filling[from] = -1;
  }
  if (at != before) {
    self.taken[from] = at;
    atomic_store_explicit(&r->read, at, memory_order_release); /* pairs with write_some() */
  }
  return result;
}

static int look_around(void) {
  for (unsigned p = 0; p < self.size; ++p) {
    if (self.outgoing[p].first >= 0) flush(p);
    if (read_some(p) != 0) return -1;
  }
  return 0;
}

/* ---- the interface ---- */

static int rank(void) { return (int)self.rank; }
static int size(void) { return (int)self.size; }
static const char* error(void) { return self.error; }
static const char* description(void) { return "memory of the node (no MPI)"; }

static int barrier(void) {
  const uint32_t seen = atomic_load_explicit(&self.head->generation, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&self.head->arrived, 1, memory_order_acq_rel) + 1 == self.size) {
    atomic_store_explicit(&self.head->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&self.head->generation, seen + 1, memory_order_release); /* pairs with the loads below */
    syscall(SYS_futex, &self.head->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    return 0;
  }
  for (unsigned look = 0; atomic_load_explicit(&self.head->generation, memory_order_acquire) == seen; ++look) {
    const struct timespec soon = {0, 1000000};
    if (look < k_spins) continue;
    if (look_around() != 0) return -1; /* a process that has still to send something must not wait for this one */
    syscall(SYS_futex, &self.head->generation, FUTEX_WAIT, seen, &soon, NULL, 0);
  }
  return 0;
}

static int all_gather(const void* mine, size_t bytes, void* all) {
  for (size_t done = 0; done < bytes || done == 0; done += k_exchange_bytes) {
    const size_t now = bytes - done < k_exchange_bytes ? bytes - done : k_exchange_bytes;
    memcpy(self.exchange + (size_t)self.rank * k_exchange_bytes, (const char*)mine + done, now);
    if (barrier() != 0) return -1;
    for (unsigned p = 0; p < self.size; ++p)
      memcpy((char*)all + p * bytes + done, self.exchange + (size_t)p * k_exchange_bytes, now);
    if (barrier() != 0) return -1; /* before the next piece is written */
    if (bytes == 0) break;
  }
  return 0;
}

/* Reads a number that the launcher has set. */
static long number(const char* name) {
  const char* text = getenv(name);
  char* end = NULL;
  const long value = text == NULL ? -1 : strtol(text, &end, 10);
  return text == NULL || end == text || *end != '\0' || value < 0 || value > INT_MAX ? -1 : value;
}

static int out_of_memory(void) { return fail("open", "out of memory"); }

/* Returns the descriptor of the job's memory; -1 where it is none: a program that a process of a job has started finds the variables,
 * and maybe another file under that number. */
static int memory_of_job(void) {
  const char* text = getenv(NODE_JOB_MEMORY);
  int descriptor = -1;
  unsigned long long device = 0, inode = 0;
  struct stat file;
  if (text == NULL || sscanf(text, "%d:%llu:%llu", &descriptor, &device, &inode) != 3) return -1;
  if (fstat(descriptor, &file) != 0 || file.st_dev != device || file.st_ino != inode) return -1;
  return descriptor;
}

/* ---- bulk ---- */

static unsigned bulk_tags(void) { return self.ids != NULL ? self.tags : 0; }

/* Finds out whether every process may copy from the next one's memory. Collective. */
static int ask_for_bulk(void) {
  static const uint64_t magic = 0x6f73736d72676173;
  struct introduction {
    const void* at;
    int32_t id, may;
  } mine = {&magic, (int32_t)getpid(), 1};
  struct introduction* const all = calloc(self.size, sizeof *all);
  if (all == NULL) return out_of_memory();
  if (all_gather(&mine, sizeof mine, all) != 0) return -1;
  const struct introduction next = all[(self.rank + 1) % self.size];
  uint64_t found = 0;
  const struct iovec here = {&found, sizeof found}, there = {(void*)(uintptr_t)next.at, sizeof found};
  mine.may = process_vm_readv(next.id, &here, 1, &there, 1, 0) == sizeof found && found == magic;
  if (all_gather(&mine, sizeof mine, all) != 0) return -1;
  int all_may = self.size > 1;
  for (unsigned p = 0; p < self.size; ++p) all_may &= all[p].may;
  if (all_may) {
    self.ids = calloc(self.size, sizeof *self.ids);
    if (self.ids == NULL) return out_of_memory();
    for (unsigned p = 0; p < self.size; ++p) self.ids[p] = all[p].id;
  }
  free(all);
  return 0;
}

static struct offer* offer_of(unsigned from, unsigned to, unsigned tag) {
  return self.offers + ((size_t)from * self.size + to) * self.tags + tag;
}

/* Offers what is to be sent. Its place is in use where the last move of that tag has been copied, and not been looked at since. */
static void make_offer(struct move* m) {
  struct offer* const place = offer_of(self.rank, m->peer, m->tag);
  if (atomic_load_explicit(&place->state, memory_order_relaxed) != k_unused) return; /* only this process writes that */
  place->data = m->data;
  place->bytes = m->bytes;
  atomic_store_explicit(&place->state, k_offered, memory_order_release); /* pairs with find_offer() */
  m->offered = place;
}

static void find_offer(struct move* m) {
  struct offer* const place = offer_of(m->peer, self.rank, m->tag);
  if (atomic_load_explicit(&place->state, memory_order_acquire) == k_offered) m->offered = place; /* pairs with make_offer() */
}

/* Copies some of what is to be received. Returns 1 when all of it has come. */
static int copy_some(struct move* m) {
  if (m->offered == NULL) find_offer(m);
  if (m->offered == NULL) return 0;
  if (m->offered->bytes != m->bytes) return fail("bulk_receive", "a move is of another size than its place");
  const size_t left = m->bytes - m->moved, now = left < k_copied_at_once ? left : k_copied_at_once;
  const struct iovec here = {m->data + m->moved, now};
  const struct iovec there = {(void*)(uintptr_t)(m->offered->data + m->moved), now};
  const ssize_t copied = now == 0 ? 0 : process_vm_readv(self.ids[m->peer], &here, 1, &there, 1, 0);
  if (copied < 0 && errno == ESRCH) return 0; /* the sender has gone: the watch ends the job */
  if (copied < 0) return fail("process_vm_readv", strerror(errno));
  m->moved += (size_t)copied;
  if (m->moved != m->bytes) return 0;
  atomic_store_explicit(&m->offered->state, k_copied, memory_order_release); /* pairs with bulk_over() of the sender */
  return 1;
}

/* Finds the place of a slot, which is free. */
static struct move* free_move(const char* call, unsigned slot, int peer, unsigned tag) {
  if (self.ids == NULL || peer < 0 || (unsigned)peer >= self.size || tag >= self.tags) {
    (void)fail(call, "no such process or tag, or no bulk");
    return NULL;
  }
  if (slot >= self.move_slots) {
    const unsigned slots = slot < 16 ? 32 : 2 * slot;
    struct move* const all = realloc(self.moves, slots * sizeof *all);
    if (all == NULL) return (void)out_of_memory(), NULL;
    memset(all + self.move_slots, 0, (slots - self.move_slots) * sizeof *all);
    self.moves = all;
    self.move_slots = slots;
  }
  if (self.moves[slot].kind == k_no_move) return &self.moves[slot];
  (void)fail(call, "the slot is in use");
  return NULL;
}

static int bulk_send(unsigned slot, int to, unsigned tag, const void* data, size_t bytes) {
  struct move* const m = free_move("bulk_send", slot, to, tag);
  if (m == NULL) return -1;
  *m = (struct move){k_sends, (unsigned)to, tag, (unsigned char*)(uintptr_t)data, bytes, 0, NULL};
  make_offer(m);
  return 0;
}

static int bulk_receive(unsigned slot, int from, unsigned tag, void* buffer, size_t bytes) {
  struct move* const m = free_move("bulk_receive", slot, from, tag);
  if (m == NULL) return -1;
  *m = (struct move){k_receives, (unsigned)from, tag, buffer, bytes, 0, NULL};
  return 0;
}

static int bulk_over(unsigned slot) {
  if (slot >= self.move_slots || self.moves[slot].kind == k_no_move)
    return fail("bulk_over", "no such slot, or it is not in use");
  struct move* const m = &self.moves[slot];
  int over = 0;
  if (m->kind == k_receives) {
    over = copy_some(m);
  } else if (m->offered == NULL) {
    make_offer(m);
  } else if (atomic_load_explicit(&m->offered->state, memory_order_acquire) == k_copied) { /* pairs with copy_some() */
    atomic_store_explicit(&m->offered->state, k_unused, memory_order_relaxed);
    over = 1;
  }
  if (over == 1) m->kind = k_no_move;
  return over;
}

static int bulk_cancel(unsigned slot, int sends) {
  (void)sends;
  if (slot >= self.move_slots || self.moves[slot].kind == k_no_move)
    return fail("bulk_cancel", "no such slot, or it is not in use");
  struct move* const m = &self.moves[slot];
  if (m->kind == k_sends && m->offered != NULL)
    atomic_store_explicit(&m->offered->state, k_unused, memory_order_relaxed);
  m->kind = k_no_move;
  return 0;
}

static int open_transport(unsigned receive_slots, unsigned send_slots) {
  const long processes = number(NODE_JOB_SIZE), mine = number(NODE_JOB_RANK);
  const int memory = memory_of_job();
  const pid_t launcher = getppid();
  if (self.is_open) return fail("open", "the transport is open already");
  if (processes < 1 || processes > NODE_JOB_MOST || mine < 0 || mine >= processes || memory < 0)
    return fail("open", "expected a process that `gossamer run` has started, found no memory of a job: a program that a process of "
                        "a job starts needs GOSSAMER_TRANSPORT=none");
  self.size = (unsigned)processes;
  self.rank = (unsigned)mine;
  self.capacity = capacity_for(self.size);
  self.tags = tags_for(self.size);
  const size_t pairs = (size_t)self.size * self.size, exchange = (size_t)self.size * k_exchange_bytes;
  self.memory_bytes =
      NODE_JOB_HEAD_BYTES + exchange + pairs * (sizeof(struct ring) + self.capacity + self.tags * sizeof(struct offer));
  if (ftruncate(memory, (off_t)self.memory_bytes) != 0)
    return fail("open, memory of the job", errno == EFBIG ? "larger than ulimit -f permits" : strerror(errno));
  unsigned char* const at = mmap(NULL, self.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (at == MAP_FAILED) return fail("open, memory of the job", strerror(errno));
  close(memory);
  unsetenv(NODE_JOB_MEMORY);
  self.head = (struct node_job_head*)at;
  self.exchange = at + NODE_JOB_HEAD_BYTES;
  self.rings = (struct ring*)(self.exchange + exchange);
  self.bytes = (unsigned char*)(self.rings + pairs);
  self.offers = (struct offer*)(self.bytes + pairs * self.capacity);
  if (atomic_exchange_explicit(&self.head->joined[self.rank], 1, memory_order_relaxed) != 0) /* read by the launcher */
    return fail("open", "a process of this number has joined the job already: a program that a process of a job starts needs "
                        "GOSSAMER_TRANSPORT=none");
  self.receive_slots = receive_slots;
  self.send_slots = send_slots;
  self.receives = calloc(receive_slots + 1, sizeof *self.receives);
  self.sends = calloc(send_slots + 1, sizeof *self.sends);
  self.outgoing = calloc(self.size, sizeof *self.outgoing);
  self.filling = calloc(self.size, sizeof *self.filling);
  self.taken = calloc(self.size, sizeof *self.taken);
  if (self.receives == NULL || self.sends == NULL || self.outgoing == NULL || self.filling == NULL || self.taken == NULL)
    return out_of_memory();
  self.waiting.first = -1;
  for (unsigned p = 0; p < self.size; ++p) self.outgoing[p].first = self.filling[p] = -1;
  self.is_open = 1;
  if (barrier() != 0) return -1;
  if (ask_for_bulk() != 0) return -1;
  prctl(PR_SET_PDEATHSIG, 0); /* the watch looks after the launcher from its next step on */
  if (getppid() != launcher) raise(SIGTERM);
  return 0;
}

static int receive(unsigned slot, void* buffer, size_t bytes) {
  if (slot >= self.receive_slots || self.receives[slot].state != k_free)
    return fail("receive", "no such slot, or it is in use");
  self.receives[slot] = (struct slot){.state = k_waiting, .data = buffer, .bytes = bytes};
  append(&self.waiting, self.receives, (int)slot);
  return 0;
}

static int received(unsigned slot, int* from, size_t* bytes) {
  if (slot >= self.receive_slots || self.receives[slot].state == k_free)
    return fail("received", "no such slot, or it is not in use");
  struct slot* const s = &self.receives[slot];
  if (s->state != k_done && look_around() != 0) return -1;
  if (s->state != k_done) return 0;
  *from = (int)s->peer;
  *bytes = s->bytes;
  s->state = k_free;
  return 1;
}

static int send(unsigned slot, int to, const void* data, size_t bytes) {
  if (slot >= self.send_slots || self.sends[slot].state != k_free) return fail("send", "no such slot, or it is in use");
  if (to < 0 || (unsigned)to >= self.size) return fail("send", "no such process");
  self.sends[slot] =
      (struct slot){.state = k_waiting, .peer = (unsigned)to, .data = (unsigned char*)(uintptr_t)data, .bytes = bytes};
  append(&self.outgoing[to], self.sends, (int)slot);
  flush((unsigned)to);
  return 0;
}

static int sent(unsigned slot) {
  if (slot >= self.send_slots || self.sends[slot].state == k_free)
    return fail("sent", "no such slot, or it is not in use");
  struct slot* const s = &self.sends[slot];
  if (s->state != k_done) flush(s->peer);
  if (s->state != k_done) return 0;
  s->state = k_free;
  return 1;
}

static int cancel_receives(void) {
  for (int slot = self.waiting.first; slot >= 0; slot = self.receives[slot].next) self.receives[slot].state = k_free;
  self.waiting.first = -1;
  return 0;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The rings themselves, with nothing between: one side writes whole messages, the other reads them and answers the last. */
static int stream(unsigned from, unsigned to, size_t bytes, unsigned count, unsigned char* buffer) {
  const int sending = self.rank == from;
  for (unsigned done = 0; done <= count; ++done) {
    const int answers = done == count; /* the other way, empty */
    if (sending != answers) {
      struct slot s = {.state = k_waiting, .peer = sending ? to : from, .data = buffer, .bytes = answers ? 0 : bytes};
      while (!write_some(&s)) sched_yield();
    } else {
      const unsigned peer = sending ? to : from;
      struct ring* const r = ring_of(peer, self.rank);
      size_t left = sizeof(uint64_t) + (answers ? 0 : rounded(bytes));
      while (left > 0) {
        const uint64_t end = atomic_load_explicit(&r->written, memory_order_acquire);
        const size_t here = (size_t)(end - self.taken[peer]), now = here < left ? here : left;
        if (now == 0) {
          sched_yield();
          continue;
        }
        copy_out(r, self.taken[peer], buffer, now);
        self.taken[peer] += now;
        left -= now;
        atomic_store_explicit(&r->read, self.taken[peer], memory_order_release);
      }
    }
  }
  return 0;
}

static double plain_stream(int from, int to, size_t bytes, unsigned count) {
  const unsigned other = (unsigned)from == self.rank ? (unsigned)to : (unsigned)from;
  if (from == to || (self.rank != (unsigned)from && self.rank != (unsigned)to))
    return fail("plain_stream", "two different processes, and this is one of them, are expected");
  if (self.outgoing[other].first >= 0 || self.filling[other] >= 0)
    return fail("plain_stream", "other messages are under way");
  unsigned char* const buffer = calloc(1, rounded(bytes) + sizeof(uint64_t));
  if (buffer == NULL) return fail("plain_stream", "out of memory");
  const double start = seconds();
  stream((unsigned)from, (unsigned)to, bytes, count, buffer);
  free(buffer);
  return seconds() - start;
}

/* The launcher ends the others when it sees the exit code. */
static void abort_job(int code) { (void)code; }

static int close_transport(void) {
  if (!self.is_open) return 0;
  self.is_open = 0;
  munmap(self.head, self.memory_bytes);
  free(self.receives);
  free(self.sends);
  free(self.outgoing);
  free(self.filling);
  free(self.taken);
  free(self.moves);
  free(self.ids);
  self.moves = NULL;
  self.ids = NULL;
  self.move_slots = 0;
  return 0;
}

static void at_end(void (*ending)(void)) { (void)ending; }

static int outlive(int wanted) {
  if (!self.is_open) return 0;
  atomic_store_explicit(&self.head->survivor, wanted ? self.rank + 1 : 0, memory_order_relaxed); /* read by the launcher */
  return wanted;
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
