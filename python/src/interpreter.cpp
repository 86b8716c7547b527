#include "interpreter.hpp"

#include <atomic>
#include <mutex>

namespace gossamer::python {
namespace {

/// What threads pass on their way back. Never destroyed: some wait in it when the process ends.
struct gate {
  std::mutex mutex;
  bool closed = false;  // under mutex
  PyThreadState* owner = nullptr;  // under mutex: the thread that has closed it
  std::atomic<unsigned> coming{0};  // threads that have passed and wait for the GIL; grows under mutex
  std::atomic<bool> opened{false};  // never

  bool keeps_out(const PyThreadState* thread) {
    const std::scoped_lock lock(mutex);
    if (closed && owner != thread) return true;
    ++coming;
    return false;
  }
  void passed() {
    --coming;
    coming.notify_all();
  }
};

gate* the_gate = new gate;

}  // namespace

void without_interpreter::come_back() const {
  gate& g = *the_gate;
  if (g.keeps_out(state_)) g.opened.wait(false);
  PyEval_RestoreThread(state_);
  g.passed();
}

void stay_away_at_exit() {
  gate& g = *the_gate;
  if (!g.keeps_out(PyThreadState_Get())) return g.passed();
  (void)PyEval_SaveThread();
  g.opened.wait(false);
}

void leave_interpreter() {
  gate& g = *the_gate;
  PyThreadState* const thread = PyEval_SaveThread();
  {
    const std::scoped_lock lock(g.mutex);
    g.closed = true;
    g.owner = thread;
  }
  for (unsigned n = g.coming; n != 0; n = g.coming) g.coming.wait(n);
  PyEval_RestoreThread(thread);
}

void forget_threads() { the_gate = new gate; }

}  // namespace gossamer::python
