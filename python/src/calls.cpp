#include "calls.hpp"

#include <nanobind/nanobind.h>

#include "gil.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::python {

namespace nb = nanobind;

void wait_for(const std::shared_ptr<task>& work, when_interrupted then) {
  constexpr std::chrono::milliseconds k_look{50};  // for signals; an end is seen at once
  constexpr int k_patience = 20;
  int looked = 0;
  bool interrupted = false;
  {
    gil_release others;
    while (!work->wait_for(k_look)) {
      if (interrupted) {
        if (then == when_interrupted::leaves && ++looked > k_patience) break;
        continue;
      }
      others.with_gil([&] { interrupted = PyErr_CheckSignals() != 0; });
      if (interrupted && !work->cancel()) break;  // it never touches what the caller has
    }
  }
  if (interrupted) throw nb::python_error();
  work->rethrow();
}

void submit(const std::shared_ptr<task>& work) {
  block_in_finalization();
  host::instance().submit(work);
}

void compute(std::function<void()> f) {
  (void)call([f = std::move(f)](const graph::progress_hook&) {
    f();
    return true;
  });
}

void for_chunks(std::uint64_t n, std::uint64_t grain,
                const std::function<void(std::uint64_t begin, std::uint64_t end)>& f) {
  local::forall_chunks(0, n, grain,
                       [run = &f](std::uint64_t begin, std::uint64_t end) { (*run)(begin, end); });
}

}  // namespace gossamer::python
