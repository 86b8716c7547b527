#include "gossamer/simulation/choices.hpp"

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"

namespace gossamer::simulation {

unsigned choices::choose(unsigned n, const char* what) {
  GOSSAMER_ASSERT(n > 0);
  if (n == 1 || !is_on(what)) return 0;
  const std::uint64_t number = made_++;
  if (number >= until_) return 0;
  const std::uint64_t drawn = hash64(seed_, number) >> 32;
  return static_cast<unsigned>(drawn * n >> 32);
}

bool choices::is_on(const char* what) {
  for (const auto& [literal, on] : known_)
    if (literal == what) return on;
  const bool on = on_.has(fault_named(what));
  known_.emplace_back(what, on);
  return on;
}

std::optional<std::uint64_t> fewest_choices(function_ref<bool(std::uint64_t)> fails) {
  constexpr std::uint64_t k_most = std::uint64_t{1} << 48;
  if (fails(0)) return 0;
  std::uint64_t passing = 0, failing = 1;
  while (!fails(failing)) {
    passing = std::exchange(failing, 2 * failing);
    if (failing > k_most) return {};
  }
  while (failing - passing > 1) {
    const std::uint64_t middle = passing + (failing - passing) / 2;
    (fails(middle) ? failing : passing) = middle;
  }
  return failing;
}

}  // namespace gossamer::simulation
