#include "gossamer/machine/internal/process_table.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "gossamer/machine/internal/process_stat.hpp"
#include "gossamer/machine/interrupt.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_dying_ns = 500'000'000;  // from the first sign of an end to the end
constexpr std::uint64_t k_unheld_ns = 100'000'000;  // between polls of processes without a descriptor

}  // namespace

int kept_descriptor(int descriptor, int most_descriptors) noexcept {
  constexpr int k_spare = 4;
  if (descriptor < most_descriptors - k_spare) return descriptor;  // the kernel gives the lowest free number
  ::close(descriptor);
  errno = EMFILE;
  return -1;
}

process_table::~process_table() {
  for (const peer& p : peers_)
    if (p.descriptor >= 0) ::close(p.descriptor);
}

void process_table::hold_first(int descriptor) noexcept {
  peers_[0].descriptor = descriptor;
  count_ = 1;
  events_.add(descriptor, 0);
}

void process_table::hold_all(std::uint32_t count, int most_descriptors, std::uint64_t now_ns) noexcept {
  events_.remove(peers_[0].descriptor);
  if (peers_[0].descriptor >= 0) ::close(peers_[0].descriptor);
  count_ = count;
  for (std::uint32_t i = 0; i < count_; ++i) {
    peers_[i] = {};
    hold(i, most_descriptors, now_ns);
  }
}

void process_table::hold(std::uint32_t i, int most_descriptors, std::uint64_t now_ns) noexcept {
  const watched_process& p = known_[i];
  const int held = kept_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, p.pid, 0)), most_descriptors);
  const bool is_short = held < 0 && errno != ESRCH && errno != EINVAL;
  if (start_time_of(p.pid) != p.start_time) {
    if (held >= 0) ::close(held);
  } else if (held >= 0) {
    peers_[i].descriptor = held;
    events_.add(held, i);
  } else if (is_short) {  // a lack of descriptors is not a death
    peers_[i].unheld = true;
    next_unheld_ = now_ns + k_unheld_ns;
  }
}

void process_table::end_missing(sighting seen) noexcept {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (peers_[i].descriptor < 0 && !peers_[i].unheld) ended(i, seen);
}

std::optional<std::uint32_t> process_table::find(std::uint32_t rank, int pid) const noexcept {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (known_[i].rank == rank && known_[i].pid == pid) return i;
  return {};
}

bool process_table::all_gone() const noexcept {
  return std::all_of(peers_.begin(), peers_.begin() + count_, [](const peer& p) { return p.gone; });
}

bool process_table::one_leaves() const noexcept {
  return std::any_of(peers_.begin(), peers_.begin() + count_, [](const peer& p) { return p.leaving; });
}

void process_table::begins_to_die(std::uint32_t i, sighting seen) noexcept {
  if (peers_[i].dying || deaths_ == order_.size()) return;
  peers_[i].dying = true;
  peers_[i].dying_since = seen.now_ns;
  peers_[i].unordered = !seen.ordered;
  order_[deaths_++] = i;
}

void process_table::ended(std::uint32_t i, sighting seen) noexcept {
  peer& p = peers_[i];
  if (p.gone) return;
  p.gone = true;
  remove_temporaries_of(known_[i].pid);
  p.status = p.descriptor < 0 ? -1 : wait_status_of(known_[i].pid, known_[i].start_time, p.descriptor);
  events_.remove(p.descriptor);
  begins_to_die(i, seen);
}

std::optional<std::uint32_t> process_table::next_death(std::uint64_t now_ns) noexcept {
  while (told_ < deaths_) {
    const std::uint32_t i = order_[told_];
    if (!peers_[i].gone && now_ns < peers_[i].dying_since + k_dying_ns) return {};
    ++told_;
    if (peers_[i].gone) return i;
    peers_[i].dying = false;
  }
  return {};
}

std::uint64_t process_table::forgets_at() const noexcept {
  return one_dies() ? peers_[order_[told_]].dying_since + k_dying_ns : k_never;
}

bool process_table::poll_unheld(sighting seen) noexcept {
  if (next_unheld_ == k_never || seen.now_ns < next_unheld_) return false;
  next_unheld_ = k_never;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!peers_[i].unheld || peers_[i].gone) continue;
    const process_stat now = stat_of(known_[i].pid);
    if (now.start_time == known_[i].start_time && now.state != 'Z')
      next_unheld_ = seen.now_ns + k_unheld_ns;
    else
      ended(i, seen);
  }
  return true;
}

int process_table::likelihood(std::uint32_t i) const noexcept {
  const int status = peers_[i].status;
  if (status < 0) return peers_[i].descriptor < 0 ? 1 : 0;
  const bool dealt_out = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
  return dealt_out ? 0 : 2;
}

std::uint32_t process_table::cause_of(std::uint32_t i, sighting seen) noexcept {
  if (!peers_[i].unordered) return i;
  std::uint32_t cause = i;
  for (std::uint32_t other = 0; other < count_; ++other) {
    pollfd ready{peers_[other].descriptor, POLLIN, 0};
    if (!peers_[other].gone && ready.fd >= 0 && ::poll(&ready, 1, 0) == 1) ended(other, seen);
    if (peers_[other].gone && peers_[other].unordered && likelihood(other) > likelihood(cause)) cause = other;
  }
  return cause;
}

std::optional<std::uint32_t> process_table::find_stopped(unsigned checks, bool alone_counts) noexcept {
  std::uint32_t stopped = 0, longest = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const bool is = !peers_[i].gone && stat_of(known_[i].pid).state == 'T';
    stopped += is ? 1 : 0;
    peers_[i].stopped_checks = is ? peers_[i].stopped_checks + 1 : 0;
    if (peers_[i].stopped_checks > peers_[longest].stopped_checks) longest = i;
  }
  if (stopped == count_ && !alone_counts)
    for (std::uint32_t i = 0; i < count_; ++i) peers_[i].stopped_checks = 0;
  return peers_[longest].stopped_checks > checks ? std::optional(longest) : std::nullopt;
}

void process_table::signal_all(int number, bool spares_first) const noexcept {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (peers_[i].gone || (i == 0 && spares_first)) continue;
    if (peers_[i].descriptor >= 0)
      ::syscall(SYS_pidfd_send_signal, peers_[i].descriptor, number, nullptr, 0);
    else if (start_time_of(known_[i].pid) == known_[i].start_time)
      ::kill(known_[i].pid, number);
  }
}

}  // namespace gossamer::machine
