#pragma once
// The numbers of active and of waiting fibers of a core over time. The core notes both from time to time; a note covers the
// time since the previous one. Time is divided into equal intervals, of which there is a fixed number: after the last one,
// pairs of intervals are merged. Plain data of one core, sent as bytes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gossamer {

class activity {
 public:
  static constexpr std::size_t k_intervals = 24;  // even, because pairs are merged

  /// Sums over an interval: fibers times nanoseconds.
  struct interval {
    std::uint64_t active_ns = 0;  // of active fibers
    std::uint64_t waiting_ns = 0;  // of waiting fibers
  };

  activity() = default;
  /// Starts with intervals of `interval_ns` nanoseconds, at least 1.
  explicit activity(std::uint64_t interval_ns) : interval_ns_(std::max<std::uint64_t>(interval_ns, 1)) {}

  /// Notes the numbers of active and of waiting fibers. The first note starts the time. Constant time, except for intervals that have passed.
  void note(std::uint64_t now_ns, std::uint64_t active, std::uint64_t waiting) {
    if (!has_begun_) {
      has_begun_ = true;
      begin_ns_ = last_ns_ = now_ns;
    }
    while (now_ns - begin_ns_ >= k_intervals * interval_ns_) widen();
    while (last_ns_ < now_ns) {
      const std::uint64_t at = (last_ns_ - begin_ns_) / interval_ns_;
      const std::uint64_t end = std::min(now_ns, begin_ns_ + (at + 1) * interval_ns_);
      intervals_[at].active_ns += active * (end - last_ns_);
      intervals_[at].waiting_ns += waiting * (end - last_ns_);
      last_ns_ = end;
    }
    most_active_ = std::max(most_active_, active);
  }

  /// Adds the notes of another core. The longer intervals of both are used.
  activity& operator+=(activity other) {
    while (interval_ns_ < other.interval_ns_) widen();
    while (other.interval_ns_ < interval_ns_) other.widen();
    for (std::size_t i = 0; i < k_intervals; ++i) {
      intervals_[i].active_ns += other.intervals_[i].active_ns;
      intervals_[i].waiting_ns += other.intervals_[i].waiting_ns;
    }
    last_ns_ = std::max(last_ns_, begin_ns_ + other.noted_ns());
    most_active_ = std::max(most_active_, other.most_active_);
    return *this;
  }

  /// Returns the length of an interval: the initial one times a power of two.
  std::uint64_t interval_ns() const { return interval_ns_; }
  /// Returns the time from the first note to the last.
  std::uint64_t noted_ns() const { return last_ns_ - begin_ns_; }
  /// Returns interval i. The last one may be incomplete.
  const interval& at(std::size_t i) const { return intervals_[i]; }
  /// Returns how many intervals have begun.
  std::size_t size() const {
    return static_cast<std::size_t>((noted_ns() + interval_ns_ - 1) / interval_ns_);
  }
  /// Returns the largest noted number of active fibers on one core.
  std::uint64_t most_active() const { return most_active_; }
  /// Returns the waiting time, summed over fibers.
  std::uint64_t waiting_ns() const {
    std::uint64_t sum = 0;
    for (const interval& one : intervals_) sum += one.waiting_ns;
    return sum;
  }

 private:
  void widen() {
    for (std::size_t i = 0; i < k_intervals / 2; ++i) {
      const interval &a = intervals_[2 * i], &b = intervals_[2 * i + 1];
      intervals_[i] = {a.active_ns + b.active_ns, a.waiting_ns + b.waiting_ns};
    }
    std::fill(intervals_.begin() + k_intervals / 2, intervals_.end(), interval{});
    interval_ns_ *= 2;
  }

  std::array<interval, k_intervals> intervals_{};
  std::uint64_t interval_ns_ = 1;
  bool has_begun_ = false;
  std::uint64_t begin_ns_ = 0, last_ns_ = 0;  // times of the first and the last note
  std::uint64_t most_active_ = 0;
};

}  // namespace gossamer
