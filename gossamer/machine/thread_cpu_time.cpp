#include "gossamer/machine/thread_cpu_time.hpp"

#include <algorithm>
#include <ctime>

namespace gossamer::machine {
namespace {

std::uint64_t used_by_this_thread_ns() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

thread_cpu_time::thread_cpu_time()
    : per_us_(ticks_per_us()),
      long_gap_(20 * per_us_),
      read_(processor_ticks()),
      asked_(read_),
      used_ns_(used_by_this_thread_ns()) {}

void thread_cpu_time::find_lost(std::uint64_t now) noexcept {
  const std::uint64_t used_ns = used_by_this_thread_ns();
  const std::uint64_t own = (used_ns - used_ns_) * per_us_ / 1000, passed = now - asked_;
  if (passed > own) lost_ += std::min(passed - own, now - read_);
  asked_ = now;
  used_ns_ = used_ns;
}

}  // namespace gossamer::machine
