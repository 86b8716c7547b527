#include "gossamer/machine/internal/starting_group.hpp"

#include <algorithm>
#include <cstdio>

namespace gossamer::machine {

void starting_group::begin_check() noexcept {
  ranks_.reset();
  processes_seen_ = seen_ = seen_stopped_ = 0;
  longest_ = 0;
  stopped_pid_ = 0;
  for (stopped_process& s : stopped_) s.seen = false;
}

void starting_group::see(std::uint32_t rank, int pid, char state) noexcept {
  ++processes_seen_;
  if (rank >= k_most_ranks || !ranks_.test(rank))
    ++seen_;  // another program of the same process may have its environment
  if (rank < k_most_ranks) ranks_.set(rank);
  if (state != 'T') return;
  ++seen_stopped_;
  const unsigned checks = stopped_checks(pid);
  if (checks <= longest_) return;
  longest_ = checks;
  stopped_pid_ = pid;
  stopped_rank_ = rank;
}

/// Counts a check that has found a process stopped. Returns how many consecutive checks have; 0 if there are
/// too many processes to count.
unsigned starting_group::stopped_checks(int pid) noexcept {
  auto found = std::find_if(stopped_.begin(), stopped_.end(), [pid](const auto& s) { return s.pid == pid; });
  if (found == stopped_.end())
    found = std::find_if(stopped_.begin(), stopped_.end(), [](const auto& s) { return s.pid == 0; });
  if (found == stopped_.end()) return 0;
  found->pid = pid;
  found->seen = true;
  return ++found->checks;
}

starting_group::finding starting_group::end_check(unsigned checks, unsigned waiting_checks,
                                                  std::uint32_t processes) noexcept {
  processes_ = processes;
  if (seen_stopped_ < processes_seen_) ++counted_checks_;
  const bool is_suspended = seen_stopped_ == processes_seen_ && processes_seen_ > 1;
  for (stopped_process& s : stopped_)
    if (!s.seen || is_suspended) s = {};
  if (longest_ > checks && !is_suspended) return finding::stopped;
  return seen_ < processes && counted_checks_ >= waiting_checks ? finding::missing : finding::nothing;
}

void starting_group::list_missing(std::span<char> into) const noexcept {
  constexpr std::size_t k_longest = sizeof ", 4000-4095, ...";
  const std::size_t end = std::min<std::size_t>(processes_, k_most_ranks);
  std::size_t at = 0;
  into[0] = '\0';
  for (std::size_t rank = 0; rank < end; ++rank) {
    if (ranks_.test(rank)) continue;
    std::size_t last = rank;
    while (last + 1 < end && !ranks_.test(last + 1)) ++last;
    const char* const comma = at == 0 ? "" : ", ";
    if (at + k_longest > into.size()) {
      std::snprintf(into.data() + at, into.size() - at, "%s...", comma);
      return;
    }
    char* const place = into.data() + at;
    const int bytes = last > rank ? std::snprintf(place, into.size() - at, "%s%zu-%zu", comma, rank, last)
                                  : std::snprintf(place, into.size() - at, "%s%zu", comma, rank);
    at += static_cast<std::size_t>(bytes);
    rank = last;
  }
}

}  // namespace gossamer::machine
