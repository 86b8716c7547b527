// Construction, what reports say of waiting fibers, and the mailbox; the work is in internal/outbox.cpp, internal/inbox.cpp
// and internal/endpoint_wire.cpp.
#include "gossamer/message/endpoint.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

void dispatch::failed(std::exception_ptr what) const {
  GOSSAMER_ASSERT(scope != nullptr);
  scope->fail(std::move(what));
}

namespace {
/// A core that sends to all others has two packets for each, up to so many that all cores' pools stay linear.
std::size_t further_packets(unsigned cores) { return 2 * std::size_t{std::min(cores, 512U)}; }

}  // namespace

endpoint::endpoint(unsigned id, const endpoint_options& options, process_context& shared)
    : scheduler(id, options.scheduler, shared.sleepers),
      shared_(shared),
      requests_(shared.all, "send buffers"),
      replies_(shared.all, "send buffers"),
      request_pool_(static_cast<std::uint16_t>(id - shared.first),
                    options.request_packets + further_packets(shared.cores()), options.packet_bytes),
      reply_pool_(static_cast<std::uint16_t>(id - shared.first), k_reply_packets, options.packet_bytes),
      payload_bytes_(round_down(request_pool_.payload_bytes(), 8)),
      record_room_((shared.wire != nullptr ? std::min(payload_bytes_, chunk_room()) : payload_bytes_) -
                   k_most_run_heads),
      aggregate_(options.aggregate),
      most_reply_bytes_(static_cast<std::uint32_t>(8 * reply_pool_.payload_bytes())),
      most_matches_(static_cast<std::uint32_t>(
          std::min({mailbox::k_most_messages / shared.all, packet_room() / 16 + 1, std::size_t{65535}}))),
      local_open_{bit_set(shared.lanes.arrival_words()), bit_set(shared.lanes.arrival_words())},
      flush_delay_ticks_(options.flush_delay_ns * machine::ticks_per_us() / 1000),
      deferred_(shared.lanes.arrival_words()),
      blocked_(shared.cores(), shared.lanes.arrival_words()),
      returns_(shared.cores(), shared.lanes.arrival_words(), request_pool_.capacity(),
               reply_pool_.capacity()),
      spin_(options.scheduler.spin_ns != 0),
      unexpected_messages_(options.unexpected_messages),
      unexpected_bytes_(options.unexpected_bytes),
      wire_buffers_(shared.wire != nullptr ? processes() : 0),
      payloads_(options.payload_bytes_in_flight) {
  GOSSAMER_ASSERT(options.packet_bytes >= 2048 && options.packet_bytes <= 65536,
                  "packet_bytes: 2 KiB to 64 KiB");
  shared.endpoints[id - shared.first] = this;
  if (shared.wire == nullptr) return;
  blocked_.allow_remote(divide_up(shared.all, 64U));
  const std::size_t wire_packets = shared.wire->packets_of_core();
  for (std::size_t kind = 0; kind < fabric::k_traffic_classes; ++kind) {
    wire_pools_[kind] = std::make_unique<fabric::packet_pool>(
        static_cast<std::uint16_t>(id - shared.first), wire_packets, shared.wire->format().packet_bytes);
  }
  // can_answer() must be able to say yes: one packet's worth is lost to what does not fit, one is for
  // reports.
  most_reply_bytes_ = static_cast<std::uint32_t>(
      std::min<std::size_t>(most_reply_bytes_, (wire_packets - 2) * wire_answer_bytes()));
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
  std::string what = mail_ != nullptr ? mail_->describe_wait(f) : "";
  return !what.empty() ? what : f.waits_for != nullptr ? f.waits_for : "nothing";
}

std::string endpoint::describe_unmatched() { return mail_ != nullptr ? mail_->describe_unmatched() : ""; }

}  // namespace gossamer::message
