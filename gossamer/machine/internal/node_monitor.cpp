#include "gossamer/machine/internal/node_monitor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/internal/shared_segments.hpp"
#include "gossamer/machine/interrupt.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_ms = 1'000'000;
constexpr std::uint64_t k_ask_ms = 1000;       // between SIGTERM and SIGKILL
constexpr std::uint64_t k_linger_ms = 1500;    // how long others of this job must not repeat what was said
constexpr std::uint64_t k_launcher_ms =
    5000;  // for which a launcher may outlive processes that have ended the job
constexpr std::uint64_t k_interrupt_ms = 300;  // within which all end where one ends the whole job
constexpr std::uint64_t k_dying_ms = 500;  // from the first sign of an end to the end
constexpr std::uint64_t k_deferred_report_ms =
    100;  // for which a process killed at the start lets others speak
constexpr std::uint64_t k_unheld_ms = 100;  // between looks at processes that no descriptor could be had for
constexpr std::uint64_t k_never = ~std::uint64_t{0};
constexpr unsigned k_looks = 8;  // in the time-out; so often in a row a process is seen stopped
constexpr unsigned k_start_timeouts = 5;  // that a process waits at its start for processes it cannot see
constexpr unsigned k_names = 4;  // that are tried where other users hold them
constexpr unsigned k_name_ms = 20;  // for which the holder of a name may need to become known

/// Of /proc/<pid>/stat; 0 where there is none. 'T' is the state of a stopped process.
struct process_stat {
  char state = 0;
  int parent = 0;
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
  constexpr int k_state = 3, k_parent = 4, k_start_time = 22, k_exit_code = 52;
  int field = k_state;
  for (const char* c = at + 2; *c != '\0'; ++c) {
    if (*c != ' ') continue;
    ++field;
    std::uint64_t value = 0;
    for (const char* digit = c + 1; *digit >= '0' && *digit <= '9'; ++digit)
      value = 10 * value + static_cast<std::uint64_t>(*digit - '0');
    if (field == k_parent) found.parent = static_cast<int>(value);
    if (field == k_start_time) found.start_time = value;
    if (field == k_exit_code) found.exit_code = static_cast<int>(value);
  }
  return found;
}

/// Returns the wait status by the descriptor, once the parent has collected it (Linux 6.15); else -1.
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

/// Returns the wait status of a process that has ended; -1 where it is unknown. Reads /proc while the parent
/// has not collected the status, which may happen meanwhile: the kernel tells the status by the descriptor
/// only after that, and in between the process is in state X.
int status_of(int descriptor, const watched_process& p) noexcept {
  const process_stat left = stat_of(p.pid);
  if ((left.state == 'Z' || left.state == 'X') && left.start_time == p.start_time) return left.exit_code;
  return collected_status(descriptor);
}

/// Returns the number in that variable of a process's environment. Returns -1 where there is none, or it may
/// not be read.
int variable_of(int pid, const char* name) noexcept {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/environ", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  enum { in_name, in_value, elsewhere } place = in_name;
  std::size_t matched = 0;
  int value = -1;
  char text[1024];
  ssize_t n = 0;
  bool found = false;
  while (!found && (n = ::read(file, text, sizeof text)) > 0) {
    for (const char* c = text; c != text + n && !found; ++c) {
      if (*c == '\0') {
        found = place == in_value && value >= 0;
        place = in_name;
        matched = 0;
      } else if (place == in_name && name[matched] == *c) {
        ++matched;
      } else if (place == in_name && name[matched] == '\0' && *c == '=') {
        place = in_value;
        value = -1;
      } else if (place == in_value && *c >= '0' && *c <= '9' && value < 100'000'000) {
        value = 10 * std::max(value, 0) + (*c - '0');
      } else {
        place = elsewhere;
      }
    }
  }
  ::close(file);
  return found ? value : -1;
}

/// Calls f(pid) for every process that can be seen. Allocates nothing.
template <class F>
void for_each_process(F f) noexcept {
  struct entry {  // struct linux_dirent64
    std::uint64_t number;
    std::int64_t next;
    std::uint16_t bytes;
    std::uint8_t type;
    char name[1];
  };
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(entry) char buffer[4096];
  long n = 0;
  while ((n = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < n;) {
      const auto* e = reinterpret_cast<const entry*>(buffer + at);
      at += e->bytes;
      int pid = 0;
      for (const char* c = e->name; *c >= '0' && *c <= '9'; ++c) pid = 10 * pid + (*c - '0');
      if (pid > 0) f(pid);
    }
  }
  ::close(folder);
}

