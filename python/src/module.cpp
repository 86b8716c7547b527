// The module gossamer._core: what the Python package needs of the library. People use the package around it; names and units here
// are the library's.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gil.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "host.hpp"

namespace nb = nanobind;

namespace gossamer::python {
namespace {

PyObject* job_error = nullptr;  // the class JobError; the module keeps it

/// Raises an exception; bytes of its text that are no UTF-8 (names of files, labels) are replaced.
void raise(PyObject* type, const char* what) {
  PyObject* const text = PyUnicode_DecodeUTF8(what, static_cast<Py_ssize_t>(std::strlen(what)), "replace");
  if (text != nullptr) PyErr_SetObject(type, nb::steal(text).ptr());
}

void translate(const std::exception_ptr& p, void*) {
  try {
    std::rethrow_exception(p);
  } catch (const no_job& e) {
    raise(job_error, e.what());
  } catch (const interrupted&) {
    raise(job_error, "the runtime was ended while it computed");
  } catch (const cancelled&) {
    raise(job_error, "the runtime was ended while it computed");
  } catch (const machine::out_of_memory& e) {
    raise(PyExc_MemoryError, e.what());
  } catch (const runtime_ended& e) {
    raise(job_error, e.what());
  } catch (const error& e) {
    raise(PyExc_ValueError, e.what());
  }
}

bool join() {
  const gil_release others;
  return host::instance().join();
}

/// Works for process 0. Does not return: the interpreter ends with the job.
void serve() {
  int code = 0;
  {
    const gil_release others;
    code = host::instance().serve();
  }
  nb::set_leak_warnings(false);  // frames of the import still hold objects
  Py_Exit(code);
}

void stop() {
  const gil_release others;
  host::instance().stop();
}

/// Ends the cores before the interpreter's own end. `code`: it will not call exit(), and ends with that code.
void leave(bool has_threads, std::optional<int> code) {
  if (has_threads) nb::set_leak_warnings(false);  // their frames hold objects
  begin_finalization();
  const gil_release others;
  host::instance().leave(code);
}

/// Notes that this process is a fork: threads of the parent are not here, nor its cores.
void forked() {
  forget_threads();
  if (host::instance().started()) host::instance().forked();
}

}  // namespace
}  // namespace gossamer::python

NB_MODULE(_core, m) {
  using namespace gossamer::python;
  m.doc() = "The library behind the package gossamer.";
  const std::string name = nb::cast<std::string>(m.attr("__name__")) + ".JobError";
  job_error = PyErr_NewExceptionWithDoc(name.c_str(),
                                        "Says that there is nothing to compute in: the job could not start, "
                                        "has ended, or belongs to another process.",
                                        PyExc_RuntimeError, nullptr);
  if (job_error == nullptr) throw nb::python_error();
  m.attr("JobError") = nb::borrow(job_error);
  nb::register_exception_translator(&translate);
  m.attr("version") = GOSSAMER_VERSION;
  m.def(
      "set_cores", [](unsigned cores) { host::instance().set_cores(cores); }, nb::arg("cores"),
      "Set the number of cores, before the first use; 0: one per processor.");
  m.def("of_several", &host::of_several,
        "Return whether a launcher has started several processes as one job.");
  m.def("join", &join,
        "Join the other processes of the job. Return whether this is process 0; the others serve().");
  m.def("serve", &serve, "Work for process 0 until its job has ended, and end the interpreter.");
  m.def("stop", &stop, "End the job; the next use starts another one.");
  m.def("leave", &leave, nb::arg("has_threads"), nb::arg("code").none(),
        "End the job as the interpreter ends: calls of other threads do not return any more.");
  m.def("started", [] { return host::instance().started(); }, "Return whether the cores have been started.");
  m.def(
      "refusal", [] { return host::instance().refusal(); },
      "Return why nothing can be computed in this process; empty where it can.");
  m.def("forked", &forked, "Note that this process is a fork, without the threads and cores of its parent.");
  bind_arrow(m);
  bind_global_array(m);
  bind_explain(m);
  bind_graph(m);
  bind_group_files(m);
  bind_hash_tables(m);
  bind_map_reduce(m);
  bind_networkx(m);
  bind_questions(m);
  bind_sort(m);
  bind_trees(m);
  bind_words(m);
}
