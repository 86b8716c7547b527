#include "gossamer/message/internal/remote_failure.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer::message {

namespace {

struct failure_text {
  std::uint64_t is_out_of_memory;
  char text[440];
};

/// Returns whether an exception says that there was no memory.
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

failure_text describe(const std::exception_ptr& what) {
  failure_text t{is_out_of_memory(what), {}};
  std::snprintf(t.text, sizeof t.text, "%s", text_of(what).c_str());
  return t;
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

remote_failure name_failure(unsigned core, const std::exception_ptr& what) {
  try {
    std::rethrow_exception(what);
  } catch (const remote_failure& elsewhere) {
    return elsewhere;
  } catch (...) {
    return {core, new std::exception_ptr(what)};
  }
}

void rethrow(const std::exception_ptr& what) {
  remote_failure far{};
  try {
    std::rethrow_exception(what);
  } catch (const remote_failure& elsewhere) {
    far = elsewhere;  // the call below suspends: not inside of a handler
  }
  const failure_text t = call_on(far.core, [there = far.what] {
    const std::unique_ptr<std::exception_ptr> mine(there);
    return describe(*mine);
  });
  if (t.is_out_of_memory != 0) throw machine::out_of_memory(t.text);
  throw error(t.text);
}

}  // namespace gossamer::message
