// Processes that never stop moving memory to and from one another, for kills_test.py: transfers_program SEED. Every
// process says "ready <rank> <pid>" on standard error before its first transfer. Ends by itself after minutes, with 0.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/memory/transfer.hpp"

namespace {

using namespace gossamer;

constexpr std::uint64_t k_elements = 1 << 17;  // of each core: 1 MiB
constexpr std::uint64_t k_transfers = 10'000'000;

/// Moves a piece of random length between random places, in a random way.
void move_one(const array<std::uint64_t>& a, const array<std::uint64_t>& b, std::vector<std::uint64_t>& mine,
              std::uint64_t number) {
  const std::uint64_t n = std::uint64_t{1} << hash64(number, 0) % 17;
  const std::uint64_t to = hash64(number, 1) % (a.size() - n), from = hash64(number, 2) % (a.size() - n);
  switch (hash64(number, 3) % 6) {
    case 0:
      return put(a, to, std::span<const std::uint64_t>(mine).first(n));
    case 1:
      return get(a, from, std::span(mine).first(n));
    case 2:
      return put(section(b, to, n), section(a, from, n));
    case 3:
      return finish([&] {
        for (std::uint64_t i = 0; i < 4; ++i)
          async_put(a, (to + i * n) % (a.size() - n), std::span<const std::uint64_t>(mine).first(n));
      });
    case 4:
      return finish([&] { async_get(b, from, std::span(mine).first(n)); });
    default:
      (void)fetch_add(a, to, std::uint64_t{1});
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 0;
  if (argc == 2) std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), seed);
  run(job_options::from_environment(), [seed] {
    const scoped_array<std::uint64_t> a(k_elements * cores()), b(k_elements * cores());
    on_all_processes([] { machine::write_error(fmt::format("ready {} {}\n", process(), ::getpid())); });
    on_all_cores([a = a.handle(), b = b.handle(), seed] {
      std::vector<std::uint64_t> mine(1 << 16);
      for (std::uint64_t i = 0; i < k_transfers; ++i) move_one(a, b, mine, hash64(seed + here(), i));
    });
  });
  return 0;
}
