// The functions that threads.h puts in place of those of <pthread.h>. A thread is a fiber; with several cores in the process they
// take turns (GOSSAMER_CORES), and a fiber stays on its core. What fibers wait for lies in the program's own pthread
// objects, whose initialisers are zero bytes, and is used on the home core only: fibers of other cores travel there.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>

#include <pthread.h>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/mpi/internal/engine.hpp"
#include "gossamer/mpi/internal/home.hpp"
#include "gossamer/mpi/internal/thread_end.hpp"

extern "C" {
int gossamer_pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*run)(void*),
                            void* argument);
int gossamer_pthread_join(pthread_t thread, void** result);
int gossamer_pthread_detach(pthread_t thread);
pthread_t gossamer_pthread_self();
int gossamer_pthread_equal(pthread_t a, pthread_t b);
[[noreturn]] void gossamer_pthread_exit(void* result);
int gossamer_pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes);
int gossamer_pthread_mutex_destroy(pthread_mutex_t* m);
int gossamer_pthread_mutex_lock(pthread_mutex_t* m);
int gossamer_pthread_mutex_trylock(pthread_mutex_t* m);
int gossamer_pthread_mutex_unlock(pthread_mutex_t* m);
int gossamer_pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes);
int gossamer_pthread_cond_destroy(pthread_cond_t* c);
int gossamer_pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m);
int gossamer_pthread_cond_signal(pthread_cond_t* c);
int gossamer_pthread_cond_broadcast(pthread_cond_t* c);
int gossamer_pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes,
                                  unsigned fibers);
int gossamer_pthread_barrier_destroy(pthread_barrier_t* b);
int gossamer_pthread_barrier_wait(pthread_barrier_t* b);
int gossamer_sched_yield();
}

namespace gossamer::mpi {
namespace {

/// A thread until it was joined, or has ended detached. Home core.
struct thread {
  std::uint64_t id;
  void* (*run)(void*);
  void* argument;
  void* result = nullptr;
  bool ended = false;
  bool detached = false;
  bool joined = false;  // a fiber waits for it
  fiber::wait_queue waiter;
};

/// Thrown by pthread_exit() through the frames of the thread.
struct thread_exit {
  void* result;
};

struct thread_table {
  std::unordered_map<std::uint64_t, std::unique_ptr<thread>> live;
  std::uint64_t last_id = 1;  // 1 is the main fiber
  unsigned next_core = 0;  // of the process
  std::size_t running = 0;  // detached ones, too
  fiber::wait_queue none_runs;
};
thread_table& table() {
  static thread_table all;
  return all;
}

void thread_entry(void* argument) {
  auto* const t = static_cast<thread*>(argument);
  void* result = nullptr;
  try {
    result = t->run(t->argument);
  } catch (const thread_exit& end) {
    result = end.result;
  }
  at_home([&] {
    t->result = result;
    t->ended = true;
    if (t->detached)
      table().live.erase(t->id);
    else
      t->waiter.wake_all();
    if (--table().running == 0) table().none_runs.wake_all();
  });
}

bool start_here(thread* t) {
  return fiber::scheduler::current()->start(&thread_entry, t, "a thread", fiber::stack_class::regular) !=
         nullptr;
}

/// Starts a thread on another core; answers whether there was a stack for it.
struct start_thread {
  thread* t;
  bool operator()() const { return start_here(t); }
};

/// Returns the thread that calls; null for the main fiber.
thread* own() {
  const auto* const core = fiber::scheduler::current();
  const fiber::fiber* const f = core != nullptr ? core->running() : nullptr;
  return f != nullptr && f->entry == &thread_entry ? static_cast<thread*>(f->argument) : nullptr;
}

// What lies in the program's objects: zero bytes are a valid first state.

struct mutex_state {
  fiber::wait_queue waiters;
  int kind;  // where the initialisers of other kinds put it
  std::uint32_t depth;
  const fiber::fiber* owner;
  bool is_passed;  // unlocked, and on its way to the fiber that waited longest: no other one may take it

