#include "gossamer/machine/node_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/node_heartbeat.hpp"
#include "gossamer/machine/internal/node_monitor.hpp"
#include "gossamer/machine/internal/process_stat.hpp"
#include "gossamer/machine/internal/socket_name.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/internal/watch_links.hpp"
#include "gossamer/machine/internal/watched_launcher.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace gossamer::machine {

struct node_watch::shared_page : monitor_page {};

namespace {

void copy_text(std::span<char> into, const std::string& text) {  // that ends with a 0, and keeps it
  std::memcpy(into.data(), text.data(), std::min(text.size(), into.size() - 1));
}

std::optional<std::string> command_name_of(int pid) {
  return read_small_file(fmt::format("/proc/{}/comm", pid));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Moves a descriptor to a number above the launcher's own connection (see watch_links.hpp): a high number,
/// or the highest possible. If none is free, it keeps its number.
int moved_up(file_descriptor descriptor) {
  constexpr int k_high = 500, k_below_limit = 8;
  rlimit most = {};
  const bool is_limited = ::getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur <= k_high;
  const int least = is_limited ? std::max(0, static_cast<int>(most.rlim_cur) - k_below_limit) : k_high;
  const int moved = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, least);
  return moved >= 0 ? moved : descriptor.release();
}

/// Makes a listening socket with a name that the kernel chooses, outside the file system.
int make_listener(std::array<char, 8>& address) {
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  socklen_t bytes = sizeof name.sun_family;
  if (made < 0 || ::bind(made, reinterpret_cast<sockaddr*>(&name), bytes) != 0) return made;
  bytes = sizeof name;
  if (::getsockname(made, reinterpret_cast<sockaddr*>(&name), &bytes) != 0) return made;
  const std::size_t length = bytes - offsetof(sockaddr_un, sun_path);
  if (length < address.size()) std::memcpy(address.data() + 1, name.sun_path, length);
  if (::listen(made, watch_links::k_most) == 0) address[0] = static_cast<char>(length);
  return made;
}

/// Connects to this user's listener at that address and sends `rank`. The result is not open if that fails;
/// other users can keep the listener busy only for a limited time.
file_descriptor connect_link(const std::array<char, 8>& address, std::uint32_t rank) {
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(address[0]));
  if (length == 0 || length >= address.size()) return file_descriptor();
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, address.data() + 1, length);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  file_descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  constexpr timeval k_patience{1, 0};
  if (!made.is_open() ||
      ::setsockopt(made.get(), SOL_SOCKET, SO_SNDTIMEO, &k_patience, sizeof k_patience) != 0 ||
      ::connect(made.get(), reinterpret_cast<const sockaddr*>(&name), bytes) != 0 ||
      !connects_own_user(made.get()) || ::send(made.get(), &rank, sizeof rank, MSG_NOSIGNAL) != sizeof rank)
    return file_descriptor();
  return made;
}

/// Returns the token in the heartbeats of that process's watch.
std::uint64_t heartbeat_token(const process_identity& of) {
  return of.pid_namespace ^ (of.start_time << 24) ^ (std::uint64_t{of.pid} << 40);
}

/// Describes a node by its number and its first process. `first` may have no address.
heartbeat_peer as_peer(std::size_t number, const process_identity& first) {
  heartbeat_peer peer;
  peer.number = static_cast<std::uint32_t>(number);
  peer.address = {first.heartbeat_hosts, first.heartbeat_port};
  peer.token = heartbeat_token(first);
  peer.rank = first.rank;
  peer.pid = first.pid;
  std::memcpy(peer.host, first.host.data(), first.host.size());
  return peer;
}

/// Returns the first process of each node, in the order of processes.
std::vector<const process_identity*> first_of_nodes(const std::vector<process_identity>& all) {
  std::vector<const process_identity*> firsts;
  for (const process_identity& p : all) {
    const auto is_there = [&p](const process_identity* first) { return first->on_node_of(p); };
    if (!firsts.empty() && firsts.back()->on_node_of(p)) continue;  // mostly
    if (std::ranges::none_of(firsts, is_there)) firsts.push_back(&p);
  }
  return firsts;
}

}  // namespace

process_identity identify(unsigned rank) {
  process_identity self;
  copy_text(self.host, host_name());
  copy_text(self.boot, read_small_file("/proc/sys/kernel/random/boot_id").value_or(""));
  struct stat status = {};
  if (::stat("/proc/self/ns/pid", &status) == 0) self.pid_namespace = status.st_ino;
  self.pid = static_cast<std::uint32_t>(::getpid());
  self.start_time = start_time_of(::getpid());
  self.rank = rank;
  return self;
}

