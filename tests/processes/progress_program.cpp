// What must end while something else is saturated, late, or computes, for progress_test.py: progress_program MODE FLAGS. FLAGS is a file
// that all processes map: a fiber that computes looks only there, never at the runtime, and goes on until the operation that must not
// wait for it has ended. So a mode ends, or it gives up after a number of looks and says what has not happened. No clock decides.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"

namespace {

using namespace gossamer;

/// What the processes tell each other beside the runtime.
struct flags {
  std::atomic<std::uint64_t> done;  // operations that have ended
  std::atomic<std::uint64_t> begun, sent, yields;
};
flags* s_flags = nullptr;

void map_flags(const char* file) {
  const int opened = ::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0 || ::ftruncate(opened, sizeof(flags)) != 0) std::abort();
  void* const at = ::mmap(nullptr, sizeof(flags), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (at == MAP_FAILED) std::abort();
  ::close(opened);
  s_flags = static_cast<flags*>(at);
}

/// Ends the program, and so the job: `what` should have happened.
[[noreturn]] void give_up(std::string_view what) {
  fmt::print(stderr, "core {}: {}\n", here(), what);
  std::fflush(stderr);
  std::_Exit(7);
}

/// Computes, as a fiber that calls nothing of the runtime, until `count` operations have ended.
void compute_until(std::uint64_t count, std::string_view what) {
  constexpr std::uint64_t k_most_looks = 3'000'000;  // seconds
  for (std::uint64_t i = 0; s_flags->done.load() < count; ++i) {
    if (i == k_most_looks) give_up(what);
    machine::yield_thread();
  }
}

core_id last() { return cores() - 1; }

/// Sends a call, a large message and a counted one together with a message whose receiver computes.
void answers() {
  on_all_cores([] {
    const std::vector<std::byte> receipted(4096);
    std::vector<std::byte> into(4096);
    for (std::uint64_t round = 0; round < 4; ++round) {
      barrier();
      if (here() == 0) {
        auto call = start([] {
          call_on(last(), [] {});
          s_flags->done.fetch_add(1);
        });
        auto sender = start([] { send_value(last(), 1, 5); });
        call.join();
        sender.join();
      } else if (here() == last()) {
        (void)receive_value<int>(0, 1);
        compute_until(3 * round + 1, "a call waits for the answer that this core has written");
      }
      barrier();
      if (here() == 0) {
        send(last(), 2, receipted);
        s_flags->done.fetch_add(1);
      } else if (here() == last()) {
        // Every second message is there before it is asked for: then nothing waits between its receipt and the computation.
        for (int i = 0; round % 2 == 1 && i < 20'000; ++i) {
          machine::yield_thread();
          yield();
        }
        receive(0, 2, into);
        compute_until(3 * round + 2, "the sender of a large message waits for its receipt");
      }
      barrier();
      if (here() == 0) {
        finish([] { send_value(last(), 3, 5); });
        s_flags->done.fetch_add(1);
      } else if (here() == last()) {
        (void)receive_value<int>(0, 3);
        compute_until(3 * round + 3, "finish() waits for a message that this core has received");
      }
    }
  });
}

/// Streams requests to a core until its fibers have run, and has other cores call it meanwhile. The stream goes on in its
/// turn only while it is not held up: so many requests that its receiver would never be through.
void stream() {
  constexpr std::uint64_t k_yields = 500, k_most = 5'000'000;
  on_all_cores([] {
    barrier();
    if (here() == 0) {
      finish([] {
        for (std::uint64_t i = 0; s_flags->yields.load() < k_yields; ++i) {
          if (i == k_most) give_up("no fiber of the receiver runs while a stream of requests comes");
          async_on(last(), [] {
            for (volatile int k = 0; k < 400;) k = k + 1;  // longer than sending takes
            s_flags->sent.fetch_add(1, std::memory_order_relaxed);
          });
        }
      });
    } else if (here() == last()) {
      while (s_flags->sent.load() == 0) yield();
      for (std::uint64_t i = 0; i < k_yields; ++i) yield(), s_flags->yields.fetch_add(1);
    } else {
      while (s_flags->yields.load() < k_yields) call_on(last(), [] {});
    }
    barrier();
  });
}

/// Sends a large message, granted late, and behind it small ones that fill the mailbox; receives the large one first.
void order() {
  constexpr std::uint64_t k_small = 20'000, k_still = 3'000;
  on_all_cores([] {
    std::vector<std::byte> small(1024);
    for (const std::size_t bytes : {std::size_t{20'000}, std::size_t{1} << 20}) {
      std::vector<std::byte> large(bytes);
      barrier();
      if (here() == 0) {
        s_flags->sent.store(0);
        barrier();
        request r;
        isend(r, last(), 1, large);
        for (std::uint64_t i = 0; i < k_small; ++i) {
          send(last(), 2, small);
          s_flags->sent.fetch_add(1);
        }
        r.wait();
      } else {
        barrier();
        if (here() == last()) {
          std::uint64_t seen = 0;  // sent, when it last changed
          for (std::uint64_t still = 0; still < k_still;) {
            yield();
            const std::uint64_t now = s_flags->sent.load();
            still = now == seen && now != 0 ? still + 1 : 0;
            seen = now;
            machine::yield_thread();
          }
          receive(0, 1, large);
          for (std::uint64_t i = 0; i < k_small; ++i) receive(0, 2, small);
        }
      }
      barrier();
    }
  });
}

/// Sends large messages while small requests of the same core stream, which end only when those have come.
template <class Record>
void large_beside_a_stream(unsigned between_yields) {
  static constexpr std::uint64_t k_most = 100'000'000;
  static constexpr std::array k_sizes{std::size_t{2000}, std::size_t{32} << 10, std::size_t{64} << 10,
                                      std::size_t{1} << 20, std::size_t{4} << 20};
  on_all_cores([between_yields] {
    std::vector<std::byte> large(k_sizes.back());
    for (std::size_t k = 0; k < k_sizes.size(); ++k) {
      const std::span<std::byte> data(large.data(), k_sizes[k]);
      const std::uint64_t goal = 2 * (k + 1);
      barrier();
      if (here() == 0) {
        auto stream = start([=] {
          const Record r{};
          for (std::uint64_t i = 1; s_flags->done.load() < goal; ++i) {
            if (i == k_most) give_up(fmt::format("{} bytes do not arrive beside a stream", k_sizes[k]));
            async_on(last(), [r] { s_flags->sent.fetch_add(r.one(), std::memory_order_relaxed); });
            if (between_yields != 0 && i % between_yields == 0) yield();
          }
        });
        auto sender = start([=] {
          for (int i = 0; i < 2; ++i) send(last(), 7, data);
        });
        sender.join();
        stream.join();
      } else if (here() == last()) {
        for (int i = 0; i < 2; ++i) {
          receive(0, 7, data);
          s_flags->done.fetch_add(1);
        }
      }
      barrier();
    }
  });
}

struct small_record {
  static std::uint64_t one() { return 1; }
};
struct wide_record {
  std::array<char, 200> filler;
  static std::uint64_t one() { return 1; }
};

/// Answers and data of large messages share their room: a stream of calls with large answers, and large messages the same way.
void answers_beside_large() {
  constexpr std::uint64_t k_most = 1'000'000;
  struct wide {
    std::array<char, 480> bytes;
  };
  on_all_cores([] {
    std::vector<std::byte> large(200'000);
    barrier();
    if (here() == 0) {
      std::vector<joinable<void>> callers;
      for (int f = 0; f < 64; ++f)
        callers.push_back(start([] {
          for (std::uint64_t i = 0; s_flags->done.load() < 8; ++i) {
            if (i == k_most) give_up("large messages do not arrive beside a stream of answers");
            (void)call_on(last(), [] { return wide{}; });
          }
        }));
      for (int i = 0; i < 8; ++i) {
        receive(last(), 7, large);
        s_flags->done.fetch_add(1);
      }
      for (auto& c : callers) c.join();
    } else if (here() == last()) {
      for (int i = 0; i < 8; ++i) send(0, 7, large);
    }
    barrier();
  });
}

/// Stalls the job, which must be reported: core 0 sends what no fiber receives. A call has come before, so that packets of replies are back.
void stall(std::size_t bytes) {
  on_all_cores([bytes] {
    const std::vector<std::byte> data(bytes);
    std::vector<std::byte> never(8);
    if (here() == last()) call_on(0, [] {});
    barrier();
    if (here() == 0)
      for (int i = 0; i < 100'000; ++i) send(last(), 2, data);
    if (here() == last()) receive(0, 3, never);
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string mode = argv[1];
  map_flags(argv[2]);
  return run(argc, argv, [mode] {
    if (mode == "answers")
      answers();
    else if (mode == "stream")
      stream();
    else if (mode == "order")
      order();
    else if (mode == "large")
      large_beside_a_stream<small_record>(0);
    else if (mode == "large-yields")
      large_beside_a_stream<wide_record>(64);
    else if (mode == "answers-large")
      answers_beside_large();
    else if (mode == "stall")
      stall(1024);
    else if (mode == "stall-large")
      stall(100'000);
    print("{} of {} cores: done\n", mode, cores());
  });
}
