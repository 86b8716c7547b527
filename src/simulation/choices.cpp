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

}  // namespace gossamer::simulation
