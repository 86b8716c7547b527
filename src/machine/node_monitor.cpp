#include "node_monitor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "shared_segments.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_ms = 1'000'000;
constexpr std::uint64_t k_ask_ms = 1000;       // between SIGTERM and SIGKILL
constexpr std::uint64_t k_linger_ms = 1500;    // how long others of this job must not repeat what was said
constexpr std::uint64_t k_interrupt_ms = 300;  // within which all end where somebody ends the whole job
constexpr std::uint64_t k_dying_ms = 500;  // from the first sign of an end to the end
constexpr std::uint64_t k_modesty_ms = 100;  // for which who was killed at the start lets others speak
constexpr std::uint64_t k_never = ~std::uint64_t{0};

/// A field of /proc/<pid>/stat, counted from the state (3): 0 where there is none. 'T' is the state's
/// character.
struct process_stat {
  char state = 0;
  std::uint64_t start_time = 0;
  int exit_code = -1;
};

process_stat stat_of(int pid) noexcept {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[2048];
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (n <= 0) return {};
  text[n] = '\0';
  const char* at = std::strrchr(text, ')');  // the name before it may hold anything
  if (at == nullptr || at[1] == '\0') return {};
  process_stat found;
  found.state = at[2];
  constexpr int k_state = 3, k_start_time = 22, k_exit_code = 52;
  int field = k_state;
  for (const char* c = at + 2; *c != '\0'; ++c) {
    if (*c != ' ') continue;
    ++field;
    std::uint64_t value = 0;
    for (const char* digit = c + 1; *digit >= '0' && *digit <= '9'; ++digit)
      value = 10 * value + static_cast<std::uint64_t>(*digit - '0');
    if (field == k_start_time) found.start_time = value;
    if (field == k_exit_code) found.exit_code = static_cast<int>(value);
  }
  return found;
}

/// From the descriptor, once the parent has collected it (Linux 6.15).
int collected_status(int descriptor) noexcept {
  struct info {  // struct pidfd_info of linux/pidfd.h, as it began
    std::uint64_t mask, cgroup;
    std::uint32_t numbers[11];
    std::int32_t exit_code;
  };
  static_assert(sizeof(info) == 64);
  constexpr std::uint64_t k_exit = 8;  // PIDFD_INFO_EXIT
  info asked = {};
  asked.mask = k_exit;
  if (::ioctl(descriptor, _IOWR(0xff, 11, info), &asked) == 0 && (asked.mask & k_exit) != 0)
    return asked.exit_code;
  return -1;
}

/// The wait status of a process that has ended, -1 where nobody tells: from /proc while its parent has not
/// collected it, which may happen meanwhile.
int status_of(int descriptor, const watched_process& p) noexcept {
  const process_stat left = stat_of(p.pid);
  if (left.state == 'Z' && left.start_time == p.start_time) return left.exit_code;
  return collected_status(descriptor);
}

class monitor {
 public:
  monitor(monitor_page& page, monitor_descriptors given) noexcept : page_(page), given_(given) {}
  [[noreturn]] void run() noexcept;

 private:
  enum class phase : std::uint8_t { starting, watching, closing, ending };
  struct peer {
    int descriptor = -1;
    int status = -1;
    bool gone = false;
    bool leaving = false;
    bool dying = false;
    bool blurred = false;  // when it began to die is not known
    std::uint64_t dying_since = 0;
    std::uint64_t stopped_since = 0;
  };
  struct link {
    int descriptor = -1;
    std::uint32_t rank = k_nobody;  // until it says
    int pid = 0;
    bool leaves = false;
  };
  // What an event is about: a peer's number, k_links + a link's number, or one of these.
  static constexpr std::uint32_t k_nobody = ~0u, k_control = ~0u - 1, k_listener = ~0u - 2,
                                 k_links = 1u << 16;

