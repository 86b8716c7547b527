#pragma once
// Sources whose requests wait for space in a core's mailbox: cores of this process by endpoint index, and
// cores of other processes, which wait behind the wire's index. One core.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "gossamer/base/bit_set.hpp"
#include "gossamer/message/internal/unexpected.hpp"

namespace gossamer::message {

class blocked_sources {
 public:
  /// `locals`: the endpoint index of the wire, behind those of all cores of the process.
  blocked_sources(unsigned locals, std::size_t words) : locals_(locals), local_(words) {}
  /// Allows sources of other processes, where there are any: `words` hold a bit for each core of the job.
  void allow_remote(std::size_t words) { remote_.resize(words); }

  void add_local(unsigned endpoint_index, const copy_room& need) {
    note(need);
    local_.set(endpoint_index);
  }
  void add_remote(unsigned source, const copy_room& need) {
    note(need);
    remote_.set(source);
    remote_list_.push_back(source);
  }
  bool has_local(unsigned endpoint_index) const { return local_.has(endpoint_index); }
  bool has_remote(unsigned source) const { return remote_.words() != 0 && remote_.has(source); }
  void remove_local(unsigned endpoint_index) { local_.clear(endpoint_index); }
  /// Clears the sources of other processes: all of them are retried.
  void clear_remote() {
    for (const unsigned source : remote_list_) remote_.clear(source);
    remote_list_.clear();
  }
  std::span<const std::uint64_t> local_words() const { return local_; }

  /// Notes that space shared by all sources has been freed.
  void common_room_freed() { common_freed_ = true; }
  bool should_retry() const { return common_freed_; }

  /// Retries the blocked sources round-robin, those of the wire as one, until there is less shared space than
  /// any of them needs. So space for one message costs one retry, not one for each source. `room()` returns
  /// the free shared space. `receive_from(endpoint index)` retries a source: it returns whether a message was taken,
  /// and adds the source again if it still waits. Returns whether any message was taken.
  template <class Room, class Receive>
  bool retry(Room room, Receive receive_from) {
    common_freed_ = false;
    bool some = false;
    const copy_room least = least_need_;
    least_need_ = k_no_need;  // computed again from the sources that still wait
    for (unsigned left = local_.count() + (remote_list_.empty() ? 0 : 1); left > 0; --left, ++next_) {
      if (!room().holds(least)) {
        note(least);
        break;
      }
      unsigned endpoint_index = local_.next(next_);
      if (endpoint_index >= locals_ && (next_ > locals_ || remote_list_.empty()))
        endpoint_index = local_.next(0);
      next_ = std::min(endpoint_index, locals_);  // the wire's index is the last
      some |= receive_from(next_);
    }
    return some;
  }

 private:
  static constexpr copy_room k_no_need{~std::size_t{0}, ~std::size_t{0}};

  void note(const copy_room& need) {
    least_need_ = {std::min(least_need_.messages, need.messages), std::min(least_need_.bytes, need.bytes)};
  }

  const unsigned locals_;
  bit_set local_, remote_;
  std::vector<unsigned> remote_list_;
  bool common_freed_ = false;
  copy_room least_need_ = k_no_need;  // no source needs less of the shared space, in messages or in bytes
  unsigned next_ = 0;  // the endpoint index that is retried first
};

}  // namespace gossamer::message
