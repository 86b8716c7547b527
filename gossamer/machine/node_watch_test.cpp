// The watch without an MPI: a child plays the launcher, its children are the processes of a job, and another
// user troubles them (as root only).
#include "gossamer/machine/node_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "support/child_process.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::machine {
namespace {

using test::child_process;

constexpr unsigned k_most = 16;

// Written by the processes of a job, read by the test: counters with the default, sequentially consistent
// order, and what was written before they were counted up.
struct board {
  std::atomic<unsigned> made{0}, watching{0}, closing{0}, step{0};
  std::array<process_identity, k_most> who{};
};

void wait_for(const std::atomic<unsigned>& counter, unsigned least) {
  while (counter.load() < least) ::sched_yield();
}

/// A launcher and its processes. Each makes its watch, waits for step 1, has all watched, and runs `then`.
class family {
 public:
  template <class Then>
  family(unsigned processes, std::uint32_t stopped_s, rlim_t descriptors, Then then)
      : board_(make_board()), launcher_([=, this](auto) {
          ::prctl(PR_SET_CHILD_SUBREAPER,
                  1);  // the watches become children of the launcher, which can find them
          if (descriptors != 0) {
            ::syscall(SYS_close_range, 3u, ~0u, 0u);  // what other tests hold in this process
            const rlimit limit{descriptors, descriptors};
            ::setrlimit(RLIMIT_NOFILE, &limit);
          }
          std::vector<pid_t> pids;
          for (unsigned rank = 0; rank < processes; ++rank) {
            pids.push_back(::fork());
            if (pids.back() == 0) process(rank, processes, stopped_s, then);
          }
          int first = 0;
          for (const pid_t pid : pids) {
            int status = 0;
            ::waitpid(pid, &status, 0);
            if (pid == pids[0]) first = status;
          }
          ::_exit(WIFEXITED(first) ? WEXITSTATUS(first) : 98);
        }) {
    wait_for(board_->made, processes);
  }
  ~family() { ::munmap(board_, sizeof *board_); }

  board& state() { return *board_; }
  child_process& launcher() { return launcher_; }
  pid_t launcher_pid() const { return parent_of(pid(0)); }
  pid_t pid(unsigned rank) const { return static_cast<pid_t>(board_->who[rank].pid); }
  void kill(unsigned rank) const { ::kill(pid(rank), SIGKILL); }
  /// Lets the processes be watched, and waits for it.
  void watch(unsigned processes) {
    board_->step.store(1);
    wait_for(board_->watching, processes);
  }
  std::string errors() {
    launcher_.finish();
    return launcher_.errors();
  }

  static pid_t parent_of(pid_t pid) { return static_cast<pid_t>(field(pid, 4)); }

  /// A field of /proc/<pid>/stat, behind the name.
  static unsigned long long field(pid_t pid, int wanted) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::size_t at = std::min(text.rfind(')'), text.size());
    for (int n = 2; n < wanted; ++n) at = std::min(text.find(' ', at + 1), text.size());
    return std::strtoull(text.c_str() + at, nullptr, 10);
  }

 private:
  static board* make_board() {
    void* const shared =
        ::mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return new (shared) board;
  }

  template <class Then>
  [[noreturn]] void process(unsigned rank, unsigned processes, std::uint32_t stopped_s, Then then) {
    int code = 99;
    try {
      node_watch watch(rank, stopped_s);
      board_->who[rank] = watch.self();
      board_->made.fetch_add(1);
      wait_for(board_->made, processes);
      wait_for(board_->step, 1);
      if (processes > 1) watch.watch({board_->who.begin(), board_->who.begin() + processes}, stopped_s);
      board_->watching.fetch_add(1);
      code = then(rank, watch, *board_);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
    ::_exit(code);
  }

  board* board_;
  child_process launcher_;
};

int wait_for_the_end(unsigned, node_watch&, board&) {
  for (;;) ::pause();
}

int say_so_and_end(unsigned, node_watch& watch, board& b) {
  wait_for(b.watching, b.made);
  watch.closing();
  b.closing.fetch_add(1);
  wait_for(b.closing, b.made);  // until then an end is a loss
  return 0;
}

int end_after_step_2(unsigned rank, node_watch& watch, board& b) {
  wait_for(b.step, 2);
  return say_so_and_end(rank, watch, b);
}

std::string lost(const family& f, unsigned rank) {
  return "error: process " + std::to_string(rank) + " (pid " + std::to_string(f.pid(rank)) + " on ";
}

/// Runs `body` as another user until the guard goes; waits until it has called ready().
template <class Body>
auto as_another_user(Body body) {
  auto made = std::make_unique<child_process>([body](auto ready) {
    if (!test::drop_root()) ::_exit(98);
    body();
    ready();
    for (;;) ::pause();
  });
  EXPECT_TRUE(made->wait_until_ready());
  return std::shared_ptr<child_process>(made.release(), [](child_process* child) {
    child->send(SIGKILL);
    delete child;
  });
}

int connect_to(const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0 || ::connect(made, reinterpret_cast<const sockaddr*>(&address), bytes) != 0) ::_exit(97);
  return made;
}

