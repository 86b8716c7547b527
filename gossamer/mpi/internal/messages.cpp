// The messages of a rank: records between home cores, what arrives, what a fiber of service issues for handlers, and waiting.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/mpi/internal/engine.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t k_eager_most = 8 << 10;  // bytes that are copied into a packet with others
constexpr std::size_t k_kept_cost = 128;  // of a kept message, besides its bytes
constexpr std::uint16_t k_data_space = 0xfff5;  // of tags: data of large messages

core_id home_of(int rank) { return first_core(static_cast<unsigned>(rank)); }

/// A small message: the bytes follow.
struct small_record {
  std::uint32_t context;
  std::int32_t tag;
  std::int32_t source;
  std::uint32_t bytes;

  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    message::each_with_payload<small_record>(d, records, count, [](small_record& r, const std::byte* data) {
      engine::of_process()->arrive({r.context, r.source, r.tag}, data, r.bytes);
    });
  }
};

/// The envelope of a message whose data stays with its sender.
struct large_record {
  std::uint32_t context;
  std::int32_t tag;
  std::uint64_t bytes;
  std::uint64_t number;

  void operator()(const message::dispatch& d) const {
    const auto source = static_cast<std::int32_t>(process_of(d.source));
    engine::of_process()->arrive_large({context, source, tag}, number, bytes);
  }
};

/// To a sender: so many bytes of its small messages have been received.
struct credit_record {
  std::uint64_t bytes;
  void operator()(const message::dispatch& d) const {
    engine::of_process()->credit(process_of(d.source), bytes);
  }
};

void write_small(std::byte* at, std::uint32_t context, int tag, int source, std::span<const std::byte> data) {
  const small_record head{context, tag, source, static_cast<std::uint32_t>(data.size())};
  std::memcpy(at, &head, sizeof head);
  if (!data.empty()) std::memcpy(at + sizeof head, data.data(), data.size());
}

parallel::core& core() { return parallel::core::here(); }

/// Returns what ended() does, which throws where the message was too long: the operation knows that already.
template <class Ended>
bool moved(const operation& op, Ended ended) {
  try {
    return ended();
  } catch (const error&) {
    if (op.error == MPI_SUCCESS) throw;
    return true;
  }
}

}  // namespace

void engine::send(operation& op, const char* call, std::uint32_t context, int to, int tag,
                  std::span<const std::byte> data) {
  op.call = call;
  op.receives = false;
  op.error = MPI_SUCCESS;
  op.what = {context, to, tag};
  op.got = data.size();
  peer& p = peers_[static_cast<std::size_t>(to)];
  const std::size_t stride = message::payload_stride(sizeof(small_record), data.size());
  const std::size_t cost = data.size() + k_kept_cost;
  if (data.size() <= k_eager_most && stride <= core().record_room() / 2 && p.on_their_way + cost <= credit_) {
    p.on_their_way += cost;
    void* const scope = core().local();
    core().set_local(nullptr);  // no completion counts it: MPI has its own ends
    std::byte* const at = core().issue_room<small_record>(home_of(to), stride, {});
    core().set_local(scope);
    write_small(at, context, tag, rank_, data);
    ++written_;  // not before: until there is room other fibers run, and flush
    op.at = progress::done;
    return;
  }
  const std::uint64_t number = next_large_++;
  op.at = progress::moving;
  core().issue_uncounted(home_of(to), large_record{context, tag, data.size(), number});
  void* const scope = core().local();
  core().set_local(nullptr);
  core().mail().start_send(op.moved, home_of(to), tag_in(k_data_space, number), data);
  core().set_local(scope);
  ++written_;
}

