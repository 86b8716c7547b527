#include "gossamer/machine/node_launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/node_monitor.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/node_job.h"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_patience_ns = 1'000'000'000;
constexpr int k_watch_ms = 300;  // for which the watch of a lost process may speak
constexpr int k_forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

class node_job {
 public:
  node_job(const std::vector<std::string>& words, unsigned processes);
  ~node_job();
  node_job(const node_job&) = delete;
  node_job& operator=(const node_job&) = delete;

  int run();

 private:
  [[noreturn]] void become(unsigned rank);
  void collect();
  void note(unsigned rank, pid_t process, int status);
  void wait_for_signal();
  void next_step();
  void signal_all(int number) const;

  std::vector<char*> words_;
  std::vector<pid_t> processes_;  // by rank; 0: has ended
  file_descriptor memory_;
  node_job_head* head_ = nullptr;
  sigset_t taken_ = {}, before_ = {};
  unsigned alive_ = 0;
  int code_ = 0;
  std::uint64_t deadline_ = 0;  // of the next step towards the end; 0: none
  int step_ = SIGTERM;  // at the deadline
};

node_job::node_job(const std::vector<std::string>& words, unsigned processes)
    : processes_(processes), memory_(::memfd_create("gossamer job", 0)) {
  for (const std::string& w : words) words_.push_back(const_cast<char*>(w.c_str()));
  words_.push_back(nullptr);
  if (!memory_.is_open() || ::ftruncate(memory_.get(), NODE_JOB_HEAD_BYTES) != 0)
    throw_errno("cannot make", "the memory of the job", errno);
  void* const at = ::mmap(nullptr, NODE_JOB_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED) throw_errno("cannot map", "the memory of the job", errno);
  head_ = static_cast<node_job_head*>(at);
  ::sigemptyset(&taken_);
  ::sigaddset(&taken_, SIGCHLD);
  for (const int number : k_forwarded) ::sigaddset(&taken_, number);
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
}

node_job::~node_job() {
  ::munmap(head_, NODE_JOB_HEAD_BYTES);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

/// Becomes the program, between fork and exec, in a process group of its own: a terminal's Ctrl-C comes by way of the launcher.
void node_job::become(unsigned rank) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // until it has joined
  ::setenv(NODE_JOB_SIZE, std::to_string(processes_.size()).c_str(), 1);
  ::setenv(NODE_JOB_RANK, std::to_string(rank).c_str(), 1);
  ::setenv(NODE_JOB_MEMORY, std::to_string(memory_.get()).c_str(), 1);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (const int nothing = rank > 0 ? ::open("/dev/null", O_RDONLY) : -1; nothing >= 0)
    ::dup2(nothing, STDIN_FILENO);
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
    next_step();
  }
  return code_;
}

void node_job::wait_for_signal() {
  timespec left = {};
  const std::uint64_t now = now_ns();
  if (deadline_ > now) {
    left.tv_sec = static_cast<std::time_t>((deadline_ - now) / 1'000'000'000);
    left.tv_nsec = static_cast<long>((deadline_ - now) % 1'000'000'000);
  }
  siginfo_t what = {};
  const int number = ::sigtimedwait(&taken_, &what, deadline_ > 0 ? &left : nullptr);
  if (number <= 0 || number == SIGCHLD) return;
  signal_all(number);
  if (code_ == 0) code_ = 128 + number;
  if (deadline_ == 0) deadline_ = now_ns() + k_patience_ns;
}

void node_job::collect() {
  int status = 0;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto at = std::ranges::find(processes_, child);
    if (at == processes_.end()) continue;
    *at = 0;
    --alive_;
    note(static_cast<unsigned>(at - processes_.begin()), child, status);
  }
}

/// Notes how a process has ended. Reports the loss of one that had not joined the others, unless its watch has.
void node_job::note(unsigned rank, pid_t process, int status) {
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == 0 || code_ != 0) return;
  code_ = code;
  deadline_ = now_ns() + k_patience_ns;
  if (!WIFSIGNALED(status) || head_->joined[rank].load(std::memory_order_relaxed) != 0) return;
  ::poll(nullptr, 0, k_watch_ms);
  process_identity who = identify(rank);
  if (!take_name("lost", who.pid_namespace, ::getpid(), start_time_of(::getpid()))) return;
  who.pid = static_cast<std::uint32_t>(process);
  print_error(fmt::format("{} was lost (killed by SIG{})", who.name(), ::sigabbrev_np(WTERMSIG(status))));
}

void node_job::next_step() {
  if (deadline_ == 0 || now_ns() < deadline_) return;
  signal_all(std::exchange(step_, SIGKILL));
  deadline_ = now_ns() + k_patience_ns;
}

void node_job::signal_all(int number) const {
  for (const pid_t process : processes_)
    if (process > 0) ::kill(process, number);
}

}  // namespace

int launch_on_node(const std::vector<std::string>& words, unsigned processes) {
  return node_job(words, processes).run();
}

unsigned most_on_node() noexcept { return NODE_JOB_MOST; }

}  // namespace gossamer::machine
