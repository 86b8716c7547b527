#include "gossamer/message/internal/remote_failure.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer::message {

namespace {

/// Returns whether an exception is about memory that was not available.
bool is_out_of_memory(const std::exception_ptr& what) {
  try {
    std::rethrow_exception(what);
  } catch (const machine::out_of_memory&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::string text_of(const std::exception_ptr& what) {
  try {
    std::rethrow_exception(what);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something that is not a std::exception was thrown";
  }
}

failure_text describe(const std::exception_ptr& what) {
  failure_text t{is_out_of_memory(what), {}};
  const std::string text = abridged(text_of(what), sizeof t.text - 1);
  std::memcpy(t.text, text.data(), text.size());
  return t;
}

std::exception_ptr exception_of(const failure_text& t) {
  if (t.is_out_of_memory != 0) return std::make_exception_ptr(machine::out_of_memory(t.text));
  return std::make_exception_ptr(error(t.text));
}

void rethrow(const std::exception_ptr& what) {
  remote_failure far{};
  try {
    std::rethrow_exception(what);
  } catch (const remote_failure& elsewhere) {
    far = elsewhere;  // the call below suspends: not inside of a handler
  }
  std::rethrow_exception(exception_of(call_on(far.core, [there = far.what] {
    const std::unique_ptr<std::exception_ptr> mine(there);
    return describe(*mine);
  })));
}

}  // namespace gossamer::message