bool engine::send_at_once(std::uint32_t context, int to, int tag, std::span<const std::byte> data) {
  peer& p = peers_[static_cast<std::size_t>(to)];
  const std::size_t cost = data.size() + k_kept_cost;
  if (written_ != flushed_ || has_service() || p.on_their_way + cost > credit_) return false;
  const bool sent =
      core().issue_alone<small_record>(home_of(to), sizeof(small_record) + round_up(data.size(), 8),
                                       [&](std::byte* at) { write_small(at, context, tag, rank_, data); });
  if (sent) p.on_their_way += cost;
  return sent;
}

void engine::receive(operation& op, const char* call, std::uint32_t context, int from, int tag,
                     std::span<std::byte> into) {
  op.call = call;
  op.receives = true;
  op.error = MPI_SUCCESS;
  op.what = {context, from, tag};
  op.data = into.data();
  op.bytes = into.size();
  op.at = progress::posted;
  message_kept* const m = matcher_.post(op);
  if (m == nullptr) return;
  if (m->large) {
    match_large(op, m->what, m->number, m->bytes);
    ask_for_data(op);
  } else {
    fill(op, m->what, m->data(), m->bytes);
  }
  m->~message_kept();
  ::operator delete(m);
  if (has_service()) need_service();
}

void engine::arrive(const envelope& what, const std::byte* data, std::size_t bytes) {
  if (operation* const op = matcher_.take(what)) {
    fill(*op, what, data, bytes);
    if (has_service()) need_service();
    return;
  }
  message_kept& m = keep(what, bytes, bytes);
  if (bytes != 0) std::memcpy(m.data(), data, bytes);
}

void engine::arrive_large(const envelope& what, std::uint64_t number, std::size_t bytes) {
  operation* const op = matcher_.take(what);
  if (op == nullptr) {
    message_kept& m = keep(what, bytes, 0);
    m.number = number;
    m.large = true;
    return;
  }
  match_large(*op, what, number, bytes);
  op->next_matched = nullptr;
  (first_matched_ != nullptr ? last_matched_->next_matched : first_matched_) = op;
  last_matched_ = op;
  need_service();
}

/// Keeps a message that no receive takes, with `room` for its bytes behind it.
message_kept& engine::keep(const envelope& what, std::size_t bytes, std::size_t room) {
  auto* const m = new (::operator new(sizeof(message_kept) + room)) message_kept;
  m->what = what;
  m->bytes = bytes;
  matcher_.keep(*m);
  probes_.wake_all();  // they look once the handler has ended
  return *m;
}

/// Delivers a small message.
void engine::fill(operation& op, const envelope& what, const std::byte* data, std::size_t bytes) {
  op.met = what;
  op.got = bytes;
  if (bytes > op.bytes) op.error = MPI_ERR_TRUNCATE;
  if (const std::size_t n = std::min(bytes, op.bytes); n != 0) std::memcpy(op.data, data, n);
  consumed(what.source, bytes);
  complete(op);
}

void engine::match_large(operation& op, const envelope& what, std::uint64_t number, std::size_t bytes) {
  op.met = what;
  op.got = bytes;
  op.number = number;
  op.at = progress::matched;
  if (bytes > op.bytes) op.error = MPI_ERR_TRUNCATE;
}

/// Asks the sender of a matched message for its data. By a fiber; suspends while packets are out. A message that is too long
/// for the buffer is refused there: no byte of it travels, and its sender goes on.
void engine::ask_for_data(operation& op) {
  message::ireceive(op.moved, home_of(op.met.source), tag_in(k_data_space, op.number),
                    {op.data, std::min(op.got, op.bytes)});
  op.at = progress::moving;
  if (op.waiter != nullptr) core().wake(*op.waiter);
}

void engine::complete(operation& op) {
  op.at = progress::done;
  if (op.waiter != nullptr) core().wake(*op.waiter);
}

/// Notes that a small message of that rank needs no room any more.
void engine::consumed(int rank, std::size_t bytes) {
  peer& p = peers_[static_cast<std::size_t>(rank)];
  p.received += bytes + k_kept_cost;
  if (p.received < credit_ / 2 || p.to_report) return;
  p.to_report = true;
  credits_due_.push_back(static_cast<unsigned>(rank));
}