/// Closes the descriptors from `first` to `last`.
void close_all(unsigned first, unsigned last) noexcept {
  if (first > last || ::syscall(SYS_close_range, first, last, 0u) == 0) return;
  for (unsigned n = first; n <= std::min(last, 65535u); ++n) ::close(static_cast<int>(n));
}

/// Returns whether a process of this user holds the name.
bool holds_name(int token, const sockaddr_un& name, socklen_t bytes) noexcept {
  for (unsigned ms = 0; ms < k_name_ms; ++ms) {
    if (::connect(token, reinterpret_cast<const sockaddr*>(&name), bytes) == 0)
      return connects_own_user(token);
    if (errno != ECONNREFUSED) return false;
    ::poll(nullptr, 0, 1);  // taken, and listening the next moment
  }
  return false;
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
    bool unordered = false;  // when it began to die is not known
    bool unheld = false;  // no descriptor could be had: it is looked at from time to time
    unsigned stopped_looks = 0;  // in a row that found it stopped
    std::uint64_t dying_since = 0;
  };
  /// A process of this job that started beside this one, and was stopped when last seen.
  struct stopped_sibling {
    int pid = 0;
    unsigned looks = 0;
    bool seen = false;
  };
  struct link {
    int descriptor = -1;
    std::uint32_t rank = k_nobody;  // until it says
    int pid = 0;
    bool leaves = false;
  };
  // What an event is about: a peer's number, k_links + a link's number, or one of these.
  static constexpr std::uint32_t k_nobody = ~0u, k_control = ~0u - 1, k_listener = ~0u - 2,
                                 k_launcher = ~0u - 3, k_links = 1u << 16;

  void become_independent() noexcept;
  void add(int descriptor, std::uint32_t what) noexcept;
  int wait_ms() const noexcept;
  void handle(std::uint32_t what) noexcept;
  void take_commands() noexcept;
  void handle_command(char command) noexcept;
  void take_all() noexcept;
  void hold(std::uint32_t i) noexcept;
  void watch_launcher() noexcept;
  int kept(int descriptor) const noexcept;
  bool may_link(int pid) const noexcept;
  void take_links() noexcept;
  void read_link(std::uint32_t l) noexcept;
  void note(const link& from, bool closed) noexcept;
  void dying(std::uint32_t i) noexcept;
  void died(std::uint32_t i) noexcept;
  void settle() noexcept;
  void classify(std::uint32_t i) noexcept;
  bool time_to_look() noexcept;
  void look_for_stopped() noexcept;
  void look_at_start() noexcept;
  bool stopped_so_long(int pid) noexcept;
  void look_at_unheld() noexcept;
  void is_stopped(unsigned rank, int pid) noexcept;
  void lost_launcher() noexcept;
  void at_deadline() noexcept;
  void end() noexcept;
  bool launcher_stays() const noexcept;
  void end_launcher() noexcept;
  std::uint32_t cause_of(std::uint32_t i) noexcept;
  bool lost_another_at_start(std::uint32_t own) noexcept;
  void lost(std::uint32_t first) noexcept;
  void say(const char* line, int length) noexcept;
  bool take_name(const char* what) const noexcept {
    return machine::take_name(what, page_.pid_namespace, page_.parent, page_.parent_start);
  }
  bool tell_survivor(const char* line, int length) noexcept;
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
  std::uint64_t next_unheld_ = k_never;
  std::uint64_t launcher_lost_ = k_never;  // since when
  int launcher_ = -1;
  int most_descriptors_ = 1024;
  unsigned start_looks_ = 0;
  bool survives_ = false;  // the process that has this watch
  bool began_ = false;  // a job: from then on the processes give each other signs of life
  bool is_first_ = false, has_word_ = false;
  bool killed_ = false;
  bool quiet_ = false;
  bool patient_ = false;  // the launcher has its last seconds
  bool closes_ = false;  // the processes have come to their end in order
  bool draining_ = false;  // what is read now may be old
  bool deferred_report_ = false;
  std::uint32_t suspect_ = 0;  // the process whose death the deadline is about
  std::uint32_t links_used_ = 0, closed_ = 0, deaths_ = 0, settled_ = 0;
  peer peers_[k_most_watched];
  link links_[k_most_links];
  std::uint32_t closings_[k_most_links];  // links, in the order in which they closed
  std::uint32_t order_[2 * k_most_watched];  // of the first signs of an end
  stopped_sibling siblings_[64];
};

