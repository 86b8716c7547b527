#include "gossamer/fabric/peer_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/program_digest.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::fabric {
namespace {

/// The data that each process sends to all others.
struct introduction {
  machine::process_identity who;
  machine::program_digest what;
  std::uint64_t processors;  // that it may use, as a number to compare
};

std::uint64_t own_processors() {
  std::uint64_t mixed = 0;
  for (const unsigned id : machine::affinity()) mixed = hash64(mixed ^ (id + 1));
  return mixed;
}

/// Gathers the data of all through process 0, so that no other pair of processes needs a connection yet. The watches of
/// two nodes then know each other before a firewall between them can block the job, and report it. Process 0 waits
/// for all; the watch of the node bounds that by its time-out.
void gather_by_first(transport& between, std::span<const std::byte> mine, std::span<std::byte> all) {
  const auto wait = [](auto is_over) {
    while (!is_over()) machine::yield_thread();
  };
  const auto receive = [&](std::span<std::byte> into) {
    std::optional<transport::arrival> came;
    between.receive(0, into);
    wait([&] { return (came = between.received(0)).has_value(); });
    return came->from;
  };
  const auto send = [&](unsigned to, std::span<const std::byte> data) {
    between.send(0, to, data);
    wait([&] { return between.sent(0); });
  };
  if (between.rank() != 0) {
    send(0, mine);
    receive(all);
    return;
  }
  std::ranges::copy(mine, all.begin());
  std::vector<std::byte> one(mine.size());
  for (unsigned n = 1; n < between.size(); ++n) {
    const unsigned from = receive(one);
    std::ranges::copy(one, all.begin() + static_cast<std::ptrdiff_t>(from * one.size()));
  }
  for (unsigned to = 1; to < between.size(); ++to) send(to, all);
}

std::vector<introduction> introduce(transport& between, const machine::node_watch& node) {
  introduction mine{node.self(), machine::digest_of_self(GOSSAMER_VERSION), own_processors()};
  mine.who.rank = between.rank();
  std::vector<introduction> all(between.size());
  constexpr unsigned k_most_by_first = 64;  // process 0 would send too much to more
  const auto own = std::as_bytes(std::span(&mine, 1));
  const auto of_all = std::as_writable_bytes(std::span(all));
  if (between.size() <= k_most_by_first)
    gather_by_first(between, own, of_all);
  else
    between.all_gather(own, of_all);
  return all;
}

void require_same(const introduction& first, const introduction& other) {
  if (first.what == other.what) return;
  const char* what = "another build of the program";
  const char* advice = "install the same build on every node";
  if (first.what.program == other.what.program) {
    what = first.what.arguments != other.what.arguments ? "other arguments" : "other GOSSAMER_ settings";
    advice = first.what.arguments != other.what.arguments
                 ? "every process of a job needs the same command line"
                 : "pass them on to every node (mpirun -x NAME with Open MPI)";
  }
  throw error(
      fmt::format("{} was started with {} than {}: {}", other.who.name(), what, first.who.name(), advice));
}

}  // namespace

peer_watch::peer_watch(transport& between, machine::node_watch& node, std::uint32_t timeout_s)
    : between_(between), node_(node), rank_(between.rank()), timeout_s_(timeout_s) {
  const auto introduced = introduce(between, node);
  const introduction& self = introduced[rank_];
  std::vector<std::uint32_t> on_this_node;
  for (const introduction& i : introduced) {
    all_.push_back(i.who);
    if (i.who.on_node_of(self.who)) on_this_node.push_back(i.who.pid);
    if (i.who.on_node_of(self.who) && i.processors == self.processors) ++sharing_;
  }
  machine::share_memory_with(std::move(on_this_node));
  node.watch(all_, timeout_s);
  for (const introduction& i : introduced) require_same(introduced.front(), i);
}

bool peer_watch::outlive(std::function<void(const std::string&)> lost) {
  if (!between_.outlive(true)) return false;
  const bool may = node_.outlive([this, lost = std::move(lost)](const std::string& what) {
    loss_ = what;
    lost(what);
  });
  if (!may) between_.outlive(false);
  return outlives_ = may;
}

bool peer_watch::end_with_others() {
  if (!outlives_) return true;
  outlives_ = !node_.end_with_others();
  if (!outlives_) between_.outlive(false);
  return !outlives_;
}

void peer_watch::give_up(unsigned process) {
  if (!node_.has_spoken(0) && node_.may_speak())
    machine::print_error(fmt::format("{} has not answered for {} s", name(process), timeout_s_));
  end_job();
}

void peer_watch::fail(const char* what) {
  constexpr unsigned k_wait_ms = 200;  // an error of the transport may come from the loss of a process
  if (!node_.has_spoken(k_wait_ms)) machine::print_error(fmt::format("{}: {}", name(rank_), what));
  end_job();
}

void peer_watch::end_job() {
  constexpr int k_code = 2;
  std::fflush(stderr);
  machine::wait_for_readers();
  between_.abort(k_code);
  std::_Exit(k_code);  // gcc 12 does not believe a virtual function that it never returns
}

}  // namespace gossamer::fabric
