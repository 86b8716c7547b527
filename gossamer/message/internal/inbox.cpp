// The receiving half of an endpoint: polls the lanes, runs the handlers of packets, and gives emptied packets back. What
// comes from other processes is in endpoint_wire.cpp.
#include <bit>
#include <utility>

#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

bool endpoint::poll() {
  GOSSAMER_DEBUG_ASSERT(!in_handler_);
  bool moved = receive();
  if (to_push_) [[unlikely]]
    moved |= push_granted();
  if (!returns_.empty() && ++polls_ % 8 == 0) return_packets(returning::wanted);
  if (!packet_waiters_.empty() || !room_waiters_.empty() || !reply_waiters_.empty() ||
      payloads_.has_waiter() || has_wire_waiter())
    moved |= wake_waiters();
  if (!reports_.empty()) send_reports();
  return moved;
}

bool endpoint::receive() {
  if (auto* s = machine::simulated()) [[unlikely]]
    s->look();
  bool some = shared_.wire != nullptr &&
              (running() == nullptr || running()->kind != fiber::stack_class::small) &&
              shared_.wire->poll();  // a transport may need tens of KiB of stack
  for (std::size_t w = 0; w < deferred_.words(); ++w) {
    std::uint64_t bits = shared_.lanes.take_arrivals(id() - shared_.first, w) | deferred_.take_word(w);
    for (; bits != 0; bits &= bits - 1)
      some |= receive_from(static_cast<unsigned>(w * 64) + static_cast<unsigned>(std::countr_zero(bits)));
  }
  if (blocked_.should_look()) [[unlikely]]
    some |= blocked_.look_again([this] { return mail().common_room(); },
                                [this](unsigned endpoint_index) { return receive_from(endpoint_index); });
  return some;
}

/// Lets requests of that source wait until the mailbox has more room.
void endpoint::wait_for_mail_room(unsigned source, const fabric::packet& p) {
  const copy_room need = mail().common_need(source, p.matches, p.bytes);
  if (is_local(source))
    blocked_.add_local(source - shared_.first, need);
  else
    blocked_.add_remote(source, need);
}

void endpoint::return_packet(unsigned owner, fabric::packet& p) {
  returns_.add(owner, p, [this](unsigned to, fabric::traffic kind, fabric::packet_batch& batch) {
    give_back(to, kind, batch);
  });
}

void endpoint::return_packets(returning which) {
  returns_.give_all(
      [this, which](unsigned owner, fabric::traffic kind) {
        const endpoint& home = *shared_.endpoints[owner];
        return which == returning::all || home.out_.pool(kind).wanted();
      },
      [this](unsigned to, fabric::traffic kind, fabric::packet_batch& batch) { give_back(to, kind, batch); });
}

void endpoint::give_back(unsigned owner, fabric::traffic kind, fabric::packet_batch& batch) {
  endpoint& home = *shared_.endpoints[owner];
  home.out_.pool(kind).put_batch(batch);
  home.notify();
}

bool endpoint::receive_from(unsigned endpoint_index) {
  if (endpoint_index == shared_.cores()) return receive_from_wire();
  const unsigned source = endpoint_index + shared_.first, mine = id() - shared_.first;
  bool some = false;
  auto& answers = shared_.lanes.between(endpoint_index, mine, fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    run_packet(*p);
    return_packet(endpoint_index, *p);
    some = true;
  }
  auto& requests = shared_.lanes.between(endpoint_index, mine, fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    if (!out_.can_answer(source, p->reply_bytes)) {
      deferred_.set(endpoint_index);
      out_.pool(fabric::traffic::reply).want();
      break;
    }
    if (p->matches != 0) {
      if (!mail().has_room(source, p->matches, p->bytes)) {
        wait_for_mail_room(source, *p);
        break;
      }
      blocked_.remove_local(endpoint_index);  // or what comes next would not keep the core awake
    }
    requests.pop();
    run_packet(*p);
    return_packet(endpoint_index, *p);
    some = true;
  }
  return some;
}

void endpoint::run_packet(fabric::packet& p) {
  const bool outer = std::exchange(in_handler_, true);
  const interrupted before = begin_handlers();
  void* const own = local();
  counters_.received_bytes += p.bytes;
  if (is_local(p.source) || p.kind == fabric::traffic::reply) [[likely]]
    run_payload(p.payload(), p.payload() + p.bytes, p.source);
  else
    run_remote_requests(p.payload(), p.payload() + p.bytes, p.source);
  set_local(own);
  end_handlers(before);
  in_handler_ = outer;
}

void endpoint::run_handler(const run_header& h, std::byte* records, unsigned source, completion* counted_by) {
  handler_ = h.handler;
  handler_function(h.handler)(dispatch{*this, static_cast<std::uint16_t>(source), counted_by, h.record_bytes},
                              records, h.count);
  counters_.handled += h.count;
}

void endpoint::run_payload(std::byte* at, std::byte* end, unsigned source) {
  completion* counted_by = nullptr;
  std::int64_t finished = 0;
  set_local(nullptr);
  const auto change_scope = [&](completion* named) {
    if (counted_by != nullptr) counted_by->finish(finished);
    finished = 0;
    counted_by = named;
    set_local(counted_by);
  };
  for_each_run(at, end, change_scope, [&](const run_header& h, std::byte* records) {
    run_handler(h, records, source, counted_by);
    finished += h.count;
  });
  if (counted_by != nullptr) counted_by->finish(finished);
}

}  // namespace gossamer::message