/// Gives up all of the process but standard error and the given descriptors. A program that waits for the end
/// of its output, or for its connections to close, must not wait for the watch.
void monitor::become_independent() noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, "gossamer-watch");
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (const int n :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP, SIGALRM, SIGCHLD, SIGIO})
    ::sigaction(n, &ignore, nullptr);
  rlimit most = {};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0) {  // it needs up to three for each process of the node
    most.rlim_cur = most.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &most);
    most_descriptors_ = static_cast<int>(std::min<rlim_t>(most.rlim_cur, 1 << 20));
  }
  ::fcntl(given_.control, F_SETFL, O_NONBLOCK);
  for (int* descriptor : {&given_.control, &given_.listener, &given_.own})
    if (*descriptor >= 0 && *descriptor <= STDERR_FILENO)
      *descriptor = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int kept[] = {given_.control, given_.listener, given_.own};
  std::sort(kept, kept + 3);
  unsigned next = STDERR_FILENO + 1;
  for (const int descriptor : kept) {  // first of all, so that a low limit leaves room for what follows
    if (descriptor < static_cast<int>(next)) continue;
    close_all(next, static_cast<unsigned>(descriptor) - 1);
    next = static_cast<unsigned>(descriptor) + 1;
  }
  close_all(next, ~0u);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
  }
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
  if (events_ < 0) ::_exit(1);  // the process learns of it by its next command
  last_look_ = now_ns();
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
    look_at_unheld();
    look_at_start();
    look_for_stopped();
    at_deadline();
    if (all_gone() && settled_ == deaths_ && phase_ != phase::ending && !deferred_report_) end();
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
  if (what == k_launcher) {
    ::epoll_ctl(events_, EPOLL_CTL_DEL, launcher_, nullptr);
    launcher_lost_ = now_ns();
    if (patient_) deadline_ = launcher_lost_;
    return;
  }
  if (what >= k_links) return read_link(what - k_links);
  if (what < count_) died(what);
}

int monitor::wait_ms() const noexcept {
  std::uint64_t until = deadline_;
  if (settled_ < deaths_) until = std::min(until, peers_[order_[settled_]].dying_since + k_dying_ms * k_ms);
  if (phase_ <= phase::watching && page_.stopped_s > 0)
    until = std::min(until, last_look_ + page_.stopped_s * 1000 * k_ms / k_looks);
  if (launcher_lost_ != k_never && phase_ != phase::ending)
    until = std::min(until, launcher_lost_ + k_interrupt_ms * k_ms);
  if (phase_ != phase::ending) until = std::min(until, next_unheld_);
  if (until == k_never) return -1;
  const std::uint64_t now = now_ns();
  return until <= now ? 0 : static_cast<int>(std::min<std::uint64_t>((until - now) / k_ms + 1, 60'000));
}

void monitor::take_commands() noexcept {
  char command = 0;
  ssize_t n = 0;
  while ((n = ::read(given_.control, &command, 1)) == 1) handle_command(command);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // The process ends, or has closed what it does not know.
  ::epoll_ctl(events_, EPOLL_CTL_DEL, given_.control, nullptr);
  if (phase_ == phase::starting) is_first_ = take_name("first");
}

void monitor::handle_command(char command) noexcept {
  if (command == k_dismiss && (phase_ == phase::starting || phase_ == phase::closing)) ::_exit(0);
  if (command == k_watch && phase_ == phase::starting) take_all();
  if (command == k_began) began_ = true;
  if (command == k_closing) closes_ = true;
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
    peers_[i] = {};
    hold(i);
  }
  watch_launcher();
  draining_ = true;
  for (std::uint32_t c = 0; c < closed_; ++c) note(links_[closings_[c]], true);
  for (std::uint32_t l = 0; l < links_used_; ++l) note(links_[l], false);
  for (std::uint32_t i = 0; i < count_; ++i)
    if (peers_[i].descriptor < 0 && !peers_[i].unheld) died(i);
  draining_ = false;
}

/// Returns the descriptor, unless it leaves too few for files in /proc. Then closes it and returns -1 with
/// errno EMFILE.
int monitor::kept(int descriptor) const noexcept {
  constexpr int k_spare = 4;
  if (descriptor < most_descriptors_ - k_spare) return descriptor;  // the kernel gives the lowest free number
  ::close(descriptor);
  errno = EMFILE;
  return -1;
}

/// Opens a descriptor of process i, which tells of its end. Where there is none to be had (`ulimit -n`), the
/// process is looked at from time to time: a lack of descriptors is not a death.
void monitor::hold(std::uint32_t i) noexcept {
  const watched_process& p = page_.peers[i];
  const int held = kept(static_cast<int>(::syscall(SYS_pidfd_open, p.pid, 0)));
  const bool is_short = held < 0 && errno != ESRCH && errno != EINVAL;
  if (start_time_of(p.pid) != p.start_time) {
    if (held >= 0) ::close(held);
  } else if (held >= 0) {
    peers_[i].descriptor = held;
    add(held, i);
  } else if (is_short) {
    peers_[i].unheld = true;
    next_unheld_ = now_ns() + k_unheld_ms * k_ms;
  }
}

void monitor::look_at_unheld() noexcept {
  if (next_unheld_ == k_never || now_ns() < next_unheld_) return;
  next_unheld_ = k_never;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!peers_[i].unheld || peers_[i].gone) continue;
    const process_stat now = stat_of(page_.peers[i].pid);
    if (now.start_time == page_.peers[i].start_time && now.state != 'Z')
      next_unheld_ = now_ns() + k_unheld_ms * k_ms;
    else
      died(i);
  }
  settle();
}

