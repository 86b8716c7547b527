#include "gil.hpp"

#include <atomic>
#include <mutex>

namespace gossamer::python {
namespace {

/// Which threads may take the GIL. Never destroyed: threads block in it when the process ends.
class finalization {
 public:
  /// Blocks for ever unless this thread may take the GIL. The caller calls end_take() when it has it.
  void begin_take(const PyThreadState* thread) {
    if (!may_take(thread)) block();
  }
  void end_take() {
    --taking_;
    taking_.notify_all();
  }
  /// Counts a thread that may take the GIL.
  bool may_take(const PyThreadState* thread) {
    const std::scoped_lock lock(mutex_);
    if (begun_ && owner_ != thread) return false;
    ++taking_;  // begin() reads it after it has held the mutex, so it misses none
    return true;
  }
  [[noreturn]] void block() {
    for (;;) never_.wait(false);
  }
  void begin(const PyThreadState* thread) {
    {
      const std::scoped_lock lock(mutex_);
      begun_ = true;
      owner_ = thread;
    }
    for (unsigned n = taking_; n != 0; n = taking_) taking_.wait(n);
  }

 private:
  std::mutex mutex_;
  bool begun_ = false;  // under mutex_
  const PyThreadState* owner_ = nullptr;  // under mutex_: the thread that ends the interpreter
  std::atomic<unsigned> taking_{0};  // threads that may take the GIL and have not said that they have it
  std::atomic<bool> never_{false};
};

finalization* the_finalization = new finalization;

}  // namespace

void gil_release::take_gil() const {
  finalization& f = *the_finalization;
  f.begin_take(state_);
  PyEval_RestoreThread(state_);
  f.end_take();
}

void block_in_finalization() {
  finalization& f = *the_finalization;
  if (f.may_take(PyThreadState_Get())) return f.end_take();
  (void)PyEval_SaveThread();
  f.block();
}

void begin_finalization() {
  PyThreadState* const thread = PyEval_SaveThread();
  the_finalization->begin(thread);
  PyEval_RestoreThread(thread);
}

void forget_threads() { the_finalization = new finalization; }

}  // namespace gossamer::python
