#include "gossamer/message/request.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/message/two_sided.hpp"

namespace gossamer {

namespace {
const char* reason(bool receives) {
  return receives ? "a message" : "its message to be received: it is too large to be kept";
}
}  // namespace

void request::wait_until_done() {
  fiber::scheduler& core = fiber::scheduler::inside("request::wait");
  if (core.poll_for([this] { return state_ == state::done; })) return;
  one_ = core.running();
  core.suspend(reason(receives_));
  one_ = nullptr;
  GOSSAMER_DEBUG_ASSERT(state_ == state::done);
}

bool request::test() {
  if (state_ == state::open) {
    fiber::scheduler::inside("request::test").yield();
    if (state_ == state::open) return false;
  }
  settle();
  return true;
}

void request::abandon() {
  if (fiber::scheduler::current() == nullptr) return;  // its job has ended, and the mailbox with it
  if (!receives_ || !message::mailbox::here().cancel(*this)) wait_until_done();
}

void request::refuse() {
  throw error(
      fmt::format("receive: a message of {} bytes from core {}, tag {:#x}, has come for a buffer of {} bytes",
                  bytes_, source_, tag_, size_));
}

std::size_t wait_any(std::span<request* const> requests) {
  const auto done = [](const request* r) { return r != nullptr && r->state_ == request::state::done; };
  const auto open = [](const request* r) { return r != nullptr && r->state_ == request::state::open; };
  auto first = std::ranges::find_if(requests, done);
  if (first == requests.end()) {
    GOSSAMER_ASSERT(std::ranges::any_of(requests, open), "wait_any: none of the requests is open");
    fiber::scheduler& core = fiber::scheduler::inside("wait_any");
    request::waiting me{core.running()};
    for (request* r : requests)
      if (open(r)) r->several_ = &me, r->of_several_ = true;
    core.suspend("any of several messages");
    for (request* r : requests)
      if (r != nullptr) r->one_ = nullptr, r->of_several_ = false;
    first = std::ranges::find_if(requests, done);
  }
  (*first)->settle();
  return static_cast<std::size_t>(first - requests.begin());
}

}  // namespace gossamer