/// Watches the launcher: without it nothing reads what a job prints, or ends it.
void monitor::watch_launcher() noexcept {
  if (page_.launcher <= 1) return;
  launcher_ = kept(static_cast<int>(::syscall(SYS_pidfd_open, page_.launcher, 0)));
  if (launcher_ < 0 && errno != ESRCH) return;
  if (launcher_ < 0 || start_time_of(page_.launcher) != page_.launcher_start)
    launcher_lost_ = now_ns();
  else
    add(launcher_, k_launcher);
}

/// Returns whether a process may have one more link. Each process has two, and only processes of this user
/// may have any.
bool monitor::may_link(int pid) const noexcept {
  return links_used_ < k_most_links &&
         std::count_if(links_, links_ + links_used_, [pid](const link& l) { return l.pid == pid; }) < 2;
}

/// Takes what waits now: connections that come meanwhile, however many, wait for the next time.
void monitor::take_links() noexcept {
  for (unsigned n = 0; n <= k_most_links && given_.listener >= 0; ++n) {
    const int made = kept(::accept4(given_.listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (made < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // Short of descriptors, the listener would be ready for ever. Deaths are noticed without links, too.
      if (errno != EAGAIN) ::close(std::exchange(given_.listener, -1));
      return;
    }
    ucred asked_by = {};
    socklen_t bytes = sizeof asked_by;
    if (::getsockopt(made, SOL_SOCKET, SO_PEERCRED, &asked_by, &bytes) != 0 || asked_by.uid != ::geteuid() ||
        !may_link(asked_by.pid)) {
      ::close(made);
      continue;
    }
    links_[links_used_] = {made, k_nobody, asked_by.pid, false};
    add(made, k_links + links_used_++);
  }
}

/// Reads first the rank; later that the process is leaving; at last the end of the connection. That comes a
/// moment before the launcher can know of the death. The same loop of the kernel closes the launcher's
/// connection to the process. Of a process's two links one has a lower and one a higher number than that
/// connection.
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
    if (page_.peers[i].rank != from.rank || page_.peers[i].pid != from.pid) continue;
    peers_[i].leaving |= from.leaves;
    if (closed) dying(i);
  }
}