std::string process_identity::name() const {
  return fmt::format("process {} (pid {} on {})", rank, pid, host.data());
}

node_watch::node_watch(unsigned rank, std::uint32_t stopped_s) : self_(identify(rank)) {
  const int own = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (own < 0 && errno == ENOSYS) return;  // before Linux 5.3
  void* const memory = ::mmap(nullptr, sizeof(monitor_page), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int commands[2] = {-1, -1};  // a socket and no pipe: to write to it raises no SIGPIPE
  if (own < 0 || memory == MAP_FAILED || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, commands) != 0)
    throw_errno("cannot watch", "this process", errno);
  page_ = new (memory) shared_page;
  page_->peers[0] = {static_cast<int>(self_.pid), self_.rank, self_.start_time};
  find_launcher();
  page_->parent = page_->launcher;
  page_->parent_start = page_->launcher_start;
  page_->since_s = ::time(nullptr);
  page_->pid_namespace = self_.pid_namespace;
  page_->stopped_s = stopped_s;
  const launch launched = find_launch();
  page_->processes = launched.processes;
  copy_text(page_->rank_variable, launched.rank_variable);
  std::memcpy(page_->host, self_.host.data(), self_.host.size());
  const int listener = make_listener(self_.watch_address);
  heartbeat_address heard_at;
  const int heartbeat = launched.several() ? open_heartbeat(heard_at) : -1;
  self_.heartbeat_hosts = heard_at.hosts;
  self_.heartbeat_port = heard_at.port;

  share_temporaries();
  const pid_t child = ::fork();
  if (child < 0) throw_errno("cannot start", "the watch of this process", errno);
  if (child == 0) {
    ::setsid();  // at once: MPICH's launcher kills the process groups of a job
    const pid_t watch = ::fork();
    if (watch == 0) run_monitor(*page_, {commands[0], listener, own, heartbeat});
    page_->watch.store(watch, std::memory_order_relaxed);  // the process waits for this one's end
    ::_exit(0);  // the watch has no parent: no process has to collect its status
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  ::close(commands[0]);
  ::close(own);
  if (listener >= 0) ::close(listener);
  if (heartbeat >= 0) ::close(heartbeat);
  control_ = moved_up(file_descriptor(commands[1]));
  set_job_interrupts(rank == 0, &page_->said);
}

node_watch::~node_watch() {
  (void)end_with_others();
  dismiss();
  for (const int link : links_)
    if (link >= 0) ::close(link);
  // The page stays: signal handlers may read it until the process has ended.
}

/// Sends a command to the watch; returns false if the watch has ended. Continues a stopped watch: it would
/// outlive the job, and hold the standard error whose end the launcher waits for.
bool node_watch::send_command(char what) const noexcept {
  if (control_ < 0) return true;
  if (::send(control_, &what, 1, MSG_NOSIGNAL) != 1) return false;
  const int watch = page_->watch.load(std::memory_order_relaxed);
  if (watch > 0) ::kill(watch, SIGCONT);
  return true;
}

void node_watch::dismiss() noexcept {
  (void)send_command(k_dismiss);
  if (control_ >= 0) ::close(control_);
  control_ = -1;
}

void node_watch::watch(const std::vector<process_identity>& all, std::uint32_t stopped_s) {
  if (page_ == nullptr) return;
  std::uint32_t count = 0;
  const process_identity* first = nullptr;
  for (const process_identity& p : all) {
    if (!p.on_node_of(self_)) continue;
    if (first == nullptr) first = &p;
    if (count < k_most_watched) page_->peers[count++] = {static_cast<int>(p.pid), p.rank, p.start_time};
  }
  if (first == nullptr) return;  // `all` is without this process
  if (first->pid == self_.pid) {
    page_->count = count;
    page_->processes = static_cast<std::uint32_t>(all.size());
    page_->stopped_s = stopped_s;
    // A launcher of an MPI that has ended since is lost: the process has another parent then.
    if (::getppid() == page_->launcher || !is_launcher_of_mpi(page_->launcher_name)) find_launcher();
    find_other_nodes(all, *first);
    (void)send_command(k_watch);  // closing() checks whether the watch lives
  } else {
    dismiss();
  }
  links_[0] = connect_link(first->watch_address, self_.rank).release();
  file_descriptor high = connect_link(first->watch_address, self_.rank);
  if (high.is_open()) links_[1] = moved_up(std::move(high));
}

/// Finds the parent of this process, which is its launcher or a part of it, and on the first node the
/// launcher's top program.
void node_watch::find_launcher() {
  page_->launcher = ::getppid();
  page_->launcher_start = start_time_of(page_->launcher);
  std::string name = command_name_of(page_->launcher).value_or("its launcher");
  std::ranges::fill(page_->launcher_name, '\0');
  copy_text(page_->launcher_name, name);
  int top = page_->launcher;
  for (int above = top; is_launcher_of_mpi(name.c_str()); name = command_name_of(above).value_or("")) {
    copy_text(page_->top_launcher_name, name + std::string(sizeof page_->top_launcher_name, '\0'));
    top = above;
    above = stat_of(top).parent;
  }
  page_->top_launcher = top;
  page_->top_launcher_start = start_time_of(top);
}

/// Finds the nodes before and after this one in the ring, and those that are heard: all others, in jobs of many
/// nodes only the one before. `self`: this process, the first of its node, in `all`.
void node_watch::find_other_nodes(const std::vector<process_identity>& all, const process_identity& self) {
  const auto firsts = first_of_nodes(all);
  if (firsts.size() < 2) return;
  const auto mine = static_cast<std::size_t>(std::ranges::find(firsts, &self) - firsts.begin());
  const std::size_t next = (mine + 1) % firsts.size(), before = (mine + firsts.size() - 1) % firsts.size();
  page_->own_node = as_peer(mine, self);
  page_->next_node = as_peer(next, *firsts[next]).address;
  page_->first_node = mine == 0 ? page_->next_node : as_peer(0, *firsts[0]).address;
  page_->heard[0] = as_peer(before, *firsts[before]);
  page_->heard_nodes = 1;
  if (firsts.size() > node_heartbeat::k_most_heard) return;
  for (std::size_t n = 0; n < firsts.size(); ++n)
    if (n != mine && n != before) page_->heard[page_->heard_nodes++] = as_peer(n, *firsts[n]);
}

void node_watch::job_begins() noexcept {
  if (!std::exchange(has_begun_, true)) (void)send_command(k_began);
}

void node_watch::closing() noexcept {
  if (send_command(k_closing)) return;
  print_warning(fmt::format(
      "gossamer-watch on {} has ended before the job: a lost process would not have been reported",
      self_.host.data()));
}

bool node_watch::outlive(std::function<void(const std::string&)> lost) {
  if (page_ == nullptr) return false;
  page_->survivor.store(k_lives_on, std::memory_order_relaxed);
  try {
    listener_.emplace("gossamer-loss", [page = page_, lost = std::move(lost)] {
      std::uint32_t now = k_lives_on;
      while ((now = page->survivor.load(std::memory_order_acquire)) ==
             k_lives_on)  // pairs with the watch's exchange
        shared_futex_wait(page->survivor, k_lives_on);
      if (now == k_told) lost(page->loss);
    });
  } catch (const error&) {  // no thread that would be notified of a loss
    if (page_->survivor.exchange(k_ends_too, std::memory_order_relaxed) == k_told)
      (void)::raise(SIGTERM);  // the watch spares this process: it has to end as the others do
    return false;
  }
  return true;
}

bool node_watch::end_with_others() noexcept {
  if (!listener_) return true;
  std::uint32_t expected = k_lives_on;
  // Nothing is read here but by the listener, which is joined.
  const bool ends_too =
      page_->survivor.compare_exchange_strong(expected, k_ends_too, std::memory_order_relaxed);
  shared_futex_wake_all(page_->survivor);
  listener_.reset();
  return ends_too;
}

bool node_watch::has_spoken(unsigned wait_ms) const noexcept {
  if (page_ == nullptr) return false;
  for (unsigned ms = 0; !page_->said.load(std::memory_order_acquire);
       ++ms) {  // pairs with the watch's release
    if (ms == wait_ms) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

bool node_watch::may_speak() const noexcept {
  return page_ == nullptr || take_name("lost", page_->pid_namespace, page_->parent, page_->parent_start);
}

void node_watch::leaving() noexcept {
  constexpr std::uint32_t k_word = 1;
  if (links_[0] >= 0)
    ::send(links_[0], &k_word, sizeof k_word, MSG_NOSIGNAL);
  else
    (void)send_command(k_leaving);
}

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(::getpid()); }

void wait_for_readers() noexcept {
  constexpr int k_most_ms = 200;
  int unread = 0;
  for (int ms = 0; ms < k_most_ms && ::ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++ms)
    ::poll(nullptr, 0, 1);
}

}  // namespace gossamer::machine
