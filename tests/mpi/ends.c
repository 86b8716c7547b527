/* How a rank ends, and what may be called before and after: ends <kind>. */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static int rank, size, ended;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

__attribute__((constructor)) static void before(void) {
  int flag, other;
  MPI_Initialized(&flag);
  MPI_Finalized(&other);
  if (flag || other || pthread_mutex_lock(&mutex) != 0 || pthread_mutex_unlock(&mutex) != 0) abort();
}

static void after(void) {
  int flag;
  MPI_Finalized(&flag);
  if (flag && pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0 && rank == 0)
    printf("ok\n");
}

static void* exits(void* argument) {
  (void)argument;
  exit(3);
}

static void* counts(void* argument) {
  const long yields = (long)argument;
  if (yields % 2 != 0) pthread_detach(pthread_self());
  for (long i = 0; i < yields; ++i) sched_yield();
  pthread_mutex_lock(&mutex);
  ++ended;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* joins(void* argument) {
  void* result;
  CHECK(pthread_join(*(pthread_t*)argument, &result) == 0);
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (ended == 5) break;
    pthread_mutex_unlock(&mutex);
    sched_yield();
  }
  MPI_Finalize();
  return NULL;
}

static void* unlocks(void* argument) {
  (void)argument;
  CHECK(pthread_mutex_unlock(&checking) != 0 && pthread_mutex_unlock(&recursive) != 0);
  CHECK(pthread_mutex_unlock(&adaptive) == 0);
  return NULL;
}

static void* locks_and_sets(void* argument) {
  pthread_mutex_lock(&mutex);
  *(volatile int*)argument = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

/* Holds the mutex at every switch, and takes it again at once. */
static void* holds(void* argument) {
  int flag;
  for (int go = 1; go;) {
    pthread_mutex_lock(&mutex);
    go = !*(volatile int*)argument;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

/* Calls a function that has nothing to wait for until another thread, which is made for it, has set a variable. */
static void lets_others_run(void (*call)(void)) {
  volatile int set = 0;
  pthread_t other;
  pthread_create(&other, NULL, locks_and_sets, (void*)&set);
  while (!set) call();
  pthread_join(other, NULL);
}
static void try_lock(void) {
  CHECK(pthread_mutex_trylock(&adaptive) == 0 && pthread_mutex_unlock(&adaptive) == 0);
}
static void test_null(void) {
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 0;
  CHECK(MPI_Test(&none, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag);
}
static void test_none(void) {
  int flag = 0;
  CHECK(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS && flag);
}
static void test_sent(void) {
  static int value = 3;
  int flag = 0, got = 0;
  MPI_Request send;
  MPI_Isend(&value, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &send);
  while (!flag) MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&got, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got == 3);
}
static void probe_none(void) {
  int flag = 0;
  CHECK(MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag);
}

static pthread_t first;

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "";
  pthread_t thread;
  atexit(after);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  if (strcmp(kind, "exit") == 0) { /* of a thread: the second one is on another core where there are two */
    pthread_create(&first, NULL, counts, (void*)0);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, exits, NULL);
    pthread_join(thread, NULL);
    return 4;
  }
  if (strcmp(kind, "pthread-exit") == 0) { /* threads that end joined, detached by themselves, or neither */
    pthread_create(&first, NULL, counts, (void*)2);
    pthread_create(&thread, NULL, joins, &first);
    for (long i = 3; i < 7; ++i) pthread_create(&thread, NULL, counts, (void*)i);
    pthread_exit(NULL);
  }
  if (strcmp(kind, "mutex") == 0) {
    volatile int set = 0;
    CHECK(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
    CHECK(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) != 0);
    CHECK(pthread_mutex_lock(&adaptive) == 0 && pthread_mutex_trylock(&adaptive) != 0);
    pthread_create(&thread, NULL, unlocks, NULL);
    pthread_join(thread, NULL);
    CHECK(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    CHECK(pthread_mutex_unlock(&recursive) != 0 && pthread_mutex_unlock(&checking) == 0);
    /* A loop of trylock() that fails lets others run. */
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, counts, (void*)0);
    sched_yield();
    CHECK(pthread_mutex_lock(&adaptive) == 0);
    pthread_create(&first, NULL, locks_and_sets, (void*)&set);
    pthread_mutex_unlock(&mutex);
    while (!set) CHECK(pthread_mutex_trylock(&adaptive) != 0);
    pthread_join(first, NULL);
    pthread_join(thread, NULL);
  }
  if (strcmp(kind, "fair") == 0) { /* who waits for a mutex gets it, though another one locks it again at once */
    volatile int stop = 0;
    pthread_create(&thread, NULL, holds, (void*)&stop);
    sched_yield();
    CHECK(pthread_mutex_lock(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_lock(&mutex) == 0);
    stop = 1;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, NULL);
    CHECK(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_mutex_destroy(&mutex) == 0);
  }
  if (strcmp(kind, "polls") == 0) {
    lets_others_run(try_lock);
    lets_others_run(test_null);
    lets_others_run(test_none);
    lets_others_run(test_sent);
    lets_others_run(probe_none);
  }
  if (strcmp(kind, "probe") == 0) { /* a loop of MPI_Iprobe() that finds the wrong message lets others run */
    volatile int set = 0;
    int flag;
    MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    pthread_create(&thread, NULL, locks_and_sets, (void*)&set);
    do MPI_Iprobe(rank, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    while (!flag || !set);
    MPI_Recv(&flag, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
  }
  if (strcmp(kind, "leave") ==
      0) { /* a message leaves, though its sender blocks in a call of the system: through a FIFO */
    char byte = 'x';
    FILE* pipe;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      MPI_Send(&byte, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      CHECK((pipe = fopen(argv[2], "r")) != NULL && fgetc(pipe) == 'y');
      fclose(pipe);
    } else if (rank == 1) {
      MPI_Recv(&byte, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK((pipe = fopen(argv[2], "w")) != NULL && fputc('y', pipe) == 'y');
      fclose(pipe);
    }
  }
  if (strcmp(kind, "truncate") == 0) { /* blocks of different sizes, all of them awaited */
    static char own[40000], all[400000];
    const int bytes = rank == 1 ? 40000 : 20000;
    MPI_Status status = {.MPI_ERROR = 77};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int result = MPI_Gather(own, bytes, MPI_CHAR, all, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(result == (rank == 0 && size > 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
    MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Alltoall(all, bytes, MPI_CHAR, all + 200000, bytes, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(own, 40000, MPI_CHAR, rank, 1, own, 3, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_ERROR == 77);
    MPI_Sendrecv(own, 3, MPI_CHAR, rank, 1, own, 3, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_ERROR == 77);
  }
  MPI_Finalize();
  return 0;
}