void monitor::dying(std::uint32_t i) noexcept {
  if (peers_[i].dying || deaths_ == 2 * k_most_watched) return;
  peers_[i].dying = true;
  peers_[i].dying_since = now_ns();
  peers_[i].unordered = draining_;
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

/// Classifies deaths in the order of their first signs, each when it is complete.
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
      classify(i);
    } else if (now_ns() >= peers_[i].dying_since + k_dying_ms * k_ms) {
      ++settled_;
      peers_[i].dying = false;  // it has closed its descriptors, and lives
    } else {
      return;
    }
  }
}

void monitor::classify(std::uint32_t i) noexcept {
  if (phase_ == phase::ending) return;
  const int status = peers_[i].status;
  const int signal_number = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const bool asked = signal_number == SIGTERM || signal_number == SIGHUP || signal_number == SIGQUIT ||
                     signal_number == SIGXCPU;
  if (anybody_leaving() || signal_number == SIGINT) {  // a process that leaves has said why; Ctrl-C was typed
    char line[256];
    if (!tell_survivor(line, std::snprintf(line, sizeof line, "error: process %u (pid %d on %s) has ended\n",
                                           page_.peers[i].rank, page_.peers[i].pid, page_.host)))
      page_.said.store(anybody_leaving(), std::memory_order_release);  // pairs with the handlers' acquire
    return end_the_others();
  }
  if (phase_ == phase::closing && signal_number == 0) return;
  deferred_report_ = phase_ == phase::starting && signal_number == SIGKILL && closed_ == 0;
  if (!asked && !deferred_report_)
    return lost(deadline_ != k_never ? suspect_ : i);  // also on the way out: it did not come through
  if (deadline_ != k_never) return;
  suspect_ = i;
  deadline_ = now_ns() + (deferred_report_ ? k_deferred_report_ms : k_interrupt_ms) * k_ms;
}

/// Returns whether the next look is due. Looks are counted, not the time between them. A node that was
/// suspended whole finds its processes stopped once when it goes on, not for as long as it was.
bool monitor::time_to_look() noexcept {
  const std::uint64_t now = now_ns();
  if (page_.stopped_s == 0 || now < last_look_ + page_.stopped_s * 1000 * k_ms / k_looks) return false;
  last_look_ = now;
  return true;
}

/// Ends the job where a process stays stopped while others run: a suspended job is no trouble. Before the
/// first job only this tells other nodes of the only process of this node.
void monitor::look_for_stopped() noexcept {
  if (phase_ != phase::watching || !time_to_look()) return;
  std::uint32_t stopped = 0, longest = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const bool is = !peers_[i].gone && stat_of(page_.peers[i].pid).state == 'T';
    stopped += is ? 1 : 0;
    peers_[i].stopped_looks = is ? peers_[i].stopped_looks + 1 : 0;
    if (peers_[i].stopped_looks > peers_[longest].stopped_looks) longest = i;
  }
  const bool is_alone_at_start = count_ == 1 && page_.processes > 1 && !began_;
  if (stopped == count_ && !is_alone_at_start)
    for (std::uint32_t i = 0; i < count_; ++i) peers_[i].stopped_looks = 0;
  if (peers_[longest].stopped_looks > k_looks)
    is_stopped(page_.peers[longest].rank, page_.peers[longest].pid);
}

/// Looks for stopped and missing processes until the processes know each other. Those of this job on this
/// node have the same parent and a rank in their environment. A stopped process may have no watch yet; the
/// others' watches see it.
void monitor::look_at_start() noexcept {
  if (phase_ != phase::starting || page_.processes < 2 || peers_[0].gone || !time_to_look()) return;
  ++start_looks_;
  std::uint32_t seen = 0, stopped = 0;
  int silent = 0, silent_rank = 0;
  for (stopped_sibling& s : siblings_) s.seen = false;
  for_each_process([&](int pid) {
    const process_stat now = stat_of(pid);
    const bool is_own = pid == page_.peers[0].pid;
    if (!is_own && now.parent != page_.parent) return;
    const int rank = is_own ? static_cast<int>(page_.peers[0].rank) : variable_of(pid, page_.rank_variable);
    if (rank < 0) return;
    ++seen;
    if (now.state != 'T') return;
    ++stopped;
    if (stopped_so_long(pid)) silent = pid, silent_rank = rank;
  });
  const bool is_suspended = stopped == seen && seen > 1;
  for (stopped_sibling& s : siblings_)
    if (!s.seen || is_suspended) s = {};
  if (silent != 0 && !is_suspended) return is_stopped(static_cast<unsigned>(silent_rank), silent);
  if (seen >= page_.processes || start_looks_ <= k_start_timeouts * k_looks) return;
  char line[256];
  say(line,
      std::snprintf(line, sizeof line,
                    "error: process %u (pid %d on %s) has waited %u s for the other processes of the job to "
                    "start: %u of %u are on this node\n",
                    page_.peers[0].rank, page_.peers[0].pid, page_.host, k_start_timeouts * page_.stopped_s,
                    seen, page_.processes));
  end_the_others();
}

