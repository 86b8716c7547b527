#include "gossamer/fabric/transport.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "gossamer/base/error.hpp"

namespace gossamer::fabric {

namespace {
constexpr std::uint32_t k_no_job = 0;

[[noreturn]] void refuse_bulk() { throw error("transport: it moves no bulk"); }
}  // namespace

void transport::bulk_send(unsigned, unsigned, unsigned, std::span<const std::byte>) { refuse_bulk(); }

void transport::bulk_receive(unsigned, unsigned, unsigned, std::span<std::byte>) { refuse_bulk(); }

bool transport::bulk_over(unsigned) { refuse_bulk(); }

void transport::bulk_cancel(unsigned, bool) { refuse_bulk(); }

std::vector<std::uint32_t> transport::tell_next_job(std::uint32_t mine) {
  std::vector<std::uint32_t> all(size());
  all_gather(std::as_bytes(std::span<const std::uint32_t, 1>(&mine, 1)),
             std::as_writable_bytes(std::span<std::uint32_t>(all)));
  return all;
}

std::uint32_t transport::begin_job() {
  const auto all = tell_next_job(++jobs_);
  if (const auto one = std::ranges::find(all, k_no_job); one != all.end())
    throw error(fmt::format(
        "process {} has ended and does not run job number {}: every process must run the same jobs",
        one - all.begin(), std::ranges::max(all)));
  if (const auto one = std::ranges::find_if(all, [&](auto job) { return job != all[0]; }); one != all.end())
    throw error(fmt::format(
        "process {} starts its job number {}, process 0 its number {}: every process must run the same jobs",
        one - all.begin(), *one, all[0]));
  return jobs_;
}

void transport::end_jobs() {
  while (std::ranges::max(tell_next_job(k_no_job)) != k_no_job) {}
}

}  // namespace gossamer::fabric