  bool is_free() const { return owner == nullptr && !is_passed; }
};
#ifdef __GLIBC__
static_assert(offsetof(mutex_state, kind) == offsetof(pthread_mutex_t, __data.__kind));
#endif
struct condition_state {
  fiber::wait_queue waiters;
};
struct barrier_state {
  fiber::wait_queue waiters;
  std::uint32_t fibers;
  std::uint32_t arrived;
};

template <class State, class Object>
State& state_of(Object* o) {
  static_assert(sizeof(State) <= sizeof(Object) && alignof(State) <= alignof(Object));
  return *std::launder(reinterpret_cast<State*>(o));
}

// On the home core, for fiber `caller` of any core.

int lock(mutex_state& m, const fiber::fiber* caller, const char* reason) {
  if (m.owner == caller && m.kind == PTHREAD_MUTEX_RECURSIVE) {
    ++m.depth;
    return 0;
  }
  if (m.owner == caller && m.kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (!m.is_free()) {
    m.waiters.wait(reason);  // woken by unlock(), which passes the mutex
    m.is_passed = false;
  }
  m.owner = caller;
  m.depth = 1;
  return 0;
}

int unlock(mutex_state& m, const fiber::fiber* caller) {
  const bool checks = m.kind == PTHREAD_MUTEX_RECURSIVE || m.kind == PTHREAD_MUTEX_ERRORCHECK;
  if (m.owner == nullptr || (checks && m.owner != caller)) return EPERM;
  if (--m.depth > 0) return 0;
  m.owner = nullptr;
  m.is_passed = m.waiters.wake_one();
  return 0;
}

/// Returns whether main() has not begun or has ended: constructors, destructors and handlers of atexit() are the only threads,
/// and lock in vain.
bool outside_program() { return engine::of_process() == nullptr && fiber::scheduler::current() == nullptr; }

/// Runs f(the fiber that calls) on the home core and returns its result.
template <class F>
int home_call(F f) {
  const fiber::fiber* const caller = fiber::scheduler::inside("a function of threads.h").running();
  int result = 0;
  at_home([&] { result = f(caller); });
  return result;
}

}  // namespace

void wait_for_threads() {
  while (table().running != 0) table().none_runs.wait("the end of all threads");
}

bool is_thread_exit(const std::exception_ptr& what) {
  try {
    std::rethrow_exception(what);
  } catch (const thread_exit&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace gossamer::mpi

using namespace gossamer;
using namespace gossamer::mpi;

int gossamer_pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*run)(void*),
                            void* argument) {
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) (void)pthread_attr_getdetachstate(attributes, &detached);
  return home_call([&](const fiber::fiber*) {
    thread_table& all = table();
    const std::uint64_t id = ++all.last_id;
    auto& t = all.live[id];
    t = std::make_unique<thread>(thread{.id = id, .run = run, .argument = argument, .waiter = {}});
    t->detached = detached == PTHREAD_CREATE_DETACHED;
    *made = id;
    ++all.running;
    const core_id to = first_core(process()) + all.next_core;
    all.next_core = (all.next_core + 1) % cores_per_process();
    const bool started =
        to == here() ? start_here(t.get()) : message::remote_call<bool>(to, start_thread{t.get()});
    if (started) return 0;
    if (--all.running == 0) all.none_runs.wake_all();
    all.live.erase(id);
    return EAGAIN;
  });
}

int gossamer_pthread_join(pthread_t id, void** result) {
  return home_call([&](const fiber::fiber*) {
    auto& live = table().live;
    const auto found = live.find(id);
    if (found == live.end()) return ESRCH;
    thread& t = *found->second;
    if (t.detached || t.joined) return EINVAL;
    t.joined = true;
    while (!t.ended) t.waiter.wait("pthread_join: the end of a thread");
    if (result != nullptr) *result = t.result;
    live.erase(id);
    return 0;
  });
}

int gossamer_pthread_detach(pthread_t id) {
  return home_call([&](const fiber::fiber*) {
    auto& live = table().live;
    const auto found = live.find(id);
    if (found == live.end()) return ESRCH;
    if (found->second->detached || found->second->joined) return EINVAL;
    found->second->detached = true;
    if (found->second->ended) live.erase(found);
    return 0;
  });
}

pthread_t gossamer_pthread_self() {
  const thread* const t = own();
  return t != nullptr ? t->id : 1;
}

int gossamer_pthread_equal(pthread_t a, pthread_t b) { return a == b ? 1 : 0; }

void gossamer_pthread_exit(void* result) { throw thread_exit{result}; }

int gossamer_pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) {
  int kind = PTHREAD_MUTEX_DEFAULT;
  if (attributes != nullptr) (void)pthread_mutexattr_gettype(attributes, &kind);
  auto* const state = new (m) mutex_state{};
  state->kind = kind;
  return 0;
}

