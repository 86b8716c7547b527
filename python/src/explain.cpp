// Where the time of calls went: a recorder that the calls of a program tell when they begin and end.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/parallel/explain.hpp"
#include "gossamer/parallel/run_recorder.hpp"

namespace nb = nanobind;

namespace gossamer::python {
namespace {

constexpr const char* k_calls = "calls";
constexpr const char* k_between_calls = "between calls";

std::shared_ptr<run_recorder> active_recorder;  // the main fiber of the job alone touches it

class recording {
 public:
  recording() : recorder_(std::make_shared<run_recorder>()) {
    const bool began = call([recorder = recorder_](const graph::progress_hook&) {
      if (active_recorder != nullptr) return false;
      active_recorder = recorder;
      return true;
    });
    if (!began) throw std::runtime_error("explain(): another one is not over");
  }

  /// Ends the recording. Returns where the time went.
  nb::dict end() const;

 private:
  std::shared_ptr<run_recorder> recorder_;
};

nb::dict shares(const time_shares& of) {
  nb::dict d;
  d["working"] = of.working;
  d["no_processor"] = of.no_processor;
  d["for_the_busiest"] = of.for_the_busiest;
  d["without_work"] = of.without_work;
  return d;
}

nb::dict recording::end() const {
  const explanation e = call([recorder = recorder_](const graph::progress_hook&) {
    if (active_recorder == recorder) active_recorder = nullptr;
    recorder->end();
    return explain(recorder->record());
  });
  nb::dict all;
  all["seconds"] = e.seconds;
  all["cores"] = e.cores;
  all["core_time"] = shares(e.shares);
  nb::list phases, findings;
  for (const explained_phase& p : e.phases) {
    nb::dict d;
    d["name"] = p.name;
    d["seconds"] = p.seconds;
    d["core_time"] = shares(p.shares);
    phases.append(d);
  }
  for (const finding& f : e.findings) {
    nb::dict d, numbers;
    d["key"] = f.key;
    d["phase"] = f.phase;
    d["share"] = f.share;
    d["share_of"] = f.share_of;
    d["core_time"] = f.core_time;
    d["text"] = f.text;
    d["advice"] = f.advice;
    for (const auto& [name, value] : f.numbers) numbers[name.c_str()] = value;
    d["numbers"] = numbers;
    findings.append(d);
  }
  all["phases"] = phases;
  all["findings"] = findings;
  return all;
}

}  // namespace

void call_begins() {
  if (active_recorder != nullptr) active_recorder->begin(k_calls);
}

void call_ended() {
  if (active_recorder != nullptr) active_recorder->begin(k_between_calls);
}

void bind_explain(nb::module_& m) {
  nb::class_<recording>(m, "Recording", "What the cores count in calls, and between them.")
      .def(nb::init<>(), "Begin to record.")
      .def("end", &recording::end, "End, and return where the time went.");
}

}  // namespace gossamer::python
