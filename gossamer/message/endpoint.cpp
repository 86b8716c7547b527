// Construction, what reports say of waiting fibers, and the mailbox; the work is in internal/endpoint_send.cpp,
// internal/endpoint_receive.cpp and internal/endpoint_wire.cpp.
#include "gossamer/message/endpoint.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

void dispatch::failed(std::exception_ptr what) const {
  GOSSAMER_ASSERT(scope != nullptr);
  scope->fail(std::move(what));
}

namespace {

outbox_options outbox_of(const endpoint_options& o, const process_context& shared) {
  outbox_options out{.packet_bytes = o.packet_bytes,
                     .request_packets = o.request_packets,
                     .flush_delay_ns = o.flush_delay_ns,
                     .aggregate = o.aggregate,
                     .most_matches = mailbox::k_most_messages / shared.all};
  if (shared.wire != nullptr) {
    out.format = &shared.wire->format();
    out.routing = &shared.wire->routing();
    out.wire_packets = shared.wire->packets_of_core();
  }
  return out;
}

}  // namespace

endpoint::endpoint(unsigned id, const endpoint_options& options, process_context& shared)
    : scheduler(id, options.scheduler, shared.sleepers),
      shared_(shared),
      out_(id, outbox_of(options, shared), shared, *this, counters_),
      in_(id, shared, *this, out_.pool(fabric::traffic::request).capacity(),
          out_.pool(fabric::traffic::reply).capacity()),
      spin_(options.scheduler.spin_ns != 0),
      crowded_(options.crowded),
      unexpected_messages_(options.unexpected_messages),
      unexpected_bytes_(options.unexpected_bytes),
      bulk_tags_(shared.wire != nullptr ? shared.wire->bulk().tags() : 0, id - shared.first, shared.cores(),
                 options.bulk_bytes),
      payloads_(options.payload_bytes_in_flight) {
  shared.endpoints[id - shared.first] = this;
}

endpoint::~endpoint() = default;

const char* endpoint::running_handler() const {
  return in_handler_ && handler_ != 0 ? handler_name(handler_) : nullptr;
}

void endpoint::not_joined(const fiber::fiber& f, std::exception_ptr what) noexcept {
  if (message::completion* const mine = scope())
    mine->fail(std::move(what));
  else
    scheduler::not_joined(f, std::move(what));
}

void endpoint::make_mailbox() {
  mail_ = std::make_unique<mailbox>(*this, unexpected_messages_, unexpected_bytes_);
}

std::string endpoint::describe_wait(const fiber::fiber& f) {
  std::string what = describes_ != nullptr ? describes_(f) : "";
  if (what.empty() && mail_ != nullptr) what = mail_->describe_wait(f);
  return !what.empty() ? what : f.waits_for != nullptr ? f.waits_for : "nothing";
}

std::string endpoint::describe_unmatched() { return mail_ != nullptr ? mail_->describe_unmatched() : ""; }

}  // namespace gossamer::message
