// The engine of a rank in simulated processes. tests/simulation/protocols/mpi.cpp draws its traffic, tests/mpi has programs.
#include "gossamer/mpi/internal/engine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::mpi {
namespace {

std::span<const std::byte> bytes_of(const std::uint64_t& word) { return std::as_bytes(std::span(&word, 1)); }

/// Runs a program in every process of a cluster with few packets.
void run_ranks(program_main program) {
  static std::vector<std::unique_ptr<engine>> engines;
  job_options o;
  o.cores = 1;
  o.packet_bytes = 2048;
  o.wire_packet_bytes = 4096;
  o.wire_packets = 4;
  o.simulate = simulation::options::parse("processes=2 seed=1");
  run(o, [program] {
    engines.resize(processes());
    on_all_processes(
        [program] { engines[process()] = std::make_unique<engine>(0, nullptr, nullptr, program); });
    on_all_processes([] { engine::of_process()->run_program(); });
  });
  engines.clear();
}

/// Rank 1 computes, so that packets run out at rank 0. There a fiber that sends must wait for one, and another fiber waits for an
/// earlier send meanwhile. The last message is 0.
int send_while_others_wait(int, char**, char**) {
  engine& e = *engine::of_process();
  if (e.rank() == 1) {
    charge_work(100'000'000);
    for (std::uint64_t got = 1; got != 0;) {
      operation op;
      e.receive(op, "receive", 0, 0, 1, std::as_writable_bytes(std::span(&got, 1)));
      e.wait(op);
    }
    return 0;
  }
  const std::uint64_t one = 1, none = 0;
  operation earlier, last;
  e.send(earlier, "send", 0, 1, 1, bytes_of(one));
  bool sending = false, over = false, waited = false;
  auto other = start([&] {
    while (!sending && !over)
      yield();  // where it runs while the first fiber sends, that one waits for a packet
    const bool other_waits = sending;
    e.wait(earlier);
    waited = other_waits;
  });
  constexpr unsigned k_most = 10'000;
  for (unsigned i = 0; i < k_most && !waited; ++i) {
    operation op;
    sending = true;
    e.send(op, "send", 0, 1, 1, bytes_of(one));
    sending = false;
    e.wait(op);
    auto& core = message::endpoint::here();
    const std::uint64_t left = core.count().messages;
    core.flush();
    EXPECT_EQ(core.count().messages, left) << "message " << i << " had not left when its wait returned";
    yield();
  }
  over = true;
  other.join();
  EXPECT_TRUE(waited) << "packets have not run out";
  e.send(last, "send", 0, 1, 1, bytes_of(none));
  e.wait(last);
  return 0;
}

TEST(Engine, AWaitReturnsWhenItsMessageHasLeft) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  run_ranks(&send_while_others_wait);
}

}  // namespace
}  // namespace gossamer::mpi
