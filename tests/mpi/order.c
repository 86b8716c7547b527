/* Random traffic against a serial oracle of MPI's order: order <seed> <messages of a pair> <rounds>
   All ranks know the messages of every pair. Each receive, in the order in which it was posted, must get the first message of
   its source that fits and was not received yet. */
#include <string.h>

#include "check.h"

#define TAGS 3
#define LARGEST 20000
#define WINDOW 8
#define SMALL 72

typedef struct {
  int tag, comm, bytes, taken;
} message;

static int rank, size, count;
static message* plan; /* [source][i]: to this rank */
static MPI_Comm comms[2];

static message* draw_plan(unsigned long seed, int to) {
  message* all = calloc((size_t)(size * count), sizeof *all);
  for (int from = 0; from < size; ++from) {
    unsigned long state = seed * 1000003 + (unsigned long)(from * size + to);
    for (int i = 0; i < count; ++i) {
      message* m = &all[from * count + i];
      m->tag = (int)draw(&state, TAGS);
      m->comm = (int)draw(&state, 2);
      m->bytes = 8 + (int)(draw(&state, 4) == 0 ? draw(&state, LARGEST - 8) : draw(&state, 64));
    }
  }
  return all;
}

typedef struct {
  int source, tag, comm;
} pattern;

static int fits(const pattern* p, int source, const message* m) {
  return p->comm == m->comm && (p->source == MPI_ANY_SOURCE || p->source == source) &&
         (p->tag == MPI_ANY_TAG || p->tag == m->tag);
}
static int overlap(const pattern* a, const pattern* b) {
  return a->comm == b->comm && (a->source == b->source || a->source == MPI_ANY_SOURCE || b->source == MPI_ANY_SOURCE) &&
         (a->tag == b->tag || a->tag == MPI_ANY_TAG || b->tag == MPI_ANY_TAG);
}
/* Whether every receive of the window finds a message, whichever messages the others take. */
static int can_end(const pattern* window, int n) {
  for (int i = 0; i < n; ++i) {
    int others = 0, messages = 0;
    for (int j = 0; j < n; ++j) others += overlap(&window[i], &window[j]);
    for (int s = 0; s < size; ++s)
      for (int k = 0; k < count; ++k) messages += !plan[s * count + k].taken && fits(&window[i], s, &plan[s * count + k]);
    if (messages < others) return 0;
  }
  return 1;
}

static void check_received(const pattern* p, const MPI_Status* status, const char* data) {
  int number, bytes;
  memcpy(&number, data, sizeof number);
  MPI_Get_count(status, MPI_CHAR, &bytes);
  for (int i = 0; i < count; ++i) {
    message* m = &plan[status->MPI_SOURCE * count + i];
    if (m->taken || !fits(p, status->MPI_SOURCE, m)) continue;
    if (number != i || m->tag != status->MPI_TAG || m->bytes != bytes)
      fprintf(stderr, "rank %d: received message %d of rank %d (tag %d, %d bytes), expected %d (tag %d, %d bytes)\n", rank, number,
              status->MPI_SOURCE, status->MPI_TAG, bytes, i, m->tag, m->bytes);
    CHECK(number == i && m->tag == status->MPI_TAG && m->bytes == bytes);
    for (int b = 8; b < bytes; ++b) CHECK(data[b] == (char)(b * 7 + number + status->MPI_SOURCE));
    m->taken = 1;
    return;
  }
  CHECK(!"a message that was not sent");
}

static int draw_window(pattern* window, int wanted, unsigned long* state) {
  int n = 0;
  for (int tries = 0; tries < 40 && n < wanted; ++tries) {
    window[n] = (pattern){draw(state, 3) == 0 ? MPI_ANY_SOURCE : (int)draw(state, (unsigned)size),
                          draw(state, 3) == 0 ? MPI_ANY_TAG : (int)draw(state, TAGS), (int)draw(state, 2)};
    n += can_end(window, n + 1);
  }
  for (int c = 0; c < 2 && n == 0; ++c) {
    window[0] = (pattern){MPI_ANY_SOURCE, MPI_ANY_TAG, c};
    n = can_end(window, 1);
  }
  return n;
}

