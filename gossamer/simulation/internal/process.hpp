#pragma once
// One simulated process: the operating system for its code.

#include <memory>
#include <string>
#include <vector>

#include "gossamer/fabric/simulated_process.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/simulation/internal/engine.hpp"

namespace gossamer::simulation {

/// What the processes of a simulated node share.
struct node_share {
  fabric::simulated_process::node what;
  machine::memory_region memory;  // for lanes, from the first request on
};

class process final : public fabric::simulated_process {
 public:
  /// `cores`: the number of processors that it reports. `between`: null if there is one process.
  process(engine& e, unsigned number, unsigned cores, std::uint64_t seed,
          std::unique_ptr<fabric::transport> between, std::shared_ptr<node_share> share)
      : engine_(e),
        number_(number),
        cores_(cores),
        seed_(seed),
        between_(std::move(between)),
        node_(std::move(share)) {}

  std::uint64_t now_ns() noexcept override { return engine_.now(); }
  std::uint64_t waited_ns() const noexcept override { return engine_.waited(); }
  void look() noexcept override { engine_.look(); }
  void preemption_point() noexcept override;
  void computing_point() noexcept override;
  unsigned choose(unsigned n, const char* what) noexcept override { return engine_.choose(n, what); }
  bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns,
            bool spinning) noexcept override;
  void wake(const std::atomic<std::uint32_t>& word, bool all) noexcept override;
  void yield() noexcept override { engine_.yield(); }
  std::uintptr_t start(std::string name, std::function<void()> body) override;
  void join(std::uintptr_t thread) noexcept override;
  std::uint64_t random() noexcept override;
  unsigned processors() const noexcept override { return cores_; }
  unsigned processes() const noexcept override { return engine_.processes(); }
  std::byte* map_common(std::byte* at, std::size_t bytes) override;
  bool unmap_common(std::byte* at, std::size_t bytes) noexcept override;
  bool bring_common(const void* at) noexcept override { return engine_.windows().bring(at); }
  std::uint64_t common_bytes() const noexcept override { return engine_.windows().bytes(); }

  std::size_t describe(char* buffer, std::size_t size) noexcept override;

  fabric::transport* between() noexcept override { return between_.get(); }
  node node_of_process() const override { return node_->what; }
  std::byte* node_memory(std::size_t bytes) override;
  void lane_written(unsigned to, unsigned core) noexcept override;
  [[noreturn]] void fail(const char* what) override;

 private:
  /// The turn of a core, and when it was first seen.
  struct seen_turn {
    std::uint64_t number = 0, since_ns = 0;
  };

  void watch_turn(fiber::scheduler& core);

  engine& engine_;
  const unsigned number_, cores_;
  std::vector<seen_turn> turns_;  // by core
  const std::uint64_t seed_;
  std::uint64_t randoms_ = 0;
  std::unique_ptr<fabric::transport> between_;
  std::shared_ptr<node_share> node_;
};

}  // namespace gossamer::simulation
