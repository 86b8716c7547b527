#pragma once
// Runs a piece of a test in a forked child, for what ends a process: signals, limits, exits.
// Fork before any thread is started in the parent.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace gossamer::test {

class child_process {
 public:
  /// Starts `body` in a child whose standard error is caught. body(ready) may call ready() once;
  /// wait_until_ready() returns after that. A child whose body returns exits with 0, one whose body
  /// throws with 99.
  template <class Body>
  explicit child_process(Body body) {
    int ready_pipe[2];
    int error_pipe[2];
    if (::pipe(ready_pipe) != 0 || ::pipe(error_pipe) != 0) ADD_FAILURE() << "no pipe";
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ready_pipe[0]);
      ::dup2(error_pipe[1], STDERR_FILENO);
      ::close(error_pipe[0]);
      int status = 0;
      try {
        body([&] { [[maybe_unused]] const auto ignored = ::write(ready_pipe[1], "!", 1); });
      } catch (...) {
        status = 99;
      }
      ::_exit(status);
    }
    ::close(ready_pipe[1]);
    ::close(error_pipe[1]);
    ready_ = ready_pipe[0];
    errors_ = error_pipe[0];
  }
  ~child_process() {
    if (pid_ > 0 && !ended_) finish();
    ::close(ready_);
    ::close(errors_);
  }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  bool wait_until_ready() const {
    char byte = 0;
    return ::read(ready_, &byte, 1) == 1;
  }
  void send(int signal_number) const { ::kill(pid_, signal_number); }

  /// Waits for the end; errors() and status() are known then.
  void finish() {
    char buffer[512];
    for (ssize_t n = 0; (n = ::read(errors_, buffer, sizeof buffer)) > 0;)
      text_.append(buffer, static_cast<std::size_t>(n));
    ::waitpid(pid_, &status_, 0);
    ended_ = true;
  }
  pid_t pid() const { return pid_; }
  const std::string& errors() const { return text_; }
  bool killed_by(int signal_number) const {
    return WIFSIGNALED(status_) && WTERMSIG(status_) == signal_number;
  }
  bool exited_with(int code) const { return WIFEXITED(status_) && WEXITSTATUS(status_) == code; }

 private:
  pid_t pid_ = -1;
  int ready_ = -1;
  int errors_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::string text_;
};

/// Makes a child a user without rights, so that file permissions apply (root passes them all). Returns true if so.
inline bool drop_root() { return ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0); }

}  // namespace gossamer::test