  void become_independent() noexcept;
  void add(int descriptor, std::uint32_t what) noexcept;
  int wait_ms() const noexcept;
  void handle(std::uint32_t what) noexcept;
  void take_commands() noexcept;
  void obey(char command) noexcept;
  void take_all() noexcept;
  void take_links() noexcept;
  void read_link(std::uint32_t l) noexcept;
  void note(const link& from, bool closed) noexcept;
  void dying(std::uint32_t i) noexcept;
  void died(std::uint32_t i) noexcept;
  void settle() noexcept;
  void judge(std::uint32_t i) noexcept;
  void look_for_stopped() noexcept;
  void at_deadline() noexcept;
  std::uint32_t cause_of(std::uint32_t i) noexcept;
  bool lost_another_at_start(std::uint32_t own) noexcept;
  void lost(std::uint32_t first) noexcept;
  void say(const char* line, int length) noexcept;
  bool take_name(const char* what) const noexcept;
  void end_the_others() noexcept;
  void signal_all(int signal_number) noexcept;
  bool all_gone() const noexcept;
  bool anybody_leaving() const noexcept;

  monitor_page& page_;
  monitor_descriptors given_;
  int events_ = -1;
  phase phase_ = phase::starting;
  std::uint32_t count_ = 0;
  std::uint64_t deadline_ = k_never;
  std::uint64_t last_look_ = 0;
  bool is_first_ = false, has_word_ = false;
  bool killed_ = false;
  bool quiet_ = false;
  bool draining_ = false;  // what is read now may be old
  bool modest_ = false;
  std::uint32_t suspect_ = 0;  // whose death the deadline is about
  std::uint32_t links_used_ = 0, closed_ = 0, deaths_ = 0, settled_ = 0;
  peer peers_[k_most_watched];
  link links_[2 * k_most_watched];
  std::uint32_t closings_[2 * k_most_watched];  // links, in the order in which they closed
  std::uint32_t order_[2 * k_most_watched];  // of the first signs of an end
};

/// Nothing of the process stays but standard error: whoever waits for the end of its output, or for its
/// connections to close, must not wait for this.
void monitor::become_independent() noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, "gossamer-watch");
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (const int n : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP, SIGALRM, SIGCHLD})
    ::sigaction(n, &ignore, nullptr);
  constexpr int k_first = 100;  // out of the way of what they are moved to
  ::fcntl(given_.control, F_SETFL, O_NONBLOCK);
  const int control = ::fcntl(given_.control, F_DUPFD_CLOEXEC, k_first);
  const int listener = given_.listener < 0 ? -1 : ::fcntl(given_.listener, F_DUPFD_CLOEXEC, k_first);
  const int own = ::fcntl(given_.own, F_DUPFD_CLOEXEC, k_first);
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
  }
  given_ = {::dup2(control, 3), listener < 0 ? -1 : ::dup2(listener, 4), ::dup2(own, 5)};
  if (::syscall(SYS_close_range, 6u, ~0u, 0u) != 0)
    for (int n = 6; n < 65536; ++n) ::close(n);
  [[maybe_unused]] const int ignored = ::chdir("/");
}

void monitor::add(int descriptor, std::uint32_t what) noexcept {
  if (descriptor < 0) return;
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.u32 = what;
  ::epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &event);
}

void monitor::run() noexcept {
  become_independent();
  events_ = ::epoll_create1(EPOLL_CLOEXEC);
  add(given_.control, k_control);
  add(given_.listener, k_listener);
  peers_[0].descriptor = given_.own;
  count_ = 1;
  add(given_.own, 0);
  while (true) {
    epoll_event ready[16];
    const int n = ::epoll_wait(events_, ready, 16, wait_ms());
    for (int i = 0; i < n; ++i) handle(ready[i].data.u32);  // in the order in which they became ready
    draining_ = false;
    settle();
    look_for_stopped();
    at_deadline();
    if (all_gone() && settled_ == deaths_ && phase_ != phase::ending && !modest_) ::_exit(0);
  }
}

void monitor::handle(std::uint32_t what) noexcept {
  if (what == k_listener) {
    draining_ = true;  // what the new links tell may be older than what else is ready
    const std::uint32_t known = links_used_;
    take_links();
    for (std::uint32_t l = known; l < links_used_; ++l) read_link(l);
    return;
  }
  if (what == k_control) return take_commands();
  if (what >= k_links) return read_link(what - k_links);
  if (what < count_) died(what);
}

