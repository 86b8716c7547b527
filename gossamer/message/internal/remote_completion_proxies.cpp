#include "gossamer/message/internal/remote_completion_proxies.hpp"

#include <utility>

namespace gossamer::message {

remote_completion_proxies::~remote_completion_proxies() {
  for (auto& [parent, s] : proxies_) delete s.counts;  // only after a stall: no fiber waits any more
}

void remote_completion_proxies::begin(proxy& s, const scope_id& parent) {
  s.counts = new completion(home_);
  s.of = parent;
  s.older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = &s;
  newest_ = &s;
}

void remote_completion_proxies::report(proxy& s) {
  (s.older != nullptr ? s.older->newer : oldest_) = s.newer;
  (s.newer != nullptr ? s.newer->older : newest_) = s.older;
  const proxy last = s;
  proxies_.erase(last.of);
  last.counts->seal_for(last.of, last.finished);  // deletes itself
}

void remote_completion_proxies::report_proxies(which some) {
  any_awaited_ = false;
  for (proxy* s = oldest_; s != nullptr;) {
    proxy& one = *std::exchange(s, s->newer);
    if (one.running == 0 && (some == which::all || one.awaited))
      report(one);
    else
      any_awaited_ |= one.awaited;
  }
}

}  // namespace gossamer::message