bool monitor::stopped_so_long(int pid) noexcept {
  stopped_sibling* found = nullptr;
  for (stopped_sibling& s : siblings_)
    if (s.pid == pid || (s.pid == 0 && found == nullptr)) {
      found = &s;
      if (s.pid == pid) break;
    }
  if (found == nullptr) return false;
  found->pid = pid;
  found->seen = true;
  return ++found->looks > k_looks;
}

void monitor::is_stopped(unsigned rank, int pid) noexcept {
  char line[256];
  say(line, std::snprintf(line, sizeof line,
                          "error: process %u (pid %d on %s) has not answered for %u s: it is stopped\n", rank,
                          pid, page_.host, page_.stopped_s));
  end_the_others();
}

/// Reports the loss of the launcher and ends the job. A launcher that was told to end ends the processes,
/// too: they have a moment for it.
void monitor::lost_launcher() noexcept {
  if (phase_ == phase::ending || launcher_lost_ == k_never || all_gone()) return;
  if (now_ns() < launcher_lost_ + k_interrupt_ms * k_ms) return;
  char line[256];
  say(line, std::snprintf(line, sizeof line, "error: %s (pid %d on %s), the parent of process %u, was lost\n",
                          page_.launcher_name, page_.launcher, page_.host, page_.peers[0].rank));
  end_the_others();
}

void monitor::at_deadline() noexcept {
  lost_launcher();
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
  if (launcher_stays() && !patient_) {
    patient_ = true;
    deadline_ = now_ns() + (k_launcher_ms - k_linger_ms) * k_ms;
    return;
  }
  if (launcher_stays()) end_launcher();
  if (has_word_) remove_dead_segments(page_.since_s);
  ::_exit(0);
}

/// Ends once all processes have ended and nothing is to be said. Where the launcher has ended them, since the job was ended on another node,
/// it has a few seconds for its own end.
void monitor::end() noexcept {
  if (!launcher_stays()) ::_exit(0);
  phase_ = phase::ending;
  quiet_ = killed_ = patient_ = true;
  ::close(STDERR_FILENO);
  deadline_ = now_ns() + k_launcher_ms * k_ms;
}

/// Returns whether the launcher of an MPI is still there, though its processes of this node have ended, and not in order.
/// It waits for a node that does not answer, and would for ever (Open MPI's mpirun). No batch system's process is meant.
bool monitor::launcher_stays() const noexcept {
  constexpr const char* k_names_of_mpis[] = {"mpirun", "mpiexec", "orte", "prte", "hydra"};
  if (launcher_ < 0 || launcher_lost_ != k_never || closes_ || !all_gone()) return false;
  pollfd ended{launcher_, POLLIN, 0};
  if (::poll(&ended, 1, 0) != 0 || start_time_of(page_.launcher) != page_.launcher_start) return false;
  return std::any_of(std::begin(k_names_of_mpis), std::end(k_names_of_mpis), [this](const char* name) {
    return std::strncmp(page_.launcher_name, name, std::strlen(name)) == 0;
  });
}

/// Ends the launcher, and first what it has started: its connections to other nodes, which may hold the job's standard output. It is
/// past asking: Open MPI's crashes where it is asked to end while it ends.
void monitor::end_launcher() noexcept {
  for_each_process([this](int pid) {
    if (stat_of(pid).parent == page_.launcher) ::kill(pid, SIGKILL);
  });
  ::syscall(SYS_pidfd_send_signal, launcher_, SIGKILL, nullptr, 0);
}