std::string address_of(const family& f) {
  const auto& address = const_cast<family&>(f).state().who[0].watch_address;
  return {address.data() + 1, static_cast<std::size_t>(address[0])};
}

void hold_name(const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {  // whose names are apart
    const int made = ::socket(AF_UNIX, type, 0);
    if (::bind(made, reinterpret_cast<const sockaddr*>(&address), bytes) != 0) ::_exit(97);
    if (type == SOCK_STREAM) ::listen(made, 1);
  }
}

class NodeWatch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::k_address_sanitizer || test::k_thread_sanitizer)
      GTEST_SKIP() << "a sanitizer's threads and descriptors are not the program's";
  }
};

class NodeWatchOfRoot : public NodeWatch {
 protected:
  void SetUp() override {
    NodeWatch::SetUp();
    if (::geteuid() != 0) GTEST_SKIP() << "only root can play another user";
  }
};

TEST_F(NodeWatch, TellsOfADeath) {
  family f(3, 0, 0, wait_for_the_end);
  f.watch(3);
  f.kill(2);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 2))) << f.launcher().errors();
  EXPECT_TRUE(f.launcher().errors().ends_with(" was lost (killed by SIGKILL)\n")) << f.launcher().errors();
}

TEST_F(NodeWatch, IsSilentAboutAnOrderlyEnd) {
  family f(3, 0, 0, say_so_and_end);
  f.watch(3);
  EXPECT_EQ(f.errors(), "");
  EXPECT_TRUE(f.launcher().exited_with(0));
}

TEST_F(NodeWatchOfRoot, DoesNotBelieveOtherUsers) {
  family f(2, 0, 0, wait_for_the_end);
  const std::string address = address_of(f);
  const auto other = as_another_user([address] {
    for (const std::uint32_t rank : {0U, 1U}) {
      const int link = connect_to(address);
      constexpr std::uint32_t k_leaving = 1;
      for (const std::uint32_t word : {rank, k_leaving})  // that may be refused already
        ::send(link, &word, sizeof word, MSG_NOSIGNAL);
    }
  });
  f.watch(2);
  f.kill(1);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 1))) << f.launcher().errors();
}

TEST_F(NodeWatchOfRoot, DoesNotBelieveOneProcessAboutAnother) {
  family f(2, 0, 0, wait_for_the_end);
  const int link = connect_to(address_of(f));
  constexpr std::uint32_t k_words[] = {1, 1};
  ::send(link, k_words, sizeof k_words, MSG_NOSIGNAL);
  f.watch(2);
  f.kill(1);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 1))) << f.launcher().errors();
  ::close(link);
}

TEST_F(NodeWatchOfRoot, SpeaksThoughOthersHoldItsNames) {
  family f(2, 0, 0, wait_for_the_end);
  const std::string parent = std::to_string(f.state().who[0].pid_namespace) + "-" +
                             std::to_string(f.launcher_pid()) + "-" +
                             std::to_string(family::field(f.launcher_pid(), 22));
  const auto other = as_another_user([parent] {
    for (const char* what : {"lost", "first"})
      for (const char* suffix : {"", "-0", "-1", "-2", "-3"})
        hold_name(std::string("gossamer-") + what + "-" + parent + suffix);
  });
  f.watch(2);
  f.kill(1);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 1))) << f.launcher().errors();
}

TEST_F(NodeWatchOfRoot, HearsItsOwnAmongMoreConnectionsThanItTakes) {
  family f(2, 0, 0, [](unsigned rank, node_watch& watch, board& b) {
    if (rank == 0) return wait_for_the_end(rank, watch, b);
    wait_for(b.watching, 2);
    watch.leaving();
    return 2;
  });
  constexpr rlim_t k_connections = 2100;
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < k_connections + 100) GTEST_SKIP() << "too few descriptors";
  const std::string address = address_of(f);
  const auto other = as_another_user([address, limit] {
    const rlimit all{limit.rlim_max, limit.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &all);
    for (unsigned n = 0; n < k_connections; ++n) connect_to(address);
  });
  f.watch(2);
  EXPECT_EQ(f.errors(), "");  // a process that leaves has said why
}

