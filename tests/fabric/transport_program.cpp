// A program for tests/fabric/transport_test.py: what a transport must do, and how its processes end, without
// a runtime on top. transport_program MODE [RANK]; every process says "ready <rank> <pid>" on standard error
// once it is connected.
//   exchange   messages of many sizes to everybody, twice with cancelled receives between; prints "ok"
//   late       a large message to process 0, which has started a receive and waits in a barrier
//   stream     plain_stream between the first two
//   bulk       moves of many sizes between all, beside messages; nothing where the transport moves none
//   past       a move that must pass a thousand others, which wait for their receives
//   wait       polls for a message that never comes
//   barrier    waits in a barrier to which process 0 never comes
//   leave      process RANK leaves by _exit(5)
//   exit       process RANK calls exit() inside a job
//   fail       process RANK fails alone
//   quiet      process RANK says that process 0 is quiet
//   linger     process RANK ends a second before the others do
//   stays      process RANK never ends; the others wait for it to end its jobs
//   code       exchanges messages; every process ends with code RANK

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/parallel/job.hpp"

namespace {

using gossamer::fabric::transport;

constexpr std::size_t k_most_bytes = 64 << 10;

std::byte expected(unsigned from, unsigned to, std::size_t message, std::size_t at) {
  return static_cast<std::byte>(gossamer::hash64(from * 1'000'003 + to * 1'009 + message * 31 + at / 8));
}

std::size_t size_of(std::size_t message) { return message % 5 == 4 ? k_most_bytes : (message * 977) % 4096; }

/// Sends `count` messages to each process, itself included, and checks all that it gets. Every process calls
/// it.
void exchange(transport& t, std::size_t count) {
  const unsigned n = t.size(), self = t.rank();
  std::vector<std::vector<std::byte>> in(transport::k_receive_slots, std::vector<std::byte>(k_most_bytes));
  std::vector<std::vector<std::byte>> out(transport::k_send_slots, std::vector<std::byte>(k_most_bytes));
  std::vector<std::size_t> next_from(n);
  for (unsigned s = 0; s < in.size(); ++s) t.receive(s, in[s]);
  t.barrier();
  std::size_t sent = 0, done = 0, arrived = 0;
  unsigned oldest = 0;
  const std::size_t all = count * n;
  while (arrived < all || done < all) {
    if (sent < all && sent - done < out.size()) {
      const auto slot = static_cast<unsigned>(sent % out.size());
      const auto to = static_cast<unsigned>(sent % n);
      const std::size_t message = sent / n, bytes = size_of(message);
      for (std::size_t i = 0; i < bytes; ++i) out[slot][i] = expected(self, to, message, i);
      t.send(slot, to, std::span(out[slot]).first(bytes));
      ++sent;
    }
    while (done < sent && t.sent(static_cast<unsigned>(done % out.size()))) ++done;
    while (const auto came = t.received(oldest)) {
      const std::size_t message = next_from[came->from]++;
      GOSSAMER_ASSERT(came->bytes == size_of(message), "another size, or out of order");
      for (std::size_t i = 0; i < came->bytes; ++i)
        GOSSAMER_ASSERT(in[oldest][i] == expected(came->from, self, message, i), "another message");
      t.receive(oldest, in[oldest]);
      oldest = (oldest + 1) % transport::k_receive_slots;
      ++arrived;
    }
  }
  t.barrier();
  t.cancel_receives();
}

/// Process 1 sends what is larger than any buffer on the way; process 0 takes it while it waits in a barrier.
void send_late(transport& t) {
  constexpr std::size_t k_bytes = 3 << 20;
  std::vector<std::byte> data(k_bytes);
  if (t.rank() == 0) t.receive(0, data);
  if (t.rank() == 1) {
    for (std::size_t i = 0; i < k_bytes; ++i) data[i] = expected(1, 0, 0, i);
    t.send(0, 0, data);
    while (!t.sent(0)) {}
  }
  t.barrier();
  if (t.rank() != 0) return;
  while (!t.received(0)) {}
  for (std::size_t i = 0; i < k_bytes; ++i)
    GOSSAMER_ASSERT(data[i] == expected(1, 0, 0, i), "another message");
}

/// Sends each other process blocks by moves, whose receives are started in another order than the sends. Uses tags and slots
/// again. Every process calls it.
void move_blocks(transport& t) {
  constexpr unsigned k_tags = 40, k_rounds = 3;
  if (t.bulk_tags() == 0) return;
  GOSSAMER_ASSERT(t.bulk_tags() >= 32767, "fewer tags than MPI promises");
  const auto bytes_of = [](unsigned tag) { return std::size_t{1} << tag % 20; };
  for (unsigned round = 0; round < k_rounds; ++round) {
    std::vector<std::vector<std::byte>> out, in;
    unsigned slot = 0;
    for (unsigned other = 0; other < t.size(); ++other)
      for (unsigned k = 0; k < k_tags && other != t.rank(); ++k) {
        auto& data = out.emplace_back(bytes_of(k));
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = expected(t.rank(), other, k + round, i);
        t.bulk_send(slot++, other, k, data);
      }
    const unsigned first_in = slot;
    for (unsigned other = 0; other < t.size(); ++other)
      for (unsigned k = k_tags; k-- > 0 && other != t.rank();)
        t.bulk_receive(slot++, other, k, in.emplace_back(bytes_of(k)));
    std::vector<unsigned> open(slot);  // all are looked at in turn: a look may be all that gets a move on
    std::iota(open.begin(), open.end(), 0U);
    while (!open.empty()) std::erase_if(open, [&t](unsigned s) { return t.bulk_over(s); });
    unsigned at = 0;
    for (unsigned other = 0; other < t.size(); ++other)
      for (unsigned k = k_tags; k-- > 0 && other != t.rank(); ++at)
        for (std::size_t i = 0; i < in[at].size(); ++i)
          GOSSAMER_ASSERT(in[at][i] == expected(other, t.rank(), k + round, i), "another block");
    GOSSAMER_ASSERT(at == slot - first_in);
  }
  t.barrier();
}

/// Process 0 sends many blocks that process 1 receives only when it has received the last one.
void move_past_others(transport& t) {
  constexpr unsigned k_before = 1000;
  if (t.bulk_tags() == 0) return;
  std::vector<std::vector<std::byte>> blocks(k_before + 1, std::vector<std::byte>(100'000));
  std::vector<unsigned> open(k_before + 1);
  std::iota(open.begin(), open.end(), 0U);
  const auto finish = [&t](std::vector<unsigned> slots) {
    while (!slots.empty()) std::erase_if(slots, [&t](unsigned s) { return t.bulk_over(s); });
  };
  if (t.rank() == 0) {
    for (unsigned k = 0; k <= k_before; ++k) {
      for (std::size_t i = 0; i < blocks[k].size(); ++i) blocks[k][i] = expected(0, 1, k, i);
      t.bulk_send(k, 1, k, blocks[k]);
    }
    finish({k_before});
    t.barrier();
    open.pop_back();
    finish(open);
  } else if (t.rank() == 1) {
    t.bulk_receive(k_before, 0, k_before, blocks[k_before]);
    finish({k_before});
    t.barrier();
    for (unsigned k = 0; k < k_before; ++k) t.bulk_receive(k, 0, k, blocks[k]);
    open.pop_back();
    finish(open);
    for (unsigned k = 0; k <= k_before; ++k)
      for (std::size_t i = 0; i < blocks[k].size(); ++i)
        GOSSAMER_ASSERT(blocks[k][i] == expected(0, 1, k, i), "another block");
  } else {
    t.barrier();
  }
  t.barrier();
}

int run(const std::string& mode, unsigned chosen) {
  transport* const t = gossamer::fabric::connected_transport();
  if (t == nullptr) {
    fmt::print("alone\n");
    return 0;
  }
  auto& peers = *gossamer::fabric::peers();
  GOSSAMER_ASSERT(gossamer::fabric::connected_transport() == t);
  fmt::print(stderr, "ready {} {}\n", t->rank(), ::getpid());
  const bool is_chosen = t->rank() == chosen;
  if (mode == "exchange") {
    exchange(*t, 200);
    exchange(*t, 100);
  } else if (mode == "code") {
    exchange(*t, 100);
    std::atexit([] { fmt::print("at the end\n"); });
    return static_cast<int>(chosen);
  } else if (mode == "late") {
    send_late(*t);
  } else if (mode == "stream") {
    if (t->rank() < 2 && t->plain_stream(0, 1, 4096, 1000) <= 0) throw gossamer::error("no time passed");
    t->barrier();
  } else if (mode == "bulk") {
    move_blocks(*t);
  } else if (mode == "past") {
    move_past_others(*t);
  } else if (mode == "linger") {
    if (!is_chosen) ::sleep(1);
  } else if (mode == "stays") {
    while (is_chosen) ::pause();
  } else {
    peers.job_began();
    if (is_chosen && mode == "leave") ::_exit(5);
    if (is_chosen && mode == "exit") std::exit(0);
    if (is_chosen && mode == "fail") peers.fail("nothing works");
    if (is_chosen && mode == "quiet") peers.give_up(0);
    if (mode == "barrier" && t->rank() != 0) t->barrier();
    std::vector<std::byte> never(64);
    t->receive(0, never);
    while (!t->received(0)) {}
  }
  if (t->rank() == 0) fmt::print("ok {} of {}\n", t->description(), t->size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  gossamer::machine::install_interrupt_handlers();
  int code = 0;
  const int failed = gossamer::parallel::report_errors([&] {
    code = run(argc > 1 ? argv[1] : "exchange", argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1);
  });
  return failed != 0 ? failed : code;
}
