#pragma once
// A core's proxies of completions of other cores. A proxy counts, in plain memory, what tasks of another
// core's completion, and records of another process, issue and spawn on this core. When the core runs out of
// work, or has finished enough, a proxy is sealed and reports in bulk. The oldest reports first, so that
// simulated runs do not depend on addresses.
//
// Reports of two-sided messages are delayed until the core has been idle, or until there are many. Fibers
// that wait for those are seldom in a hurry, and each message of a ping-pong would cost a report or a
// transfer of the completion's line. which::awaited leaves them out: proxies that have run nothing else, and
// messages of a completion of this process, which have no proxy.
//
//   running or holding reports  --idle or k_report-->  sealed  --all of it finished-->  reported, deleted

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "gossamer/message/completion.hpp"

namespace gossamer::message {

class endpoint;

class remote_completion_proxies {
 public:
  /// From so many on a proxy reports before its core idles.
  static constexpr std::int64_t k_report = 256;

  struct proxy {
    completion* counts = nullptr;
    std::int64_t running = 0;  // tasks of it that run on this core now
    std::int64_t finished = 0;  // not reported yet
    bool awaited = false;  // some are not two-sided messages
    scope_id of{};
    proxy *older = nullptr, *newer = nullptr;
  };

  explicit remote_completion_proxies(fiber::scheduler& home) : home_(home) {}
  ~remote_completion_proxies();
  remote_completion_proxies(const remote_completion_proxies&) = delete;
  remote_completion_proxies& operator=(const remote_completion_proxies&) = delete;

  /// Returns this core's proxy of `parent`; makes it if there is none.
  proxy& of(const scope_id& parent) {
    proxy& s = proxies_[parent];
    if (s.counts == nullptr) begin(s, parent);
    return s;
  }
  /// Counts the end of one task of the proxy.
  void finished_one(const scope_id& parent) {
    proxy& s = proxies_.at(parent);  // it exists while one of its tasks runs
    ++s.finished;
    note_awaited(s);
    if (--s.running == 0 && s.finished >= k_report) report(s);
  }
  /// Notes that a proxy has finished other things than two-sided messages.
  void note_awaited(proxy& s) {
    s.awaited = true;
    any_awaited_ = true;
  }
  /// Counts received two-sided messages that `of`, a completion of this process, counts.
  void received(completion& of, std::int64_t n) {
    if (received_of_ != &of) {
      flush_received();
      received_of_ = &of;
    }
    received_ += n;
    if (received_ >= k_report) flush_received();
  }
  /// Returns whether report() would do nothing.
  bool empty() const { return proxies_.empty() && received_of_ == nullptr; }
  /// Returns whether report(which::awaited) might do something.
  bool any_awaited() const { return any_awaited_; }
  /// Returns whether report(which::all) would report something.
  bool any_to_report() const {
    if (received_of_ != nullptr) return true;
    for (const proxy* s = oldest_; s != nullptr; s = s->newer)
      if (s->running == 0) return true;
    return false;
  }
  enum class which : std::uint8_t { awaited, all };
  /// Reports the proxies of which no task runs now, and the received messages.
  void report(which some) {
    if (some == which::all) flush_received();
    if (some == which::all ? !proxies_.empty() : any_awaited_) report_proxies(some);
  }

 private:
  void begin(proxy& s, const scope_id& parent);
  void report(proxy& s);
  void report_proxies(which some);
  void flush_received() {
    if (received_of_ != nullptr) std::exchange(received_of_, nullptr)->finish(std::exchange(received_, 0));
  }

  struct hash {
    std::size_t operator()(const scope_id& s) const {
      return std::hash<const void*>()(s.at) ^ (std::size_t{s.core} << 3);
    }
  };

  fiber::scheduler& home_;
  std::unordered_map<scope_id, proxy, hash> proxies_;
  proxy *oldest_ = nullptr, *newest_ = nullptr;
  bool any_awaited_ = false;
  completion* received_of_ = nullptr;  // null: nothing to report
  std::int64_t received_ = 0;
};

}  // namespace gossamer::message
