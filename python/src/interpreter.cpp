#include "interpreter.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace gossamer::python {
namespace {

/// What threads pass on their way back. Never destroyed: some wait in it when the process ends.
struct gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  std::thread::id owner;  // the thread that has closed it
  unsigned coming = 0;  // threads that have passed and wait for the GIL

  bool keeps_out() const { return closed && owner != std::this_thread::get_id(); }
  [[noreturn]] void wait_for_ever(std::unique_lock<std::mutex>& lock) {
    for (;;) changed.wait(lock);
  }
};

gate* the_gate = new gate;

}  // namespace

void without_interpreter::come_back() const {
  gate& g = *the_gate;
  {
    std::unique_lock lock(g.mutex);
    if (g.keeps_out()) g.wait_for_ever(lock);
    ++g.coming;
  }
  PyEval_RestoreThread(state_);
  const std::scoped_lock lock(g.mutex);
  --g.coming;
  g.changed.notify_all();
}

void stay_away_at_exit() {
  gate& g = *the_gate;
  {
    const std::scoped_lock lock(g.mutex);
    if (!g.keeps_out()) return;
  }
  (void)PyEval_SaveThread();
  std::unique_lock lock(g.mutex);
  g.wait_for_ever(lock);
}

void leave_interpreter() {
  gate& g = *the_gate;
  PyThreadState* const state = PyEval_SaveThread();
  {
    std::unique_lock lock(g.mutex);
    g.closed = true;
    g.owner = std::this_thread::get_id();
    g.changed.wait(lock, [&] { return g.coming == 0; });
  }
  PyEval_RestoreThread(state);
}

void forget_threads() { the_gate = new gate; }

}  // namespace gossamer::python
