#include "gossamer/mpi/internal/engine.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include <fmt/core.h>

#include "gossamer/machine/standard_error.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/mpi/internal/home.hpp"
#include "gossamer/mpi/internal/thread_end.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t k_most_requests = std::size_t{1} << 20;
constexpr std::uint32_t k_most_communicators = 1 << 20;
constexpr std::uint64_t k_credit_of_process = 64 << 20;  // bytes kept from all ranks together
constexpr std::uint64_t k_least_credit = 16 << 10, k_most_credit = 1 << 20;

parallel::core& self() { return parallel::core::here(); }

std::string name_of_rank(int rank) { return rank == k_open ? "any rank" : fmt::format("rank {}", rank); }
std::string name_of_tag(int tag) { return tag == k_open ? "any tag" : fmt::format("tag {}", tag); }

}  // namespace

constinit engine* engine::s_engine = nullptr;
constinit std::atomic<engine::phase> engine::s_phase = engine::phase::before;

namespace {
/// Returns the engines of simulated processes, which tests of the layer make. A simulation runs on one thread.
std::map<const machine::simulated_system*, engine*>& simulated_engines() {
  static auto& all =
      *new std::map<const machine::simulated_system*, engine*>;  // engines may end after all else
  return all;
}
}  // namespace

engine::engine(int argc, char** argv, char** environment, program_main program)
    : argc_(argc), argv_(argv), environment_(environment), program_(program) {
  if (const auto* const process = machine::simulated())
    simulated_engines()[process] = this;
  else
    s_engine = this;
  make(0, false);
}

engine::~engine() {
  if (s_engine == this) s_engine = nullptr;
  std::erase_if(simulated_engines(), [this](const auto& one) { return one.second == this; });
}

engine* engine::of_simulated(const machine::simulated_system& process) {
  const auto at = simulated_engines().find(&process);
  return at != simulated_engines().end() ? at->second : nullptr;
}

// --- the program ------------------------------------------------------------------------------

void engine::program_entry(void* argument) {
  auto& e = *static_cast<engine*>(argument);
  self().set_local(e.scope_);
  int code = 0;
  try {
    code = e.program_(e.argc_, e.argv_, e.environment_);
  } catch (...) {
    if (!is_thread_exit(std::current_exception())) end_job(message::text_of(std::current_exception()));
    wait_for_threads();
  }
  e.end_program(code);
}

/// Lets run_program() return; the first code counts. Home core.
void engine::end_program(int code) {
  if (ended_.is_set()) return;
  code_ = code;
  ended_.set();
}

void engine::run_program() {
  home_ = first_core(process());
  rank_ = static_cast<int>(process());
  size_ = static_cast<int>(processes());
  peers_.resize(processes());
  credit_ = std::clamp(k_credit_of_process / processes(), k_least_credit, k_most_credit);
  self().describe_waits_by(&engine::describe);
  scope_ = self().scope();
  if (self().start(&program_entry, this, "the program", fiber::stack_class::large) == nullptr)
    self().refuse(fiber::stack_class::large);
  self().name_task("the rank's start");
  ended_.wait("the end of the program");
  self().describe_waits_by(nullptr);
  if (now() == phase::running)
    machine::print_warning(fmt::format("rank {} has ended without MPI_Finalize", rank_));
}

void engine::exit_program(int code) {
  at_home([&] { end_program(code); });
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
  s_phase = phase::ended;
}

void engine::name_unreceived() {
  constexpr unsigned k_shown = 8;
  unsigned found = 0;
  const auto warn = [&](const char* what, const envelope& e, std::size_t bytes, const char* more) {
    if (++found <= k_shown)
      machine::print_warning(fmt::format("MPI_Finalize on rank {}: {} from {}, {}, {}, {} bytes{}", rank_,
                                         what, name_of_rank(e.source), name_of_tag(e.tag),
                                         name_of(e.context / 2), bytes, more));
  };
  // Large ones are taken, so that their senders can end.
  while (const message_kept* m = matcher_.first_message()) {
    warn("no call has received the message", m->what, m->bytes, "");
    operation drain;  // truncated to nothing
    receive(drain, "MPI_Finalize", m->what.context, m->what.source, m->what.tag, {});
    wait(drain);
  }
  matcher_.visit_receives([&](const operation& r) {
    warn(r.call[4] == 'I' ? "an open MPI_Irecv waits for a message" : "an open receive waits for a message",
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
    : all(in), call(name), what(which), receives(of_receive), waiter(self().running()), before(in.waiting_) {
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
    if (w->waiter != &f) continue;
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
