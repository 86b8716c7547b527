#include "sweep.hpp"

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace gossamer::test {

namespace {

constexpr int k_most_seconds = 20;  // of the processor, for one seed; an ordinary one takes milliseconds

/// Memory that parent and child share.
struct blackboard {
  std::atomic<std::uint64_t> seed{0};
  char what[4096] = {};
};

class shared_blackboard {
 public:
  shared_blackboard()
      : memory_(
            ::mmap(nullptr, sizeof(blackboard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("no memory to share with a child");
    board_ = new (memory_) blackboard;
  }
  ~shared_blackboard() { ::munmap(memory_, sizeof(blackboard)); }
  shared_blackboard(const shared_blackboard&) = delete;
  shared_blackboard& operator=(const shared_blackboard&) = delete;
  blackboard* operator->() { return board_; }

 private:
  void* memory_;
  blackboard* board_;
};

/// Ends this process where one seed takes too long.
void limit_seed() {
  const ::itimerval limit{{0, 0}, {k_most_seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

[[noreturn]] void run_seeds(const protocol& p, std::uint64_t first, std::uint64_t last, const manner& m,
                            shared_blackboard& board) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    board->seed = seed;
    limit_seed();
    job_options o = job_of(p, seed);
    o.simulate->until = m.until;
    o.simulate->trace = m.trace;
    if (m.plain) o.simulate->faults = "none";
    const std::string failure = failure_of(p, seed, o);
    if (failure.empty()) continue;
    std::strncpy(board->what, failure.c_str(), sizeof board->what - 1);
    ::_exit(1);
  }
  if (p.judge != nullptr) ::_exit(0);
  std::exit(0);  // the leak checker runs here, if there is one
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGPROF) return fmt::format("no end within {} s of the processor", k_most_seconds);
    return fmt::format("ended by signal {} ({})", number, ::strsignal(number));
  }
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

std::string contents(std::FILE* file) {
  std::string text;
  char buffer[4096];
  std::rewind(file);
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

}  // namespace

std::optional<seed_failure> first_failure(const protocol& p, std::uint64_t first, std::uint64_t last,
                                          const manner& m) {
  constexpr std::uint64_t k_seeds_of_a_child = 1000;
  shared_blackboard board;
  for (; first <= last; first += k_seeds_of_a_child) {
    std::FILE* const errors = std::tmpfile();
    if (errors == nullptr) throw std::runtime_error("no temporary file");
    std::fflush(nullptr);
    const ::pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::fileno(errors), STDERR_FILENO);
      run_seeds(p, first, std::min(last, first + k_seeds_of_a_child - 1), m, board);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const std::string text = contents(errors);
    std::fclose(errors);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    return seed_failure{board->seed, board->what[0] != 0 ? board->what : how_it_ended(status), text};
  }
  return {};
}

std::string report(const protocol& p, const seed_failure& f, const std::string& program) {
  const auto fails = [&](std::uint64_t until) {
    return first_failure(p, f.seed, f.seed, {.until = until}).has_value();
  };
  std::string text = fmt::format("{}: seed {} failed: {}\njob: {}\n", p.name, f.seed, f.what,
                                 job_of(p, f.seed).simulate->print());
  const auto fewest = simulation::fewest_choices(fails);
  if (!fewest) return text + "it did not fail again\n" + f.errors;
  const auto last = first_failure(p, f.seed, f.seed, {.until = *fewest, .trace = "-"});
  if (*fewest == 0)
    text += "it fails without any choice: what the seed decides has no part in it\n";
  else
    text +=
        fmt::format("the first {} choices of the seed are enough: {}\n", *fewest, last ? last->what : f.what);
  text += fmt::format("again: {} {} {} --until {} [--trace FILE]\n", program, p.name, f.seed, *fewest);
  return text + (last ? last->errors : f.errors);
}

}  // namespace gossamer::test