TEST_F(NodeWatch, NeedsFewDescriptors) {
  constexpr unsigned k_processes = 6;
  for (const rlim_t limit : {rlim_t{12}, rlim_t{64}, rlim_t{400}}) {
    family in_order(k_processes, 0, limit, say_so_and_end);
    in_order.watch(k_processes);
    EXPECT_EQ(in_order.errors(), "") << limit;
    EXPECT_TRUE(in_order.launcher().exited_with(0));

    family killed(k_processes, 0, limit, wait_for_the_end);
    killed.watch(k_processes);
    killed.kill(k_processes - 1);
    EXPECT_TRUE(killed.errors().starts_with(lost(killed, k_processes - 1)))
        << limit << ": " << killed.launcher().errors();
  }
}

/// The letter of a process's state in /proc/<pid>/stat; 'Z' where it has ended.
char state_of(pid_t pid) {
  std::string stat;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
  const std::size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos ? 'Z' : stat[name_end + 2];
}

/// The watches of those processes that have not ended: the other children of their launcher.
std::vector<pid_t> watches_of(const family& f, unsigned processes) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0 || family::parent_of(pid) != f.launcher_pid()) continue;
    bool is_watch = state_of(pid) != 'Z';
    for (unsigned rank = 0; rank < processes; ++rank) is_watch &= pid != f.pid(rank);
    if (is_watch) found.push_back(pid);
  }
  return found;
}

TEST_F(NodeWatch, IsMissedWithAWarningAtTheEnd) {
  family f(2, 0, 0, end_after_step_2);
  f.watch(2);
  while (!watches_of(f, 2).empty())
    for (const pid_t watch : watches_of(f, 2)) ::kill(watch, SIGKILL);
  f.state().step.store(2);
  EXPECT_TRUE(f.errors().starts_with("warning: gossamer-watch on ")) << f.launcher().errors();
  EXPECT_EQ(std::count(f.launcher().errors().begin(), f.launcher().errors().end(), '\n'), 1);
  EXPECT_TRUE(f.launcher().exited_with(0));
}

/// Lets stopped processes go on after a minute and remembers that it had to: a test that waits for them fails
/// then. They would hold its standard output for ever.
class released_late {
 public:
  explicit released_late(const std::vector<pid_t>& stopped) {
    std::copy_n(stopped.begin(), std::min(stopped.size(), held.size()), held.begin());
    was_needed = 0;
    ::signal(SIGALRM, [](int) {
      was_needed = 1;
      for (const pid_t pid : held)
        if (pid > 0) ::kill(pid, SIGCONT);
    });
    ::alarm(60);
  }
  ~released_late() {
    ::alarm(0);
    EXPECT_FALSE(was_needed) << "a watch stayed stopped";
    held.fill(0);
  }
  released_late(const released_late&) = delete;
  released_late& operator=(const released_late&) = delete;

 private:
  static inline std::array<pid_t, k_most> held{};
  static inline volatile sig_atomic_t was_needed = 0;
};

TEST_F(NodeWatch, GoesOnAtTheEndWhereItWasStopped) {
  family f(2, 0, 0, end_after_step_2);
  f.watch(2);
  while (watches_of(f, 2).size() > 1) ::sched_yield();  // the one that was told to end
  const std::vector<pid_t> watches = watches_of(f, 2);
  for (const pid_t watch : watches) ::kill(watch, SIGSTOP);
  const released_late late(watches);
  f.state().step.store(2);
  EXPECT_EQ(f.errors(), "");
  EXPECT_TRUE(f.launcher().exited_with(0));
}

/// Counts down in each child of a fork; the one that reaches 0 stops before it does anything.
unsigned forks_until_stop = 0;

TEST_F(NodeWatch, GoesOnWhereItWasStoppedBeforeItDidAnything) {
  ::pthread_atfork(nullptr, nullptr, [] {
    if (forks_until_stop != 0 && --forks_until_stop == 0) ::raise(SIGSTOP);
  });
  forks_until_stop = 4;  // the launcher, its process, the parent of the watch, the watch
  family f(1, 0, 0, end_after_step_2);
  forks_until_stop = 0;
  std::vector<pid_t> watches;
  while ((watches = watches_of(f, 1)).empty() || state_of(watches[0]) != 'T') ::sched_yield();
  const released_late late(watches);
  f.watch(1);
  f.state().step.store(2);
  EXPECT_EQ(f.errors(), "");
  EXPECT_TRUE(f.launcher().exited_with(0));
}