/// Returns the process whose death is the cause, where the order of two deaths is not known. A death that no
/// launcher deals out comes first. Next comes one that the launcher had collected at the first look, since it
/// collects before it kills the others.
std::uint32_t monitor::cause_of(std::uint32_t i) noexcept {
  const auto likelihood = [this](std::uint32_t p) {
    const int status = peers_[p].status;
    if (status < 0) return peers_[p].descriptor < 0 ? 1 : 0;
    const bool dealt_out =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    return dealt_out ? 0 : 2;
  };
  if (!peers_[i].unordered) return i;
  std::uint32_t cause = i;
  for (std::uint32_t other = 0; other < count_; ++other) {
    pollfd ready{peers_[other].descriptor, POLLIN, 0};
    if (!peers_[other].gone && ready.fd >= 0 && ::poll(&ready, 1, 0) == 1) died(other);
    if (peers_[other].gone && peers_[other].unordered && likelihood(other) > likelihood(cause)) cause = other;
  }
  return cause;
}

/// Reports the loss of another process and ends the job, where a launcher's kill came between; returns
/// whether it did. That happens before the processes know each other. The cause is the first that has ended
/// of those with a link to this watch.
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

/// Tells the process that has this watch what was lost, where it lives on.
bool monitor::tell_survivor(const char* line, int length) noexcept {
  constexpr int k_prefix = sizeof "error: " - 1;
  if (peers_[0].gone || page_.survivor.load(std::memory_order_relaxed) != k_lives_on) return false;
  const int bytes = std::min(length - k_prefix - 1, static_cast<int>(sizeof page_.loss) - 1);
  std::memcpy(page_.loss, line + k_prefix, static_cast<std::size_t>(bytes));
  std::uint32_t expected = k_lives_on;
  survives_ = page_.survivor.compare_exchange_strong(
      expected, k_told, std::memory_order_release);  // pairs with the listener's load: it reads `loss`
  if (survives_) shared_futex_wake_all(page_.survivor);
  return survives_;
}

void monitor::say(const char* line, int length) noexcept {
  if (tell_survivor(line, length)) return;
  page_.said.store(true, std::memory_order_release);  // pairs with the handlers' acquire
  has_word_ = (!deferred_report_ || is_first_) && take_name("lost");
  if (has_word_) {
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
  }
}

void monitor::end_the_others() noexcept {
  phase_ = phase::ending;
  signal_all(SIGTERM);
  deadline_ = now_ns() + k_ask_ms * k_ms;
}

void monitor::signal_all(int signal_number) noexcept {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (peers_[i].gone || (i == 0 && survives_)) continue;
    const watched_process& p = page_.peers[i];
    if (peers_[i].descriptor >= 0)
      ::syscall(SYS_pidfd_send_signal, peers_[i].descriptor, signal_number, nullptr, 0);
    else if (start_time_of(p.pid) == p.start_time)
      ::kill(p.pid, signal_number);
  }
}

bool monitor::anybody_leaving() const noexcept {
  return std::any_of(peers_, peers_ + count_, [](const peer& p) { return p.leaving; });
}

bool monitor::all_gone() const noexcept {
  return std::all_of(peers_, peers_ + count_, [](const peer& p) { return p.gone; });
}

}  // namespace

bool take_name(const char* what, std::uint64_t pid_namespace, int parent,
               std::uint64_t parent_start) noexcept {
  for (unsigned attempt = 0; attempt < k_names; ++attempt) {
    const int token = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (token < 0) return true;
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    const int n = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "gossamer-%s-%llu-%d-%llu-%u",
                                what, static_cast<unsigned long long>(pid_namespace), parent,
                                static_cast<unsigned long long>(parent_start), attempt);
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<unsigned>(n));
    if (::bind(token, reinterpret_cast<const sockaddr*>(&name), bytes) == 0) {
      ::listen(token, SOMAXCONN);  // from here on others can see which user holds it
      return true;
    }
    if (errno != EADDRINUSE) return true;
    const bool is_ours = holds_name(token, name, bytes);
    ::close(token);
    if (is_ours) return false;
  }
  return true;
}

std::uint64_t start_time_of(int pid) noexcept { return stat_of(pid).start_time; }

bool connects_own_user(int connected) noexcept {
  ucred other = {};
  socklen_t bytes = sizeof other;
  return ::getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &other, &bytes) == 0 && other.uid == ::geteuid();
}

void run_monitor(monitor_page& page, monitor_descriptors given) noexcept { monitor(page, given).run(); }

}  // namespace gossamer::machine
