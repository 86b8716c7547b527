#pragma once
// Threads that leave the interpreter to compute, and what becomes of them when it ends. Python ends a daemon thread by pthread_exit() where
// it comes back too late, and frames of C++ are not unwound by that: the process would be aborted. So from leave_interpreter() on
// other threads stay away for ever, as Python 3.14 holds them itself.

#include <Python.h>

namespace gossamer::python {

/// Lets the interpreter go on while this thread computes: the GIL is released. After leave_interpreter() the destructor and visit() do not
/// return, except in the thread that called it.
class without_interpreter {
 public:
  without_interpreter() : state_(PyEval_SaveThread()) {}
  ~without_interpreter() { come_back(); }
  without_interpreter(const without_interpreter&) = delete;
  without_interpreter& operator=(const without_interpreter&) = delete;

  /// Calls f() with the GIL.
  template <class F>
  void visit(F f) {
    come_back();
    f();
    state_ = PyEval_SaveThread();
  }

 private:
  void come_back() const;

  PyThreadState* state_;
};

/// Holds this thread for ever where another one has called leave_interpreter(). With the GIL.
void stay_away_at_exit();

/// Keeps all other threads from coming back, and waits for those that are about to. Before the interpreter ends; with the GIL.
void leave_interpreter();

/// Forgets the threads of the parent: this process is a fork.
void forget_threads();

}  // namespace gossamer::python
