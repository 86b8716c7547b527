#pragma once
// The MPI of one process: its communicators, open requests, matching, and messages to the other ranks. Everything is on the
// home core, the first of the process, so that there are no locks; calls of other cores travel there (call.hpp).
//
// Small messages are copied and kept by the receiver until they are received. Credits bound them: a sender has at most
// `credit_` bytes on their way to, or kept by, one receiver. Beyond that, and where a message is large, only its envelope travels,
// in the same lane; the data stays with the sender until a receive has matched it, and then goes by the two-sided messages
// of the layer `message` under a tag of its own. So a send that finds no credit waits for its receive, as MPI allows.
// Handlers match and copy; what has to be issued then (asking for large data, returning credits) a service fiber does.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/mpi/include/mpi.h"
#include "gossamer/mpi/internal/failure.hpp"
#include "gossamer/mpi/internal/operation.hpp"

namespace gossamer::parallel {
class core;
}

namespace gossamer::mpi {

/// What the program calls, in this process; as main() gets it.
using program_main = int (*)(int, char**, char**);

class engine {
 public:
  engine(int argc, char** argv, char** environment, program_main program);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Returns the engine of this process; null outside of a program of gossamer-mpicc.
  static engine* of_process() {
    if (const auto* const process = machine::simulated()) [[unlikely]]
      return of_simulated(*process);
    return s_engine;
  }

  // --- the program --------------------------------------------------------------------------

  /// Runs the program in a fiber of the home core; returns when it has ended. By a fiber of the home core.
  void run_program();
  /// Ends the program of this process from any of its fibers.
  [[noreturn]] void exit_program(int code);
  int exit_code() const { return code_; }

  enum class phase : std::uint8_t { before, running, ended };
  /// Returns what MPI allows now. Any thread, also before and after the program.
  static phase now() { return s_phase; }
  /// Begins MPI_Init's to MPI_Finalize's time.
  void begin() { s_phase = phase::running; }
  /// Ends it: collective. Names what was not received.
  void end();

  // --- communicators --------------------------------------------------------------------------

  struct communicator {
    bool live = false;
    bool returns_errors = false;
    std::uint32_t collectives = 0;  // begun, by which their messages are told apart
  };
  int rank() const { return rank_; }
  /// Returns the core that everything is on.
  core_id home() const { return home_; }
  int size() const { return size_; }
  /// Returns the number of a communicator that is in use; throws failure otherwise.
  std::uint32_t number_of(MPI_Comm comm) const;
  communicator& at(std::uint32_t number) { return communicators_[number]; }
  /// Returns whether errors of calls with this handle are returned.
  bool returns_errors(MPI_Comm comm) const;
  /// Makes communicator `number` usable here.
  void make(std::uint32_t number, bool returns_errors);
  /// Draws a number that no communicator had. By rank 0.
  std::uint32_t draw_number();
  static std::string name_of(std::uint32_t communicator);

  // --- messages -----------------------------------------------------------------------------

  /// Starts a send. Suspends while packets are out.
  void send(operation& op, const char* call, std::uint32_t context, int to, int tag,
            std::span<const std::byte> data);
  /// Sends a small message at once, for a call that blocks, where nothing else would leave with it. Returns false where send() must.
  bool send_at_once(std::uint32_t context, int to, int tag, std::span<const std::byte> data);
  /// Starts a receive.
  void receive(operation& op, const char* call, std::uint32_t context, int from, int tag,
               std::span<std::byte> into);
  /// Suspends until it is done; of a send, until what this core has sent has left, too. Throws failure where another fiber waits
  /// for it.
  void wait(operation& op);
  /// Returns whether it is done. Where it is not, lets other fibers run first; with `yields` also where it is. Throws failure
  /// where another fiber waits for it.
  bool test(operation& op, bool yields = true);
  /// Suspends until a message is there, and returns it.
  const message_kept& probe(const char* call, const envelope& what);
  /// Lets other fibers run, and returns the message that a receive would take then; null where there is none.
  const message_kept* look(const envelope& what);

  // --- requests ------------------------------------------------------------------------------

  /// Makes an operation with a handle.
  operation& open(MPI_Request& handle);
  /// Returns the operation of a handle; throws failure where it has none, or no more.
  operation& find(MPI_Request handle);
  /// Ends a handle, whose operation is done.
  void close(MPI_Request handle);

  // --- for handlers ---------------------------------------------------------------------------

  void arrive(const envelope& what, const std::byte* data, std::size_t bytes);
  void arrive_large(const envelope& what, std::uint64_t number, std::size_t bytes);
  void credit(unsigned rank, std::uint64_t bytes) { peers_[rank].on_their_way -= bytes; }

 private:
  /// Stands on the stack of a fiber that waits, for reports.
  struct waiting_call {
    waiting_call(engine& in, const char* name, const envelope& which, bool of_receive);
    ~waiting_call();
    waiting_call(const waiting_call&) = delete;
    waiting_call& operator=(const waiting_call&) = delete;
    engine& all;
    const char* call;
    envelope what;
    bool receives;
    fiber::fiber* waiter;
    waiting_call* before;
    waiting_call* after = nullptr;
  };
  struct slot {
    operation op;
    std::uint32_t generation = 0;
    bool open = false;
  };
  struct peer {
    std::uint64_t on_their_way = 0;  // bytes of small messages to it that it has not received
    std::uint64_t received = 0;  // bytes of small messages from it, not reported yet
    bool to_report = false;
  };

  static engine* of_simulated(const machine::simulated_system& process);
  static std::string describe(const fiber::fiber& f);
  static void program_entry(void* self);
  static void service_entry(void* self);
  void serve();
  bool has_service() const { return first_matched_ != nullptr || !credits_due_.empty(); }
  void need_service();
  void ask_for_data(operation& op);
  message_kept& keep(const envelope& what, std::size_t bytes, std::size_t room);
  void fill(operation& op, const envelope& what, const std::byte* data, std::size_t bytes);
  void match_large(operation& op, const envelope& what, std::uint64_t number, std::size_t bytes);
  void complete(operation& op);
  void consumed(int rank, std::size_t bytes);
  void name_unreceived();
  void end_program(int code);
  void let_messages_leave();
  void wait_suspended(operation& op);

  static constinit engine* s_engine;  // of a real process
  static constinit std::atomic<phase> s_phase;  // outlives the engine: handlers of atexit() may ask

  const int argc_;
  char** const argv_;
  char** const environment_;
  const program_main program_;
  void* scope_ = nullptr;  // the completion that the program runs under
  fiber::event ended_;
  int code_ = 0;

  core_id home_ = 0;
  int rank_ = 0, size_ = 1;
  std::vector<communicator> communicators_;  // by number
  std::uint32_t next_number_ = 1;
  basic_matcher<operation, message_kept> matcher_;
  std::vector<peer> peers_;  // by rank
  std::uint64_t credit_ = 0;  // bytes of small messages to one receiver
  std::uint64_t next_large_ = 0;
  std::uint64_t written_ = 0;  // times that messages were written into packets
  std::uint64_t flushed_ = 0;  // of those, how many flush() has sent
  operation* first_matched_ = nullptr;  // large messages whose data is to be asked for
  operation* last_matched_ = nullptr;
  std::vector<unsigned> credits_due_;  // ranks; each at most once
  bool serving_ = false;
  fiber::wait_queue probes_;
  waiting_call* waiting_ = nullptr;
  std::vector<std::unique_ptr<slot>> slots_;  // at most k_most_requests
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace gossamer::mpi
