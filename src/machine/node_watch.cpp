#include "gossamer/machine/node_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "file_descriptor.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "node_monitor.hpp"
#include "system_error.hpp"

namespace gossamer::machine {

struct node_watch::shared_page : monitor_page {};

namespace {

template <std::size_t N>
void copy_text(std::array<char, N>& into, const std::string& text) {
  std::memcpy(into.data(), text.data(), std::min(text.size(), N - 1));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

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

// Numbers of descriptors below and above the launcher's own connection.
constexpr int k_low = 0, k_high = 500;

/// A listening socket with a name that the kernel chooses, outside the file system.
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
  if (::listen(made, SOMAXCONN) == 0) address[0] = static_cast<char>(length);
  return made;
}

/// A connection to the listener at that address that begins with `rank`; -1 where it cannot be made. Its
/// number is at least `least`.
int connect_link(const std::array<char, 8>& address, std::uint32_t rank, int least) {
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(address[0]));
  if (length == 0 || length >= address.size()) return -1;
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, address.data() + 1, length);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  file_descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made.is_open() || ::connect(made.get(), reinterpret_cast<const sockaddr*>(&name), bytes) != 0)
    return -1;
  if (::send(made.get(), &rank, sizeof rank, MSG_NOSIGNAL) != sizeof rank) return -1;
  return least == 0 ? made.release() : ::fcntl(made.get(), F_DUPFD_CLOEXEC, least);
}

}  // namespace

std::string process_identity::name() const {
  return fmt::format("process {} (pid {} on {})", rank, pid, host.data());
}

node_watch::node_watch(unsigned rank) : self_(identify(rank)) {
  const int own = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (own < 0) return;
  void* const memory = ::mmap(nullptr, k_monitor_page_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int pipe[2] = {-1, -1};
  if (memory == MAP_FAILED || ::pipe2(pipe, O_CLOEXEC) != 0)
    throw_errno("cannot watch", "this process", errno);
  page_ = new (memory) shared_page;
  page_->peers[0] = {static_cast<int>(self_.pid), self_.rank, self_.start_time};
  page_->parent = ::getppid();
  page_->since_s = ::time(nullptr);
  page_->parent_start = start_time_of(::getppid());
  std::memcpy(page_->host, self_.host.data(), self_.host.size());
  const int listener = make_listener(self_.watch_address);

  share_temporaries();
  const pid_t child = ::fork();
  if (child < 0) throw_errno("cannot start", "the watch of this process", errno);
  if (child == 0) {
    if (::fork() == 0) run_monitor(*page_, {pipe[0], listener, own});
    ::_exit(0);  // the watch is nobody's child: no status of it ever has to be collected
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  ::close(pipe[0]);
  ::close(own);
  if (listener >= 0) ::close(listener);
  control_ = ::fcntl(pipe[1], F_DUPFD_CLOEXEC, k_high);  // high: see node_monitor.cpp, read_link()
  ::close(pipe[1]);
  set_job_interrupts(rank == 0, &page_->said);
}

node_watch::~node_watch() {
  dismiss();
  for (const int link : links_)
    if (link >= 0) ::close(link);
  // The page stays: the signal handlers may look at it until the process has gone.
}

void node_watch::tell(char what) const noexcept {
  if (control_ < 0) return;
  [[maybe_unused]] const auto ignored = ::write(control_, &what, 1);
}

void node_watch::dismiss() noexcept {
  tell(k_dismiss);
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
  if (first != nullptr && first->pid == self_.pid) {
    page_->count = count;
    page_->stopped_s = stopped_s;
    tell(k_watch);
  } else {
    dismiss();
  }
  links_ = {connect_link(first->watch_address, self_.rank, k_low),
            connect_link(first->watch_address, self_.rank, k_high)};
}

void node_watch::closing() noexcept { tell(k_closing); }

bool node_watch::has_spoken(unsigned wait_ms) const noexcept {
  if (page_ == nullptr) return false;
  for (unsigned ms = 0; !page_->said.load(std::memory_order_acquire);
       ++ms) {  // pairs with the watch's release
    if (ms == wait_ms) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

void node_watch::leaving() noexcept {
  constexpr std::uint32_t k_word = 1;
  if (links_[0] >= 0)
    ::send(links_[0], &k_word, sizeof k_word, MSG_NOSIGNAL);
  else
    tell(k_leaving);
}

namespace {

std::atomic<int> late_code{1};

void end_late(int) noexcept {
  remove_temporaries();
  ::_exit(late_code.load(std::memory_order_relaxed));
}

}  // namespace

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(::getpid()); }

void wait_for_readers() noexcept {
  constexpr int k_most_ms = 200;
  int unread = 0;
  for (int ms = 0; ms < k_most_ms && ::ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++ms)
    ::poll(nullptr, 0, 1);
}

void end_process_after(unsigned seconds, int code) noexcept {
  late_code.store(code, std::memory_order_relaxed);  // alarm() below comes after it on this thread
  struct sigaction action = {};
  action.sa_handler = end_late;
  action.sa_flags = SA_ONSTACK;
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::alarm(seconds);
}

}  // namespace gossamer::machine
