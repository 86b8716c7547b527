#include "calls.hpp"

#include <nanobind/nanobind.h>

namespace gossamer::python {

namespace nb = nanobind;

void wait_for(const std::shared_ptr<task>& work, when_interrupted then) {
  constexpr std::chrono::milliseconds k_look{50};  // for signals; an end is seen at once
  constexpr int k_patience = 20;
  int looked = 0;
  bool interrupted = false;
  {
    const nb::gil_scoped_release others;
    while (!work->wait_for(k_look)) {
      if (interrupted) {
        if (then == when_interrupted::leaves && ++looked > k_patience) break;
        continue;
      }
      const nb::gil_scoped_acquire gil;
      interrupted = PyErr_CheckSignals() != 0;
      if (interrupted && !work->cancel()) break;  // it never touches what the caller has
    }
  }
  if (interrupted) throw nb::python_error();
  work->rethrow();
}

}  // namespace gossamer::python
