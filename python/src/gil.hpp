#pragma once
// Releases the GIL while a thread computes, and blocks threads that want it back when the interpreter ends. Python before 3.14 ends
// such a daemon thread by pthread_exit(). Frames of C++ are not unwound by that: the process is aborted (std::terminate).

#include <Python.h>

namespace gossamer::python {

/// Releases the GIL, and takes it again when it is destroyed. After begin_finalization() the destructor and with_gil() block for ever,
/// except in the thread that called it.
class gil_release {
 public:
  gil_release() : state_(PyEval_SaveThread()) {}
  ~gil_release() { take_gil(); }
  gil_release(const gil_release&) = delete;
  gil_release& operator=(const gil_release&) = delete;

  /// Calls f() with the GIL.
  template <class F>
  void with_gil(F f) {
    take_gil();
    f();
    state_ = PyEval_SaveThread();
  }

 private:
  void take_gil() const;

  PyThreadState* state_;
};

/// Blocks this thread for ever where another one has called begin_finalization(). With the GIL.
void block_in_finalization();

/// Blocks all other threads that want the GIL back. Waits until those that may still take it have it. Before the interpreter ends;
/// with the GIL.
void begin_finalization();

/// Forgets the threads of the parent process. In a forked child.
void forget_threads();

}  // namespace gossamer::python
