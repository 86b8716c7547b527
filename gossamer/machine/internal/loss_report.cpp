#include "gossamer/machine/internal/loss_report.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/internal/socket_name.hpp"
#include "gossamer/machine/internal/starting_group.hpp"

namespace gossamer::machine {

void loss_report::lost(const watched_process& which, int status) noexcept {
  char how[64] = "";
  if (status >= 0 && WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    std::snprintf(how, sizeof how, " (killed by SIG%s)", name != nullptr ? name : "?");
  } else if (status >= 0 && WIFEXITED(status)) {
    std::snprintf(how, sizeof how, " (it exited with code %d)", WEXITSTATUS(status));
  }
  char line[k_most];
  say(line, std::snprintf(line, sizeof line, "error: process %u (pid %d on %s) was lost%s\n", which.rank,
                          which.pid, page_.host, how));
}

void loss_report::stopped(std::uint32_t rank, int pid) noexcept {
  char line[k_most];
  say(line, std::snprintf(line, sizeof line,
                          "error: process %u (pid %d on %s) has not answered for %u s: it is stopped\n", rank,
                          pid, page_.host, page_.stopped_s));
}

void loss_report::silent(const heartbeat_peer& node) noexcept {
  char line[k_most];
  say(line, std::snprintf(line, sizeof line, "error: process %u (pid %u on %s) has not answered for %u s\n",
                          node.rank, node.pid, node.host, page_.stopped_s));
}

void loss_report::apart(const heartbeat_peer& node, const heartbeat_peer& hearer) noexcept {
  char line[k_most];
  say(line, std::snprintf(
                line, sizeof line,
                "error: process %u (pid %u on %s) has not answered process %u (pid %d on %s) for %u s, but "
                "answers process %u (pid %u on %s): does a firewall stop packets between %s and %s?\n",
                node.rank, node.pid, node.host, page_.peers[0].rank, page_.peers[0].pid, page_.host,
                page_.stopped_s, hearer.rank, hearer.pid, hearer.host, node.host, page_.host));
}

void loss_report::launcher_lost() noexcept {
  char line[k_most];
  say(line, std::snprintf(line, sizeof line, "error: %s (pid %d on %s), the parent of process %u, was lost\n",
                          page_.launcher_name, page_.launcher, page_.host, page_.peers[0].rank));
}

void loss_report::waited(const starting_group& group) noexcept {
  char line[k_most], missing[96];
  group.list_missing(missing);
  say(line, std::snprintf(
                line, sizeof line,
                "error: process %u (pid %d on %s) has waited %u s for the other processes of the job "
                "to start: %u of %u are on this node, and not %s; GOSSAMER_PEER_TIMEOUT_S sets how long\n",
                page_.peers[0].rank, page_.peers[0].pid, page_.host, page_.stopped_s, group.seen(),
                page_.processes, missing));
}

void loss_report::ended_in_order(const watched_process& which, bool was_printed) noexcept {
  char line[k_most];
  if (!tell_survivor(line, std::snprintf(line, sizeof line, "error: process %u (pid %d on %s) has ended\n",
                                         which.rank, which.pid, page_.host)))
    page_.said.store(was_printed, std::memory_order_release);  // pairs with the handlers' acquire
}

/// Notifies the process that has this watch of the loss, if it survives.
bool loss_report::tell_survivor(const char* line, int length) noexcept {
  constexpr int k_prefix = sizeof "error: " - 1;
  if (owner_is_gone_ || page_.survivor.load(std::memory_order_relaxed) != k_lives_on) return false;
  const int bytes = std::min(length - k_prefix - 1, static_cast<int>(sizeof page_.loss) - 1);
  std::memcpy(page_.loss, line + k_prefix, static_cast<std::size_t>(bytes));
  std::uint32_t expected = k_lives_on;
  owner_survives_ = page_.survivor.compare_exchange_strong(
      expected, k_told, std::memory_order_release);  // pairs with the listener's load: it reads `loss`
  if (owner_survives_) shared_futex_wake_all(page_.survivor);
  return owner_survives_;
}

void loss_report::say(const char* line, int length) noexcept {
  if (tell_survivor(line, length)) return;
  page_.said.store(true, std::memory_order_release);  // pairs with the handlers' acquire
  was_printed_ = (!deferred_ || is_first_) && take("lost");
  if (was_printed_) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
  }
}

bool loss_report::take(const char* what) const noexcept {
  return take_name(what, page_.pid_namespace, page_.parent, page_.parent_start);
}

}  // namespace gossamer::machine
