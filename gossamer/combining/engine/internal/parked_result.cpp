#include "gossamer/combining/engine/internal/parked_result.hpp"

#include <cstring>

#include "gossamer/message/visit.hpp"

namespace gossamer::combining {

void parked_result::take(core_id owner, std::byte* into) const {
  if (size_ == 0) return;
  if (message::endpoint::here().is_local(owner)) {
    std::memcpy(into, at_, size_);
    return free();
  }
  message::wait_for_all([&] { memory::fetch(owner, at_, {into, size_}); });
  call_on(owner, [kept = *this] { kept.free(); });
}

}  // namespace gossamer::combining
