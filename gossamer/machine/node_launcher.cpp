#include "gossamer/machine/node_launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/process_stat.hpp"
#include "gossamer/machine/internal/socket_name.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/node_job.h"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_patience_ns = 1'000'000'000;
constexpr int k_watch_ms = 300;  // for which the watch of a lost process may speak
constexpr int k_least_descriptor = 100;  // above those that scripts use
constexpr int k_ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int k_forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

bool is_ignored(int number) {
  struct sigaction now = {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

/// Makes memory without a name whose descriptor the processes inherit.
file_descriptor make_memory() {
  const file_descriptor made(::memfd_create("gossamer job", MFD_CLOEXEC));
  file_descriptor high(made.is_open() ? ::fcntl(made.get(), F_DUPFD, k_least_descriptor) : -1);
  if (made.is_open() && !high.is_open())  // a small limit of open files
    high = file_descriptor(::fcntl(made.get(), F_DUPFD, STDERR_FILENO + 1));
  if (!high.is_open() || ::ftruncate(high.get(), NODE_JOB_HEAD_BYTES) != 0)
    throw_errno("cannot make", "the memory of the job", errno);
  return high;
}

class node_job {
 public:
  node_job(const std::vector<std::string>& words, unsigned processes);
  ~node_job();
  node_job(const node_job&) = delete;
  node_job& operator=(const node_job&) = delete;

  int run();

 private:
  struct end {
    unsigned rank;
    pid_t process;
    int status;
    bool failed() const { return status != 0; }
    int signal_number() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
    /// Orders ends that were noticed together: what this launcher and the watch send follows from another one.
    int likelihood() const {
      return !failed() ? 3 : signal_number() == SIGTERM ? 2 : signal_number() == SIGKILL ? 1 : 0;
    }
  };
  static constexpr unsigned k_none = ~0u;

  [[noreturn]] void become(unsigned rank);
  void collect();
  void note(const end& e);
  void wait_for_signal();
  void look_for_early();
  void next_step();
  unsigned survivor() const;
  void signal_all(int number, unsigned but = k_none) const;
  void report(unsigned rank, pid_t process, const std::string& what) const;
  bool has_joined(unsigned rank) const { return head_->joined[rank].load(std::memory_order_relaxed) != 0; }

  std::vector<char*> words_;
  std::vector<pid_t> processes_;  // by rank; 0: has ended
  file_descriptor memory_;
  std::string memory_name_;
  node_job_head* head_ = nullptr;
  sigset_t taken_ = {}, before_ = {};
  const pid_t launcher_ = ::getpid();
  unsigned alive_ = 0;
  int code_ = 0;
  bool asked_to_end_ = false, asked_again_ = false;
  std::uint64_t deadline_ = 0;  // of the next step towards the end; 0: none
  int step_ = SIGTERM;  // at the deadline
  unsigned early_ = k_none;  // a process that has ended well before it joined
  pid_t early_process_ = 0;
};

node_job::node_job(const std::vector<std::string>& words, unsigned processes)
    : processes_(processes), memory_(make_memory()) {
  GOSSAMER_ASSERT(processes >= 1 && processes <= NODE_JOB_MOST,
                  "more processes than the head has places for");
  for (const std::string& w : words) words_.push_back(const_cast<char*>(w.c_str()));
  words_.push_back(nullptr);
  struct stat file = {};
  void* const at = ::mmap(nullptr, NODE_JOB_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED || ::fstat(memory_.get(), &file) != 0)
    throw_errno("cannot map", "the memory of the job", errno);
  memory_name_ = fmt::format("{}:{}:{}", memory_.get(), file.st_dev, file.st_ino);
  head_ = static_cast<node_job_head*>(at);
  ::signal(SIGCHLD, SIG_DFL);  // ignored, it would not come, and no status either
  ::sigemptyset(&taken_);
  ::sigaddset(&taken_, SIGCHLD);
  for (const int number : k_forwarded)
    if (!is_ignored(number)) ::sigaddset(&taken_, number);  // nohup
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
}

node_job::~node_job() {
  ::munmap(head_, NODE_JOB_HEAD_BYTES);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

/// Becomes the program, between fork and exec. It stays in the launcher's process group: a terminal's.
void node_job::become(unsigned rank) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // until it has joined
  if (::getppid() != launcher_) ::_exit(1);
  ::setenv(NODE_JOB_SIZE, std::to_string(processes_.size()).c_str(), 1);
  ::setenv(NODE_JOB_RANK, std::to_string(rank).c_str(), 1);
  ::setenv(NODE_JOB_MEMORY, memory_name_.c_str(), 1);
  for (const int number : k_forwarded)
    if (!is_ignored(number)) ::signal(number, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (rank > 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing > STDIN_FILENO) {
      ::dup2(nothing, STDIN_FILENO);
      ::close(nothing);
    }
  }
  ::execvp(words_[0], words_.data());
  if (rank == 0) print_error(fmt::format("cannot start {}: {}", words_[0], std::strerror(errno)));
  ::_exit(127);
}

int node_job::run() {
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    const pid_t child = ::fork();
    if (child == 0) become(rank);
    if (child < 0) {
      const int why = errno;
      signal_all(SIGKILL);
      while (::wait(nullptr) > 0 || errno == EINTR) {}
      throw_errno("cannot start", fmt::format("process {} of {}", rank, processes_.size()), why);
    }
    processes_[rank] = child;
    ++alive_;
  }
  while (alive_ > 0) {
    wait_for_signal();
    collect();
    look_for_early();
    next_step();
  }
  return code_;
}

/// Waits for the next signal or step, and passes the signal on.
void node_job::wait_for_signal() {
  const std::uint64_t now = now_ns();
  std::uint64_t until = deadline_;
  if (until == 0 && early_ != k_none) until = now + k_patience_ns;
  timespec left = {};
  if (until > now) {
    left.tv_sec = static_cast<std::time_t>((until - now) / 1'000'000'000);
    left.tv_nsec = static_cast<long>((until - now) % 1'000'000'000);
  }
  siginfo_t what = {};
  const int number = ::sigtimedwait(&taken_, &what, until > 0 ? &left : nullptr);
  if (number <= 0 || number == SIGCHLD) return;
  if (what.si_code != SI_KERNEL) signal_all(number);  // a terminal has sent it to the whole group
  if (std::ranges::find(k_ending, number) == std::end(k_ending)) return;
  if (!std::exchange(asked_to_end_, true)) return;
  asked_again_ = true;
  step_ = SIGKILL;
  deadline_ = now_ns();
}

void node_job::collect() {
  std::vector<end> ended;
  int status = 0;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto at = std::ranges::find(processes_, child);
    if (at == processes_.end()) continue;
    *at = 0;
    --alive_;
    ended.push_back({static_cast<unsigned>(at - processes_.begin()), child, status});
  }
  std::ranges::stable_sort(ended, {}, &end::likelihood);
  for (const end& e : ended) note(e);
}

/// Notes how a process has ended. Reports the loss of one that had not joined the others, unless its watch has.
void node_job::note(const end& e) {
  if (!e.failed() && early_ == k_none && !has_joined(e.rank)) {
    early_ = e.rank;
    early_process_ = e.process;
  }
  if (!e.failed() || code_ != 0) return;
  const int number = e.signal_number();
  code_ = number != 0 ? 128 + number : WEXITSTATUS(e.status);
  if (deadline_ == 0) deadline_ = now_ns() + k_patience_ns;
  if (number == 0 || has_joined(e.rank) || asked_to_end_) return;
  ::poll(nullptr, 0, k_watch_ms);
  const char* name = ::sigabbrev_np(number);
  report(e.rank, e.process, fmt::format("was lost (killed by SIG{})", name != nullptr ? name : "?"));
}

/// Ends the job where others have joined that wait for a process which will not come.
void node_job::look_for_early() {
  if (early_ == k_none || code_ != 0) return;
  bool waited_for = false;
  for (unsigned rank = 0; rank < processes_.size(); ++rank)
    waited_for |= processes_[rank] != 0 && has_joined(rank);
  if (!waited_for) return;
  code_ = 1;
  deadline_ = now_ns();
  report(early_, early_process_, "has ended before it joined the others");
}

/// Prints the line, unless a watch has spoken.
void node_job::report(unsigned rank, pid_t process, const std::string& what) const {
  process_identity who = identify(rank);
  if (!take_name("lost", who.pid_namespace, launcher_, start_time_of(launcher_))) return;
  who.pid = static_cast<std::uint32_t>(process);
  print_error(fmt::format("{} {}", who.name(), what));
}

void node_job::next_step() {
  if (deadline_ == 0 || now_ns() < deadline_) return;
  signal_all(std::exchange(step_, SIGKILL), survivor());
  deadline_ = now_ns() + k_patience_ns;
}

/// Returns the process that stays when another one has been lost, unless the user insists on the end.
unsigned node_job::survivor() const {
  const std::uint32_t wanted = head_->survivor.load(std::memory_order_relaxed);  // 0: none
  return asked_again_ ? k_none : wanted - 1;
}

void node_job::signal_all(int number, unsigned but) const {
  for (unsigned rank = 0; rank < processes_.size(); ++rank)
    if (processes_[rank] > 0 && rank != but) ::kill(processes_[rank], number);
}

}  // namespace

int launch_on_node(const std::vector<std::string>& words, unsigned processes) {
  return node_job(words, processes).run();
}

unsigned most_on_node() noexcept { return NODE_JOB_MOST; }

}  // namespace gossamer::machine
