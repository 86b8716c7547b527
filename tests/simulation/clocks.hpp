#pragma once
// An engine for tests of the models: every process has a clock, tests decide which runs.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gossamer/simulation/choices.hpp"
#include "gossamer/simulation/internal/engine_interface.hpp"

namespace gossamer::simulation {

class clocks final : public engine_interface {
 public:
  struct expected {
    unsigned process;
    std::uint64_t at;
    bool operator==(const expected&) const = default;
  };
  struct abortion : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  explicit clocks(unsigned processes, choices decide = {0, {}})
      : times_(processes), decide_(std::move(decide)) {}

  /// Makes the calls that follow those of a core of that process.
  void run(unsigned process) { running_ = process; }
  void set(unsigned process, std::uint64_t time) { times_[process] = time; }
  std::uint64_t of(unsigned process) const { return times_[process]; }
  const std::vector<expected>& arrivals() const { return arrivals_; }
  unsigned met() const { return met_; }
  std::function<void()> meanwhile;

  unsigned processes() const override { return static_cast<unsigned>(times_.size()); }
  std::uint64_t now() override { return times_[running_]; }
  std::uint64_t waited() const override { return 0; }
  void charge(std::uint64_t ns) override { times_[running_] += ns; }
  void expect(unsigned process, std::uint64_t at) override { arrivals_.push_back({process, at}); }
  /// Counts the call. No process can wait here: tests set the clocks, and may have others do something
  /// meanwhile, once.
  void meet(unsigned) override {
    ++met_;
    if (meanwhile) std::exchange(meanwhile, {})();
  }
  unsigned choose(unsigned n, const char* what) override { return decide_.choose(n, what); }
  [[noreturn]] void aborted(unsigned process, int code) override {
    throw abortion(std::to_string(process) + " " + std::to_string(code));
  }

 private:
  std::vector<std::uint64_t> times_;
  choices decide_;
  unsigned running_ = 0, met_ = 0;
  std::vector<expected> arrivals_;
};

}  // namespace gossamer::simulation
