#include "gossamer/message/share.hpp"

namespace gossamer::message {

share_table::~share_table() {
  for (auto& [parent, s] : shares_) delete s.counts;  // only after a stall: nobody waits any more
}

void share_table::report(const scope_id& parent, share& s) {
  completion* const counts = s.counts;
  const std::int64_t finished = s.finished;
  const scope_id to = parent;  // the key goes with the entry
  shares_.erase(to);
  counts->seal_for(to, finished);  // deletes itself
}

void share_table::report_all() {
  for (auto it = shares_.begin(); it != shares_.end();) {
    auto& [parent, s] = *it++;  // report() erases this entry only
    if (s.running == 0) report(parent, s);
  }
}

}  // namespace gossamer::message