int gossamer_pthread_mutex_destroy(pthread_mutex_t* m) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber*) { return state_of<mutex_state>(m).is_free() ? 0 : EBUSY; });
}

int gossamer_pthread_mutex_lock(pthread_mutex_t* m) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber* caller) {
    return lock(state_of<mutex_state>(m), caller, "pthread_mutex_lock");
  });
}

int gossamer_pthread_mutex_trylock(pthread_mutex_t* m) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber* caller) {
    auto& state = state_of<mutex_state>(m);
    const bool again = state.owner == caller && state.kind == PTHREAD_MUTEX_RECURSIVE;
    fiber::scheduler::current()->yield();  // a loop of trylock() lets others run, whether it locks or not
    return again || state.is_free() ? lock(state, caller, "pthread_mutex_trylock") : EBUSY;
  });
}

int gossamer_pthread_mutex_unlock(pthread_mutex_t* m) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber* caller) { return unlock(state_of<mutex_state>(m), caller); });
}

int gossamer_pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t*) {
  new (c) condition_state{};
  return 0;
}

int gossamer_pthread_cond_destroy(pthread_cond_t* c) {
  if (outside_program()) return 0;
  return home_call(
      [&](const fiber::fiber*) { return state_of<condition_state>(c).waiters.empty() ? 0 : EBUSY; });
}

int gossamer_pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return home_call([&](const fiber::fiber* caller) {
    auto& mutex = state_of<mutex_state>(m);
    if (const int refused = unlock(mutex, caller); refused != 0) return refused;
    state_of<condition_state>(c).waiters.wait("pthread_cond_wait");
    return lock(mutex, caller, "pthread_cond_wait: its mutex");
  });
}

int gossamer_pthread_cond_signal(pthread_cond_t* c) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber*) {
    state_of<condition_state>(c).waiters.wake_one();
    return 0;
  });
}

int gossamer_pthread_cond_broadcast(pthread_cond_t* c) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber*) {
    state_of<condition_state>(c).waiters.wake_all();
    return 0;
  });
}

int gossamer_pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t*, unsigned fibers) {
  if (fibers == 0) return EINVAL;
  new (b) barrier_state{{}, fibers, 0};
  return 0;
}

int gossamer_pthread_barrier_destroy(pthread_barrier_t* b) {
  if (outside_program()) return 0;
  return home_call([&](const fiber::fiber*) { return state_of<barrier_state>(b).arrived == 0 ? 0 : EBUSY; });
}

int gossamer_pthread_barrier_wait(pthread_barrier_t* b) {
  return home_call([&](const fiber::fiber*) {
    auto& state = state_of<barrier_state>(b);
    if (++state.arrived < state.fibers) {
      state.waiters.wait("pthread_barrier_wait");
      return 0;
    }
    state.arrived = 0;
    state.waiters.wake_all();
    return PTHREAD_BARRIER_SERIAL_THREAD;
  });
}

int gossamer_sched_yield() {
  fiber::scheduler::inside("sched_yield").yield();
  return 0;
}
