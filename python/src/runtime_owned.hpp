#pragma once
// Values between tasks: what Python objects hold of the library, shared by the object and the tasks that use it.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "host.hpp"

namespace gossamer::python {

/// Holds a value that the runtime keeps: it is made and destroyed on core 0, and gone when the job ends. Any thread may be the last to
/// let go of it.
template <class T>
class kept_by_runtime {
 public:
  /// Makes the value by make(), in place: T need not be movable. `name` says what it is in errors. On the main fiber.
  template <class F>
  kept_by_runtime(const char* name, runtime& in, F make)
      : name_(name), of_several_(in.processes() > 1), value_(in.keep(std::move(make))) {}

  /// Returns the value. Throws no_job where it has gone with its job.
  T& get() const {
    if (!value_) refuse();
    return *value_;
  }

 private:
  [[noreturn]] void refuse() const {
    std::string why = value_.failure();
    if (why.empty()) why = of_several_ ? "the job of all processes has ended" : "its job has ended";
    throw no_job(std::string("the ") + name_ + " is gone: " + why);
  }

  const char* name_;
  bool of_several_;
  kept<T> value_;
};

/// Holds a value that is plain memory in one process, where it stays. Over several processes it is memory of all of them, which only
/// core 0 gives back: there the runtime keeps it.
template <class T>
class runtime_owned {
 public:
  /// Takes over a value that was made in `in`. On the main fiber.
  runtime_owned(const char* name, T value, runtime& in) {
    if (in.processes() == 1)
      plain_ = std::move(value);
    else
      kept_.emplace(name, in, [&value] { return std::move(value); });
  }
  /// Takes over plain memory. Any thread.
  explicit runtime_owned(T value) : plain_(std::move(value)) {}

  /// Returns the value. Throws no_job where it has gone with its job.
  const T& get() const { return kept_ ? kept_->get() : plain_; }

 private:
  T plain_;
  std::optional<kept_by_runtime<T>> kept_;
};

}  // namespace gossamer::python
