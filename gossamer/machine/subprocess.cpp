#include "gossamer/machine/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/file_descriptor.hpp"
#include "gossamer/machine/internal/system_error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::size_t k_kept_errors = 4096;
constexpr double k_grace_s = 2;

struct pipe_ends {
  file_descriptor read, write;
};

pipe_ends open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("cannot make", "a pipe", errno);
  return {file_descriptor(ends[0]), file_descriptor(ends[1])};
}

/// Becomes the program, between fork and exec. Makes only calls that a signal handler might make.
[[noreturn]] void become(char* const* arguments, int output, int errors) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int n : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ}) ::signal(n, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0) ::_exit(127);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

/// Reads what may be read now into `into`. Returns false at the end of the file.
bool read_some(int from, std::string& into) {
  std::array<char, 4096> buffer;
  const ssize_t n = ::read(from, buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

class deadline {
 public:
  explicit deadline(double seconds) : at_(now_ns() + static_cast<std::uint64_t>(seconds * 1e9)) {}
  int milliseconds_left() const {
    const std::uint64_t now = now_ns();
    return now >= at_ ? 0 : static_cast<int>(std::min<std::uint64_t>((at_ - now) / 1'000'000 + 1, 1000));
  }

 private:
  std::uint64_t at_;
};

/// Reads both pipes until they are closed; false where time runs out first.
bool read_both(int output, int errors, program_result& r, const deadline& until) {
  std::array<pollfd, 2> open{{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    const int left = until.milliseconds_left();
    if (left == 0) return false;
    if (::poll(open.data(), open.size(), left) <= 0) continue;
    if (open[0].revents != 0 && !read_some(output, r.output)) open[0].fd = -1;
    if (open[1].revents != 0 && !read_some(errors, r.errors)) open[1].fd = -1;
    if (r.errors.size() > k_kept_errors) r.errors.erase(0, r.errors.size() - k_kept_errors);
  }
  return true;
}

/// Returns whether the child has ended by then. Polls every millisecond: only after its pipes are closed, or
/// to end it.
bool ended(pid_t child, int& status, rusage& used, const deadline& until) {
  while (true) {
    const pid_t who = ::wait4(child, &status, WNOHANG, &used);
    if (who == child || (who < 0 && errno != EINTR)) return true;
    if (until.milliseconds_left() == 0) return false;
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace

program_result run_program(const std::vector<std::string>& arguments, double seconds) {
  std::vector<char*> words;
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  pipe_ends output = open_pipe();
  pipe_ends errors = open_pipe();
  const deadline until(seconds);
  const pid_t child = ::fork();
  if (child < 0) throw_errno("cannot start", arguments.at(0), errno);
  if (child == 0) become(words.data(), output.write.get(), errors.write.get());
  ::setpgid(child, child);  // also here: the first of both counts
  output.write = file_descriptor();
  errors.write = file_descriptor();

  program_result r;
  int status = 0;
  rusage used{};
  r.timed_out =
      !read_both(output.read.get(), errors.read.get(), r, until) || !ended(child, status, used, until);
  if (r.timed_out) {
    ::kill(-child, SIGTERM);
    const bool gone = ended(child, status, used, deadline(k_grace_s));
    ::kill(-child, SIGKILL);  // what it has started, too
    if (!gone) ::wait4(child, &status, 0, &used);
  }
  if (WIFEXITED(status) && !r.timed_out) r.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) r.signal_number = WTERMSIG(status);
  r.peak_memory_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
  return r;
}

void become_program(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  throw_errno("cannot start", arguments.at(0), errno);
}

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& file) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(file, unknown) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != name.npos) return runs(name) ? name : std::string();
  const char* path = std::getenv("PATH");
  std::string_view left = path != nullptr ? path : "";
  while (!left.empty()) {
    const auto end = std::min(left.find(':'), left.size());
    const std::string file = std::string(left.substr(0, end)) + "/" + name;
    if (end > 0 && runs(file)) return file;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

std::string program_file() {
  std::error_code unknown;
  const auto file = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? std::string() : file.string();
}

std::string program_folder() { return std::filesystem::path(program_file()).parent_path().string(); }

void set_environment(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);
}

std::vector<std::string> environment_names(const std::string& prefix) {
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

bool is_root() noexcept { return ::geteuid() == 0; }

}  // namespace gossamer::machine
