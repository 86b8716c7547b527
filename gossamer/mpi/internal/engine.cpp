#include "gossamer/mpi/internal/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/core.h>

#include "gossamer/machine/standard_error.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/mpi/internal/thread_end.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t k_eager_most = 8 << 10;  // bytes that are copied into a packet
constexpr std::size_t k_kept_cost = 128;  // of a kept message, besides its bytes
constexpr std::uint64_t k_credit_of_process = 64 << 20;  // bytes kept from all ranks together
constexpr std::uint64_t k_least_credit = 16 << 10, k_most_credit = 1 << 20;
constexpr std::size_t k_most_requests = std::size_t{1} << 20;
constexpr std::uint32_t k_most_communicators = 1 << 20;
constexpr std::uint16_t k_data_space = 0xfff5;  // of tags: data of large messages

core_id home_of(int rank) { return first_core(static_cast<unsigned>(rank)); }

/// A small message: the bytes follow.
struct small_record {
  std::uint32_t context;
  std::int32_t tag;
  std::uint64_t bytes;

  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    const auto source = static_cast<std::int32_t>(process_of(d.source));
    message::each_with_payload<small_record>(d, records, count, [&](small_record& r, const std::byte* data) {
      engine::of_process()->arrive({r.context, source, r.tag}, data, r.bytes);
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

parallel::core& self() { return parallel::core::here(); }

std::string name_of_rank(int rank) { return rank == k_open ? "any rank" : fmt::format("rank {}", rank); }
std::string name_of_tag(int tag) { return tag == k_open ? "any tag" : fmt::format("tag {}", tag); }

}  // namespace

constinit engine* engine::s_engine = nullptr;

engine::engine(int argc, char** argv, char** environment, program_main program)
    : argc_(argc), argv_(argv), environment_(environment), program_(program) {
  s_engine = this;
  make(0, false);
}

engine::~engine() { s_engine = nullptr; }

// --- the program ------------------------------------------------------------------------------

void engine::program_entry(void* argument) {
  auto& e = *static_cast<engine*>(argument);
  self().set_local(e.scope_);
  try {
    e.code_ = e.program_(e.argc_, e.argv_, e.environment_);
  } catch (...) {
    if (!is_thread_exit(std::current_exception())) end_job(message::text_of(std::current_exception()));
    wait_for_threads();
  }
  e.ended_.set();
}

void engine::run_program() {
  rank_ = static_cast<int>(process());
  size_ = static_cast<int>(processes());
  self().describe_waits_by(&engine::describe);
  scope_ = self().scope();
  if (self().start(&program_entry, this, "the program", fiber::stack_class::large) == nullptr)
    self().refuse(fiber::stack_class::large);
  ended_.wait("the end of the program");
  self().describe_waits_by(nullptr);
  if (phase_ == phase::running)
    machine::print_warning(fmt::format("rank {} has ended without MPI_Finalize", rank_));
}

void engine::exit_program(int code) {
  code_ = code;
  ended_.set();
  for (;;) self().suspend("nothing: the program has called exit()");
}

void engine::end() {
  // Every rank sends every rank a last message: what was sent before lies in front of it in the same lane.
  const std::uint32_t context = 1;
  const auto tag = static_cast<int>(communicators_[0].collectives++ & MPI_TAG_UPPER_BOUND);
  const auto n = static_cast<std::size_t>(size_);
  const std::unique_ptr<operation[]> sends(new operation[n]), receives(new operation[n]);
  for (int r = 0; r < size_; ++r)
    receive(receives[static_cast<std::size_t>(r)], "MPI_Finalize", context, r, tag, {});
  for (int r = 0; r < size_; ++r)
    send(sends[static_cast<std::size_t>(r)], "MPI_Finalize", context, r, tag, {});
  for (std::size_t r = 0; r < n; ++r) wait(receives[r]);
  for (std::size_t r = 0; r < n; ++r) wait(sends[r]);
  name_unreceived();
  phase_ = phase::ended;
}

void engine::name_unreceived() {
  constexpr unsigned k_shown = 8;
  unsigned found = 0;
  const auto tell = [&](const char* what, const envelope& e, std::size_t bytes, const char* more) {
    if (++found <= k_shown)
      machine::print_warning(fmt::format("MPI_Finalize on rank {}: {} from {}, {}, {}, {} bytes{}", rank_,
                                         what, name_of_rank(e.source), name_of_tag(e.tag),
                                         name_of(e.context / 2), bytes, more));
  };
  // Large ones are taken, so that their senders can end.
  while (const message_kept* m = matcher_.first_message()) {
    tell("no call has received the message", m->what, m->bytes, "");
    operation drain;
    const std::unique_ptr<std::byte[]> room(new std::byte[m->bytes]);
    receive(drain, "MPI_Finalize", m->what.context, m->what.source, m->what.tag, {room.get(), m->bytes});
    wait(drain);
  }
  matcher_.visit_receives([&](const operation& r) {
    tell(r.call[4] == 'I' ? "an open MPI_Irecv waits for a message" : "an open receive waits for a message",
         r.what, r.bytes, " of room");
  });
  if (found > k_shown)
    machine::print_warning(fmt::format("MPI_Finalize on rank {}: and {} more", rank_, found - k_shown));
}

// --- communicators --------------------------------------------------------------------------

std::uint32_t engine::number_of(MPI_Comm comm) const {
  const auto handle = reinterpret_cast<std::uintptr_t>(comm);
  if (handle == 0) throw failure{MPI_ERR_COMM, "the communicator is MPI_COMM_NULL"};
  if (handle > communicators_.size())
    throw failure{MPI_ERR_COMM, fmt::format("{:#x} is no communicator", handle)};
  if (!communicators_[handle - 1].live)
    throw failure{MPI_ERR_COMM, fmt::format("communicator {} was freed", handle - 1)};
  return static_cast<std::uint32_t>(handle - 1);
}

bool engine::returns_errors(MPI_Comm comm) const {
  const auto handle = reinterpret_cast<std::uintptr_t>(comm);
  const bool known = handle != 0 && handle <= communicators_.size() && communicators_[handle - 1].live;
  return communicators_[known ? handle - 1 : 0].returns_errors;
}

void engine::make(std::uint32_t number, bool returns_errors) {
  if (number >= communicators_.size()) communicators_.resize(number + 1);
  communicators_[number].live = true;
  communicators_[number].returns_errors = returns_errors;
}

std::uint32_t engine::draw_number() { return next_number_ < k_most_communicators ? next_number_++ : 0; }

std::string engine::name_of(std::uint32_t communicator) {
  return communicator == 0 ? "MPI_COMM_WORLD" : fmt::format("communicator {}", communicator);
}

// --- messages -------------------------------------------------------------------------------

void engine::send(operation& op, const char* call, std::uint32_t context, int to, int tag,
                  std::span<const std::byte> data) {
  op.call = call;
  op.receives = false;
  op.error = MPI_SUCCESS;
  op.what = {context, to, tag};
  op.got = data.size();
  if (peers_.empty()) {
    const auto ranks = static_cast<std::uint64_t>(size_);
    peers_.resize(ranks);
    credit_ = std::clamp(k_credit_of_process / ranks, k_least_credit, k_most_credit);
  }
  peer& p = peers_[static_cast<std::size_t>(to)];
  const std::size_t stride = message::payload_stride(sizeof(small_record), data.size());
  const std::size_t cost = data.size() + k_kept_cost;
  if (data.size() <= k_eager_most && stride <= self().record_room() / 2 && p.on_their_way + cost <= credit_) {
    p.on_their_way += cost;
    const small_record head{context, tag, data.size()};
    void* const scope = self().local();
    self().set_local(nullptr);  // no completion counts it: MPI has its own ends
    std::byte* const at = self().issue_room<small_record>(home_of(to), stride, {});
    self().set_local(scope);
    std::memcpy(at, &head, sizeof head);
    if (!data.empty()) std::memcpy(at + sizeof head, data.data(), data.size());
    op.at = progress::done;
    return;
  }
  const std::uint64_t number = next_large_++;
  op.at = progress::moving;
  self().issue_uncounted(home_of(to), large_record{context, tag, data.size(), number});
  void* const scope = self().local();
  self().set_local(nullptr);
  self().mail().start_send(op.moved, home_of(to), tag_in(k_data_space, number), data);
  self().set_local(scope);
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

/// Asks the sender of a matched message for its data. By a fiber; suspends while packets are out.
void engine::ask_for_data(operation& op) {
  std::byte* into = op.data;
  if (op.error != MPI_SUCCESS) {
    op.scratch.reset(new std::byte[op.got]);
    into = op.scratch.get();
  }
  message::ireceive(op.moved, home_of(op.met.source), tag_in(k_data_space, op.number), {into, op.got});
  op.at = progress::moving;
  if (op.waiter != nullptr) self().wake(*op.waiter);
}

void engine::complete(operation& op) {
  op.at = progress::done;
  if (op.waiter != nullptr) self().wake(*op.waiter);
}

/// Notes that a small message of that rank needs no room any more.
void engine::consumed(int rank, std::size_t bytes) {
  if (peers_.empty()) {
    const auto ranks = static_cast<std::uint64_t>(size_);
    peers_.resize(ranks);
    credit_ = std::clamp(k_credit_of_process / ranks, k_least_credit, k_most_credit);
  }
  peer& p = peers_[static_cast<std::size_t>(rank)];
  p.received += bytes + k_kept_cost;
  if (p.received < credit_ / 2 || p.to_report) return;
  p.to_report = true;
  credits_due_.push_back(static_cast<unsigned>(rank));
}

void engine::need_service() {
  if (serving_) return;
  // Without memory for a fiber the next call that waits serves.
  serving_ = self().start(&service_entry, this, "messages of MPI", fiber::stack_class::regular) != nullptr;
}

void engine::service_entry(void* argument) {
  auto& e = *static_cast<engine*>(argument);
  e.serve();
  e.serving_ = false;
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
    self().issue_uncounted(first_core(rank), credit_record{std::exchange(p.received, 0)});
  }
}

void engine::wait(operation& op) {
  if (op.awaited)
    throw failure{MPI_ERR_REQUEST, fmt::format("another fiber waits for this {} already", op.call)};
  if (op.at != progress::done) {
    op.awaited = true;
    const waiting_call here(*this, op.call, op.what, op.receives);
    while (op.at == progress::posted || op.at == progress::matched) {
      if (has_service() && !serving_) {
        serve();  // may suspend: a waiter is set around suspend() alone
        continue;
      }
      op.waiter = self().running();
      self().suspend("a message");
      op.waiter = nullptr;
    }
    if (op.at == progress::moving) op.moved.wait();
    op.awaited = false;
  }
  op.at = progress::idle;
  op.scratch.reset();
}

bool engine::test(operation& op) {
  if (op.awaited) throw failure{MPI_ERR_REQUEST, fmt::format("another fiber waits for this {}", op.call)};
  if (op.at == progress::posted || op.at == progress::matched) {
    if (has_service() && !serving_) serve();
    self().request_flush();
    self().yield();
  }
  if (op.at == progress::moving) {
    self().request_flush();
    if (!op.moved.test()) return false;
    op.at = progress::done;
  }
  if (op.at != progress::done) return false;
  op.scratch.reset();
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
  const message_kept* m = matcher_.look(what);
  if (m != nullptr) return m;
  self().request_flush();
  self().yield();
  return matcher_.look(what);
}

// --- requests --------------------------------------------------------------------------------

operation& engine::open(MPI_Request& handle) {
  if (free_slots_.empty()) {
    if (slots_.size() == k_most_requests)
      throw failure{MPI_ERR_NO_MEM, fmt::format("{} requests are open: a rank has no more", k_most_requests)};
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back(std::make_unique<slot>());
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  slot& s = *slots_[index];
  s.open = true;
  ++s.generation;
  handle = reinterpret_cast<MPI_Request>(std::uintptr_t{s.generation} << 32 | (index + 1));
  return s.op;
}

operation& engine::find(MPI_Request handle) {
  const auto bits = reinterpret_cast<std::uintptr_t>(handle);
  const std::size_t index = (bits & 0xffffffff) - 1;
  if ((bits & 0xffffffff) == 0 || index >= slots_.size() || slots_[index]->generation < bits >> 32)
    throw failure{MPI_ERR_REQUEST, fmt::format("{:#x} is no request", bits)};
  if (!slots_[index]->open || slots_[index]->generation != bits >> 32)
    throw failure{MPI_ERR_REQUEST, "the request was completed before: it is used twice"};
  return slots_[index]->op;
}

void engine::close(MPI_Request handle) {
  const auto index = static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(handle) & 0xffffffff) - 1);
  slots_[index]->open = false;
  slots_[index]->op.at = progress::idle;
  free_slots_.push_back(index);
}

// --- reports ---------------------------------------------------------------------------------

engine::waiting_call::waiting_call(engine& in, const char* name, const envelope& which, bool of_receive)
    : all(in), call(name), what(which), receives(of_receive), who(self().running()), before(in.waiting_) {
  if (before != nullptr) before->after = this;
  in.waiting_ = this;
}

engine::waiting_call::~waiting_call() {
  (after != nullptr ? after->before : all.waiting_) = before;
  if (before != nullptr) before->after = after;
}

std::string engine::describe(const fiber::fiber& f) {
  const engine* const e = of_process();
  if (e == nullptr) return "";
  for (const waiting_call* w = e->waiting_; w != nullptr; w = w->before) {
    if (w->who != &f) continue;
    const std::string where = w->what.context % 2 != 0
                                  ? fmt::format("{}, collective {} of {}", name_of_rank(w->what.source),
                                                w->what.tag, name_of(w->what.context / 2))
                                  : fmt::format("{}, {}, {}", name_of_rank(w->what.source),
                                                name_of_tag(w->what.tag), name_of(w->what.context / 2));
    return w->receives
               ? fmt::format("{} on rank {}: a message from {}", w->call, e->rank_, where)
               : fmt::format("{} on rank {}: its message to be received by {}", w->call, e->rank_, where);
  }
  return "";
}

}  // namespace gossamer::mpi
