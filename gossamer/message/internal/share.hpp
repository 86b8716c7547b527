#pragma once
// A core's shares of completions that live elsewhere: what tasks of another core's completion, and records of
// another process's, issue and spawn here is counted at home, in plain memory. When the core runs out of
// work, or has finished enough, a share is sealed and reports in bulk: the oldest first, so that runs which
// are simulated do not hang on addresses.
//
// A share that has run nothing but two-sided messages reports when the core has been idle for a moment (which::awaited leaves it
// out): what waits for those is seldom in a hurry, and messages there and back would cost a report each.
//
//   running or holding reports  --idle or k_report-->  sealed  --all of it finished-->  reported, gone

#include <cstdint>
#include <unordered_map>

#include "gossamer/message/completion.hpp"

namespace gossamer::message {

class endpoint;

class share_table {
 public:
  /// From here on a share reports before its core idles.
  static constexpr std::int64_t k_report = 256;

  struct share {
    completion* counts = nullptr;
    std::int64_t running = 0;  // tasks of it on this core, now
    std::int64_t finished = 0;  // not reported yet
    bool awaited = false;  // among these is more than two-sided messages
    scope_id of{};
    share *older = nullptr, *newer = nullptr;
  };

  explicit share_table(fiber::scheduler& home) : home_(home) {}
  ~share_table();
  share_table(const share_table&) = delete;
  share_table& operator=(const share_table&) = delete;

  /// Returns this core's share of `parent`; makes it where there is none.
  share& of(const scope_id& parent) {
    share& s = shares_[parent];
    if (s.counts == nullptr) begin(s, parent);
    return s;
  }
  /// Counts one task of the share as ended.
  void finished_one(const scope_id& parent) {
    share& s = shares_.at(parent);  // while one of its tasks runs it stays
    ++s.finished;
    s.awaited = true;
    if (--s.running == 0 && s.finished >= k_report) report(s);
  }
  bool empty() const { return shares_.empty(); }
  enum class which : std::uint8_t { awaited, all };
  /// Reports the shares of which no task runs now.
  void report(which some);

 private:
  void begin(share& s, const scope_id& parent);
  void report(share& s);

  struct hash {
    std::size_t operator()(const scope_id& s) const {
      return std::hash<const void*>()(s.at) ^ (std::size_t{s.core} << 3);
    }
  };

  fiber::scheduler& home_;
  std::unordered_map<scope_id, share, hash> shares_;
  share *oldest_ = nullptr, *newest_ = nullptr;
};

}  // namespace gossamer::message