void engine::need_service() {
  if (serving_) return;
  // Without memory for a fiber the next call that waits serves.
  serving_ = core().start(&service_entry, this, "messages of MPI", fiber::stack_class::regular) != nullptr;
}

void engine::service_entry(void* argument) {
  auto& e = *static_cast<engine*>(argument);
  e.serve();
  e.serving_ = false;
  if (e.written_ != e.flushed_)
    core().request_flush();  // a fiber that waited meanwhile may have flushed without this
}

void engine::serve() {
  while (has_service()) {
    if (operation* const op = first_matched_; op != nullptr) {
      first_matched_ = op->next_matched;
      ask_for_data(*op);
      continue;
    }
    const unsigned rank = credits_due_.back();
    credits_due_.pop_back();
    peer& p = peers_[rank];
    p.to_report = false;
    core().issue_uncounted(first_core(rank), credit_record{std::exchange(p.received, 0)});
    ++written_;
  }
}

/// Sends what lies in open packets: the caller may compute for long, or block. Other fibers run first, and their messages leave
/// with it. So does what the service fiber has to send.
void engine::let_messages_leave() {
  if (written_ == flushed_ && !has_service()) return;
  core().yield();
  if (written_ == flushed_) return;
  const std::uint64_t written = written_;
  core().flush();  // may suspend: others that come meanwhile wait for what they have written, too
  flushed_ = std::max(flushed_, written);
  if (core().process().wire != nullptr && core().running()->kind != fiber::stack_class::small)
    (void)core().process().wire->poll();  // what has been packed leaves the process
}

void engine::wait(operation& op) {
  if (op.awaited)
    throw failure{MPI_ERR_REQUEST, fmt::format("another fiber waits for this {} already", op.call)};
  op.awaited = true;  // also while others run below: no other fiber completes it
  if (op.at != progress::done) {
    const auto done = [&op] { return op.at == progress::done; };
    if (op.at != progress::posted || has_service() || !core().poll_for(done)) wait_suspended(op);
  }
  if (!op.receives || has_service()) let_messages_leave();
  op.awaited = false;
  op.at = progress::idle;
}

void engine::wait_suspended(operation& op) {
  const waiting_call here(*this, op.call, op.what, op.receives);
  while (op.at == progress::posted || op.at == progress::matched) {
    if (has_service() && !serving_) {
      serve();  // may suspend: a waiter is set around suspend() alone
      continue;
    }
    op.waiter = core().running();
    core().suspend("a message");
    op.waiter = nullptr;
  }
  if (op.at == progress::moving) (void)moved(op, [&] { return op.moved.wait(), true; });
}

bool engine::test(operation& op, bool yields) {
  if (op.awaited) throw failure{MPI_ERR_REQUEST, fmt::format("another fiber waits for this {}", op.call)};
  if (op.at == progress::posted || op.at == progress::matched) {
    if (has_service() && !serving_) serve();
    core().request_flush();
    core().yield();
  } else if (yields && op.at == progress::done) {
    core().yield();  // a loop that tests lets others run, also where each test succeeds at once
  }
  if (op.at == progress::moving) {
    core().request_flush();
    if (!moved(op, [&] { return op.moved.test(); })) return false;
    op.at = progress::done;
  }
  if (op.at != progress::done) return false;
  if (!op.receives) let_messages_leave();
  return true;
}

const message_kept& engine::probe(const char* call, const envelope& what) {
  const waiting_call here(*this, call, what, true);
  for (;;) {
    if (const message_kept* m = matcher_.look(what)) return *m;
    probes_.wait("a message");
  }
}

const message_kept* engine::look(const envelope& what) {
  core().request_flush();
  core().yield();
  return matcher_.look(what);
}

}  // namespace gossamer::mpi
