/* Threads of an existing program: threads <number> <rounds>. Pairs of threads of ranks 0 and 1 send a token to and fro, after they
   have met by a condition variable; a mutex guards a count; a barrier lets all end together. */
#include <pthread.h>
#include <sched.h>

#include "check.h"

static int rank, size, number, rounds, ready;
static long counted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static void* exchange(void* argument) {
  const int own = (int)(long)argument, partner = (rank + 1) % size;
  pthread_mutex_lock(&mutex);
  if (++ready == number) pthread_cond_broadcast(&condition);
  while (ready < number) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < rounds; ++i) {
    int token = own * 1000 + i, came = -1;
    MPI_Status status;
    if (rank == 0) {
      MPI_Send(&token, 1, MPI_INT, partner, own, MPI_COMM_WORLD);
      MPI_Recv(&came, 1, MPI_INT, partner, own, MPI_COMM_WORLD, &status);
      CHECK(came == token + 1);
    } else if (rank == 1) {
      MPI_Recv(&came, 1, MPI_INT, 0, own, MPI_COMM_WORLD, &status);
      CHECK(came == token);
      ++came;
      MPI_Send(&came, 1, MPI_INT, 0, own, MPI_COMM_WORLD);
    }
    pthread_mutex_lock(&mutex);
    const long before = counted;
    if (i % 16 == 0) sched_yield();
    counted = before + 1;
    pthread_mutex_unlock(&mutex);
  }
  const int last = pthread_barrier_wait(&barrier);
  if (own % 2 == 0) pthread_exit((void*)(long)(own + (last == PTHREAD_BARRIER_SERIAL_THREAD ? 1000000 : 0)));
  return (void*)(long)(own + (last == PTHREAD_BARRIER_SERIAL_THREAD ? 1000000 : 0));
}

static void* detached(void* argument) {
  (void)argument;
  CHECK(!pthread_equal(pthread_self(), *(pthread_t*)argument));
  return NULL;
}

int main(int argc, char** argv) {
  int provided, last = 0;
  pthread_t self = pthread_self(), other;
  pthread_attr_t attributes;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  number = atoi(argv[1]);
  rounds = atoi(argv[2]);
  pthread_t* threads = malloc((size_t)number * sizeof *threads);
  pthread_barrier_init(&barrier, NULL, (unsigned)number);
  for (long i = 0; i < number; ++i) CHECK(pthread_create(&threads[i], NULL, exchange, (void*)i) == 0);
  for (int i = 0; i < number; ++i) {
    void* result;
    CHECK(pthread_join(threads[i], &result) == 0);
    CHECK((long)result % 1000000 == i);
    last += (long)result >= 1000000;
  }
  CHECK(last == 1);
  CHECK(counted == (long)number * rounds);
  CHECK(pthread_join(threads[0], NULL) != 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  CHECK(pthread_create(&other, &attributes, detached, &self) == 0);
  sched_yield();
  CHECK(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_trylock(&mutex) != 0 && pthread_mutex_unlock(&mutex) == 0);
  CHECK(pthread_mutex_destroy(&mutex) == 0 && pthread_cond_destroy(&condition) == 0 && pthread_barrier_destroy(&barrier) == 0);
  free(threads);
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
