#include "gossamer/message/internal/share.hpp"

#include <utility>

namespace gossamer::message {

share_table::~share_table() {
  for (auto& [parent, s] : shares_) delete s.counts;  // only after a stall: no fiber waits any more
}

void share_table::begin(share& s, const scope_id& parent) {
  s.counts = new completion(home_);
  s.of = parent;
  s.older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = &s;
  newest_ = &s;
}

void share_table::report(share& s) {
  (s.older != nullptr ? s.older->newer : oldest_) = s.newer;
  (s.newer != nullptr ? s.newer->older : newest_) = s.older;
  const share last = s;
  shares_.erase(last.of);
  last.counts->seal_for(last.of, last.finished);  // deletes itself
}

void share_table::report_shares(which some) {
  any_awaited_ = false;
  for (share* s = oldest_; s != nullptr;) {
    share& one = *std::exchange(s, s->newer);
    if (one.running == 0 && (some == which::all || one.awaited))
      report(one);
    else
      any_awaited_ |= one.awaited;
  }
}

}  // namespace gossamer::message