int monitor::wait_ms() const noexcept {
  std::uint64_t until = deadline_;
  if (settled_ < deaths_) until = std::min(until, peers_[order_[settled_]].dying_since + k_dying_ms * k_ms);
  if (phase_ == phase::watching && page_.stopped_s > 0)
    until = std::min(until, last_look_ + page_.stopped_s * 1000 * k_ms / 8);
  if (until == k_never) return -1;
  const std::uint64_t now = now_ns();
  return until <= now ? 0 : static_cast<int>(std::min<std::uint64_t>((until - now) / k_ms + 1, 60'000));
}

void monitor::take_commands() noexcept {
  char command = 0;
  ssize_t n = 0;
  while ((n = ::read(given_.control, &command, 1)) == 1) obey(command);
  if (n < 0) return;
  // The process ends, or has closed what it does not know.
  ::epoll_ctl(events_, EPOLL_CTL_DEL, given_.control, nullptr);
  if (phase_ == phase::starting) is_first_ = take_name("first");
}

void monitor::obey(char command) noexcept {
  if (command == k_dismiss && (phase_ == phase::starting || phase_ == phase::closing)) ::_exit(0);
  if (command == k_watch && phase_ == phase::starting) take_all();
  if (command == k_closing && phase_ == phase::watching) phase_ = phase::closing;
  if (command == k_leaving) peers_[0].leaving = true;
}

void monitor::take_all() noexcept {
  phase_ = phase::watching;
  last_look_ = now_ns();
  ::epoll_ctl(events_, EPOLL_CTL_DEL, given_.own, nullptr);
  ::close(given_.own);
  count_ = page_.count;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const watched_process& p = page_.peers[i];
    peers_[i] = {};
    peers_[i].descriptor = static_cast<int>(::syscall(SYS_pidfd_open, p.pid, 0));
    if (peers_[i].descriptor < 0 || start_time_of(p.pid) != p.start_time) {
      if (peers_[i].descriptor >= 0) ::close(peers_[i].descriptor);
      peers_[i].descriptor = -1;
      continue;
    }
    add(peers_[i].descriptor, i);
  }
  draining_ = true;
  for (std::uint32_t c = 0; c < closed_; ++c) note(links_[closings_[c]], true);
  for (std::uint32_t l = 0; l < links_used_; ++l) note(links_[l], false);
  for (std::uint32_t i = 0; i < count_; ++i)
    if (peers_[i].descriptor < 0) died(i);
  draining_ = false;
}

void monitor::take_links() noexcept {
  int made = -1;
  while ((made = ::accept4(given_.listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
    if (links_used_ == 2 * k_most_watched) {
      ::close(made);
      continue;
    }
    ucred asked_by = {};
    socklen_t bytes = sizeof asked_by;
    ::getsockopt(made, SOL_SOCKET, SO_PEERCRED, &asked_by, &bytes);
    links_[links_used_] = {made, k_nobody, asked_by.pid, false};
    add(made, k_links + links_used_++);
  }
}

/// First the rank; later that the process is leaving; at last the end of the connection, which comes a moment
/// before the launcher can know of the death: its own connection to the process is closed by the same loop of
/// the kernel, and of a process's two links one has a lower and one a higher number than that.
void monitor::read_link(std::uint32_t l) noexcept {
  link& from = links_[l];
  if (from.descriptor < 0) return;
  std::uint32_t word = 0;
  ssize_t n = 0;
  while ((n = ::recv(from.descriptor, &word, sizeof word, MSG_DONTWAIT)) == sizeof word) {
    if (from.rank == k_nobody)
      from.rank = word;
    else
      from.leaves = true;
  }
  const bool closed = n == 0 || (n < 0 && errno == ECONNRESET);
  if (closed) {
    ::close(std::exchange(from.descriptor, -1));
    closings_[closed_++] = l;  // until the processes are known
  }
  note(from, closed);
}

void monitor::note(const link& from, bool closed) noexcept {
  for (std::uint32_t i = 0; i < count_ && phase_ != phase::starting; ++i) {
    if (page_.peers[i].rank != from.rank) continue;
    peers_[i].leaving |= from.leaves;
    if (closed) dying(i);
  }
}

void monitor::dying(std::uint32_t i) noexcept {
  if (peers_[i].dying || deaths_ == 2 * k_most_watched) return;
  peers_[i].dying = true;
  peers_[i].dying_since = now_ns();
  peers_[i].blurred = draining_;
  order_[deaths_++] = i;
}

void monitor::died(std::uint32_t i) noexcept {
  peer& p = peers_[i];
  if (p.gone) return;
  p.gone = true;
  remove_temporaries_of(page_.peers[i].pid);
  p.status = p.descriptor < 0 ? -1 : status_of(p.descriptor, page_.peers[i]);
  if (p.descriptor >= 0) ::epoll_ctl(events_, EPOLL_CTL_DEL, p.descriptor, nullptr);
  dying(i);
}

/// Deaths are judged in the order of their first signs, each when it is complete.
void monitor::settle() noexcept {
  if (settled_ == deaths_) return;
  draining_ = true;
  take_links();  // what a process said before it died counts, however late this process is
  for (std::uint32_t l = 0; l < links_used_; ++l) read_link(l);
  draining_ = false;
  while (settled_ < deaths_) {
    const std::uint32_t i = order_[settled_];
    if (peers_[i].gone) {
      ++settled_;
      judge(i);
    } else if (now_ns() >= peers_[i].dying_since + k_dying_ms * k_ms) {
      ++settled_;
      peers_[i].dying = false;  // it has closed its descriptors, and lives
    } else {
      return;
    }
  }
}

void monitor::judge(std::uint32_t i) noexcept {
  if (phase_ == phase::ending) return;
  const int status = peers_[i].status;
  const int signal_number = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const bool asked = signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGQUIT ||
                     signal_number == SIGXCPU;
  if (anybody_leaving() || signal_number == SIGINT) {  // who leaves has said why; who types Ctrl-C knows
    page_.said.store(anybody_leaving(), std::memory_order_release);  // pairs with the handlers' acquire
    return end_the_others();
  }
  if (phase_ == phase::closing && signal_number == 0) return;
  modest_ = phase_ == phase::starting && signal_number == SIGKILL && closed_ == 0;
  if (!asked && !modest_)
    return lost(deadline_ != k_never ? suspect_ : i);  // also on the way out: it did not come through
  if (deadline_ != k_never) return;
  suspect_ = i;
  deadline_ = now_ns() + (modest_ ? k_modesty_ms : k_interrupt_ms) * k_ms;
}

/// A stopped process is one of the job's troubles only while others run: a suspended job is nobody's.
void monitor::look_for_stopped() noexcept {
  if (phase_ != phase::watching || page_.stopped_s == 0) return;
  const std::uint64_t now = now_ns();
  const std::uint64_t patience = page_.stopped_s * 1000 * k_ms;
  if (now < last_look_ + patience / 8) return;
  last_look_ = now;
  std::uint32_t stopped = 0, longest = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const bool is = !peers_[i].gone && stat_of(page_.peers[i].pid).state == 'T';
    stopped += is ? 1 : 0;
    if (!is || peers_[i].stopped_since == 0) peers_[i].stopped_since = is ? now : 0;
    if (is && (peers_[longest].stopped_since == 0 || peers_[i].stopped_since < peers_[longest].stopped_since))
      longest = i;
  }
  if (stopped == count_)
    for (std::uint32_t i = 0; i < count_; ++i) peers_[i].stopped_since = 0;
  if (stopped == 0 || stopped == count_ || now < peers_[longest].stopped_since + patience) return;
  char line[256];
  say(line, std::snprintf(line, sizeof line,
                          "error: process %u (pid %d on %s) has not answered for %u s: it is stopped\n",
                          page_.peers[longest].rank, page_.peers[longest].pid, page_.host, page_.stopped_s));
  end_the_others();
}

void monitor::at_deadline() noexcept {
  if (phase_ == phase::ending && all_gone() && !quiet_) {  // the launcher waits for the end of standard error
    quiet_ = killed_ = true;
    ::close(STDERR_FILENO);
    deadline_ = now_ns() + k_linger_ms * k_ms;
  }
  if (deadline_ == k_never || now_ns() < deadline_) return;
  if (phase_ != phase::ending) {
    deadline_ = k_never;
    return lost(suspect_);
  }
  if (!killed_) {
    killed_ = true;
    signal_all(SIGKILL);
    deadline_ = now_ns() + k_linger_ms * k_ms;
    return;
  }
  if (has_word_) remove_dead_segments(page_.since_s);
  ::_exit(0);
}

/// Where the order of two deaths is not known, one that no launcher deals out comes first; then one that the
/// launcher had collected when this looked for the first time, since it collects before it kills the others.
std::uint32_t monitor::cause_of(std::uint32_t i) noexcept {
  const auto likelihood = [this](std::uint32_t p) {
    const int status = peers_[p].status;
    if (status < 0) return peers_[p].descriptor < 0 ? 1 : 0;
    const bool dealt_out =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    return dealt_out ? 0 : 2;
  };
  if (!peers_[i].blurred) return i;
  std::uint32_t cause = i;
  for (std::uint32_t other = 0; other < count_; ++other) {
    pollfd ready{peers_[other].descriptor, POLLIN, 0};
    if (!peers_[other].gone && ready.fd >= 0 && ::poll(&ready, 1, 0) == 1) died(other);
    if (peers_[other].gone && peers_[other].blurred && likelihood(other) > likelihood(cause)) cause = other;
  }
  return cause;
}

/// Before the processes know each other a launcher's kill may come between: of those that others have told
/// this watch about, the first that has ended is the cause.
bool monitor::lost_another_at_start(std::uint32_t own) noexcept {
  const int status = peers_[own].status;
  if (phase_ != phase::starting || closed_ == 0 || status < 0 || !WIFSIGNALED(status)) return false;
  const link& from = links_[closings_[0]];
  if (WTERMSIG(status) != SIGKILL || from.rank == k_nobody) return false;
  char line[256];
  say(line, std::snprintf(line, sizeof line, "error: process %u (pid %d on %s) was lost\n", from.rank,
                          from.pid, page_.host));
  end_the_others();
  return true;
}

void monitor::lost(std::uint32_t first) noexcept {
  if (lost_another_at_start(first)) return;
  const std::uint32_t i = cause_of(first);
  const int status = peers_[i].status;
  char how[64] = "";
  if (status >= 0 && WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    std::snprintf(how, sizeof how, " (killed by SIG%s)", name != nullptr ? name : "?");
  } else if (status >= 0 && WIFEXITED(status)) {
    std::snprintf(how, sizeof how, " (it exited with code %d)", WEXITSTATUS(status));
  }
  char line[256];
  say(line, std::snprintf(line, sizeof line, "error: process %u (pid %d on %s) was lost%s\n",
                          page_.peers[i].rank, page_.peers[i].pid, page_.host, how));
  end_the_others();
}

void monitor::say(const char* line, int length) noexcept {
  page_.said.store(true, std::memory_order_release);  // pairs with the handlers' acquire
  has_word_ = (!modest_ || is_first_) && take_name("lost");
  if (has_word_) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
  }
}

/// Before the processes know each other each has its own watch, and one death is followed by others. All of
/// them have one parent on this node; a name made of it, outside the file system, can be taken once, and is
/// held until the end.
bool monitor::take_name(const char* what) const noexcept {
  const int token = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  const int n = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "gossamer-%s-%d-%llu", what,
                              page_.parent, static_cast<unsigned long long>(page_.parent_start));
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<unsigned>(n));
  return token < 0 || ::bind(token, reinterpret_cast<const sockaddr*>(&name), bytes) == 0;
}

void monitor::end_the_others() noexcept {
  phase_ = phase::ending;
  signal_all(SIGTERM);
  deadline_ = now_ns() + k_ask_ms * k_ms;
}

void monitor::signal_all(int signal_number) noexcept {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (peers_[i].gone || peers_[i].descriptor < 0) continue;
    ::syscall(SYS_pidfd_send_signal, peers_[i].descriptor, signal_number, nullptr, 0);
  }
}

bool monitor::anybody_leaving() const noexcept {
  return std::any_of(peers_, peers_ + count_, [](const peer& p) { return p.leaving; });
}

bool monitor::all_gone() const noexcept {
  return std::all_of(peers_, peers_ + count_, [](const peer& p) { return p.gone; });
}

}  // namespace

std::uint64_t start_time_of(int pid) noexcept { return stat_of(pid).start_time; }

void run_monitor(monitor_page& page, monitor_descriptors given) noexcept { monitor(page, given).run(); }

}  // namespace gossamer::machine