TEST_F(NodeWatch, EndsTheProcessesOfALostLauncher) {
  family f(2, 0, 0, wait_for_the_end);
  f.watch(2);
  const pid_t launcher = f.launcher_pid();
  f.launcher().send(SIGKILL);
  const std::string errors = f.errors();  // all processes have ended, which hold its other end
  EXPECT_TRUE(errors.starts_with("error: ")) << errors;
  EXPECT_NE(errors.find(" (pid " + std::to_string(launcher) + " on "), std::string::npos) << errors;
  EXPECT_TRUE(errors.ends_with(", the parent of process 0, was lost\n")) << errors;
}

/// Forks a process of that name that runs `then`, and waits for it for ever.
template <class Then>
[[noreturn]] void stay_above(const char* name, Then then) {
  ::prctl(PR_SET_NAME, name);
  const pid_t child = ::fork();
  if (child == 0) then();
  ::waitpid(child, nullptr, 0);
  for (;;) ::pause();
}

TEST_F(NodeWatch, EndsALauncherThatStaysAndTheOneAboveIt) {
  child_process top([](auto) {
    stay_above("mpiexec.hydra", [] {
      stay_above("hydra_pmi_proxy", [] {
        node_watch watch(0);
        process_identity elsewhere = watch.self();
        elsewhere.boot[0] ^= 1;
        elsewhere.rank = 1;
        watch.watch({watch.self(), elsewhere}, 0);
        ::raise(SIGKILL);
        ::_exit(1);
      });
    });
  });
  top.finish();
  EXPECT_TRUE(top.killed_by(SIGKILL));
  EXPECT_TRUE(top.errors().starts_with("error: process 0 (pid ")) << top.errors();
}

TEST_F(NodeWatch, EndsAProcessWhoseLauncherWasLostBeforeTheProcessesMet) {
  child_process launcher([](auto) {
    stay_above("hydra_pmi_proxy", [] {
      node_watch watch(0);
      process_identity elsewhere = watch.self();
      elsewhere.boot[0] ^= 1;
      elsewhere.rank = 1;
      const pid_t above = ::getppid();
      ::kill(above, SIGKILL);
      while (::getppid() == above) ::sched_yield();
      watch.watch({watch.self(), elsewhere}, 0);
      ::sleep(30);  // it is ended before
      ::_exit(1);
    });
  });
  launcher.finish();
  EXPECT_TRUE(launcher.errors().starts_with("error: hydra_pmi_proxy (pid ")) << launcher.errors();
  EXPECT_TRUE(launcher.errors().ends_with(", the parent of process 0, was lost\n")) << launcher.errors();
}

TEST_F(NodeWatch, TellsOfAStopOfTheOnlyProcessOfANodeBeforeTheFirstJob) {
  family f(1, 1, 0, [](unsigned rank, node_watch& watch, board& b) {
    process_identity elsewhere = watch.self();
    elsewhere.boot[0] ^= 1;
    elsewhere.rank = 1;
    watch.watch({watch.self(), elsewhere}, 1);
    ::raise(SIGSTOP);
    return wait_for_the_end(rank, watch, b);
  });
  f.state().step.store(1);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 0))) << f.launcher().errors();
  EXPECT_TRUE(f.launcher().errors().ends_with(" has not answered for 1 s: it is stopped\n"));
}

TEST_F(NodeWatch, WaitsForProcessesOfOtherNodesNotForEver) {
  const std::map<const char*, const char*> launched{{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}};
  for (const auto& [name, value] : launched) ::setenv(name, value, 1);
  family f(1, 1, 0, wait_for_the_end);  // that is never told of the other
  for (const auto& [name, value] : launched) ::unsetenv(name);
  f.state().step.store(1);
  EXPECT_TRUE(f.errors().starts_with(lost(f, 0))) << f.launcher().errors();
  EXPECT_TRUE(f.launcher().errors().ends_with(
      " has waited 1 s for the other processes of the job to start: 1 of 2 are on this node, and not 1; "
      "GOSSAMER_PEER_TIMEOUT_S sets how long\n"))
      << f.launcher().errors();
}

TEST(ProcessIdentity, OfAnotherHostNameIsOfAnotherNode) {
  const process_identity self = identify(0);
  process_identity other = self;
  EXPECT_TRUE(other.on_node_of(self));
  other.host[0] = '?';
  EXPECT_FALSE(other.on_node_of(self));
}

}  // namespace
}  // namespace gossamer::machine