static void post(const pattern* window, int n, char* data, MPI_Request* requests) {
  for (int i = 0; i < n; ++i)
    MPI_Irecv(data + i * LARGEST, LARGEST, MPI_CHAR, window[i].source, window[i].tag, comms[window[i].comm], &requests[i]);
}

static int finish(const pattern* window, int n, const char* data, MPI_Request* requests) {
  MPI_Status statuses[WINDOW];
  MPI_Waitall(n, requests, statuses);
  for (int i = 0; i < n; ++i) check_received(&window[i], &statuses[i], data + i * LARGEST);
  return n;
}

static void run_round(unsigned long seed, int receives_first) {
  plan = draw_plan(seed, rank);
  message** plans = malloc((size_t)size * sizeof *plans);
  for (int to = 0; to < size; ++to) plans[to] = draw_plan(seed, to);
  const int all = size * count;
  int sent = 0, received = 0, early = 0;
  int* next = calloc((size_t)size, sizeof *next); /* next[to]: messages to that rank that have been started */
  MPI_Request* sends = malloc((size_t)all * sizeof *sends);
  char** buffers = malloc((size_t)all * sizeof *buffers);
  char* data = malloc((size_t)WINDOW * LARGEST);
  unsigned long state = seed * 77 + (unsigned long)rank;
  pattern window[WINDOW];
  MPI_Request requests[WINDOW];
  if (receives_first) {
    early = draw_window(window, WINDOW, &state);
    post(window, early, data, requests);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  while (received < all || sent < all) {
    int burst = received == all || early > 0 ? all : sent < all ? (int)draw(&state, 20) : 0;
    for (; burst > 0 && sent < all; --burst) {
      int to = (int)draw(&state, (unsigned)size);
      while (next[to] == count) to = (to + 1) % size;
      const int number = next[to]++;
      const message* m = &plans[to][rank * count + number];
      char* buffer = malloc((size_t)m->bytes);
      memset(buffer, 0, 8);
      memcpy(buffer, &number, sizeof number);
      for (int b = 8; b < m->bytes; ++b) buffer[b] = (char)(b * 7 + number + rank);
      buffers[sent] = buffer;
      sends[sent] = MPI_REQUEST_NULL;
      if (m->bytes <= SMALL && draw(&state, 2)) /* is kept by its receiver, so that this rank goes on */
        MPI_Send(buffer, m->bytes, MPI_CHAR, to, m->tag, comms[m->comm]);
      else
        MPI_Isend(buffer, m->bytes, MPI_CHAR, to, m->tag, comms[m->comm], &sends[sent]);
      ++sent;
    }
    if (early > 0) {
      received += finish(window, early, data, requests);
      early = 0;
    } else if (sent < all) { /* a receive that waits might wait for a rank that waits for this one: take what is there */
      int flag;
      pattern p = {draw(&state, 2) ? MPI_ANY_SOURCE : (int)draw(&state, (unsigned)size),
                   draw(&state, 2) ? MPI_ANY_TAG : (int)draw(&state, TAGS), (int)draw(&state, 2)};
      MPI_Status status;
      MPI_Iprobe(p.source, p.tag, comms[p.comm], &flag, &status);
      if (!flag) continue;
      if (draw(&state, 2)) p.source = status.MPI_SOURCE; /* the same message: the first of its source that fits */
      MPI_Recv(data, LARGEST, MPI_CHAR, p.source, p.tag, comms[p.comm], &status);
      check_received(&p, &status, data);
      ++received;
    } else {
      const int n = draw_window(window, 1 + (int)draw(&state, WINDOW), &state);
      post(window, n, data, requests);
      received += finish(window, n, data, requests);
    }
  }
  MPI_Waitall(all, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < all; ++i) free(buffers[i]);
  for (int to = 0; to < size; ++to) free(plans[to]);
  free(plans), free(plan), free(next), free(sends), free(buffers), free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const unsigned long seed = strtoul(argv[1], NULL, 10);
  const int rounds = atoi(argv[3]);
  count = atoi(argv[2]);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  for (int r = 0; r < rounds; ++r) run_round(seed + (unsigned long)r, r % 2 == 0);
  MPI_Comm_free(&comms[1]);
  CHECK(comms[1] == MPI_COMM_NULL);
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
