#include "gossamer/message/internal/inbox.hpp"

#include <bit>

#include "gossamer/machine/clock.hpp"

namespace gossamer::message {

namespace {

/// Most packets that one poll takes out of a lane: each frees a slot, so a sender as fast as this core would
/// never let it end.
constexpr unsigned k_most_of_lane = 64;

}  // namespace

inbox::inbox(unsigned id, process_context& shared, host& h, std::size_t requests, std::size_t replies,
             std::uint64_t poll_us)
    : id_(id),
      shared_(shared),
      host_(h),
      deferred_(shared.lanes.arrival_words()),
      blocked_(shared.cores(), shared.lanes.arrival_words()),
      budget_(poll_us),
      returns_(shared.cores(), shared.lanes.arrival_words(), requests, replies) {
  if (shared.processes() > 1) blocked_.allow_remote(divide_up(shared.all, 64U));
  if (shared.node != nullptr && !shared.node->few()) node_left_.resize(shared.node->arrival_words());
}

void inbox::poll_budget::start() { began_ = machine::ticks(); }

bool inbox::poll_budget::is_spent() {
  if (began_ != 0) return machine::ticks() - began_ > most_us_ * machine::ticks_per_us();
  if (taken_ > 1) start();
  return false;
}

/// Takes arrivals from lanes of this process, including those of the wire.
[[gnu::always_inline]] inline bool inbox::receive_local() {
  bool some = false;
  begin_poll();
  const std::size_t words = deferred_.words();
  const unsigned shift = first_ % 64;
  std::size_t w = first_ / 64;
  for (std::size_t left = words; left > 0 && !over_; --left, w = w + 1 < words ? w + 1 : 0) {
    std::uint64_t bits = shared_.lanes.take_arrivals(id_ - shared_.first, w) | deferred_.take_word(w);
    bits = std::rotr(bits, static_cast<int>(shift));  // first_ comes first
    for (; bits != 0 && !over_; bits &= bits - 1) {
      const unsigned at = (static_cast<unsigned>(std::countr_zero(bits)) + shift) % 64;
      some |= receive_from(static_cast<unsigned>(w * 64) + at);
    }
    if (over_) [[unlikely]]
      go_on_behind(w, std::rotl(bits, static_cast<int>(shift)));
  }
  return some;
}

bool inbox::receive() {
  bool some = receive_local();
  if (shared_.node != nullptr) some |= receive_from_node();
  if (blocked_.should_retry()) [[unlikely]]
    some |= receive_from_blocked();
  return some;
}

/// Retries sources that wait for space in the mailbox. Out of line, because idle cores call receive()
/// repeatedly.
[[gnu::noinline, gnu::cold]] bool inbox::receive_from_blocked() {
  begin_poll();
  return blocked_.retry([this] { return host_.common_room(); },
                        [this](unsigned endpoint_index) { return receive_from(endpoint_index); });
}

/// Makes the next poll begin with the first of `left`: sources of a word that this poll has not reached.
[[gnu::noinline, gnu::cold]] void inbox::go_on_behind(std::size_t word, std::uint64_t left) {
  deferred_.add_word(word, left);
  const unsigned shift = first_ % 64;
  const std::uint64_t next = std::rotr(left, static_cast<int>(shift));
  first_ = next != 0 ? static_cast<unsigned>(word * 64) +
                           (static_cast<unsigned>(std::countr_zero(next)) + shift) % 64
                     : static_cast<unsigned>((word + 1) % deferred_.words() * 64) + shift;
}

void inbox::room_freed(unsigned source, bool for_all) {
  if (for_all) blocked_.common_room_freed();
  if (shared_.is_local(source)) {
    const unsigned endpoint_index = source - shared_.first;
    if (blocked_.has_local(endpoint_index)) deferred_.set(endpoint_index);
  } else if (blocked_.has_remote(source)) {
    deferred_.set(shared_.wire_index());
  }
}

bool inbox::receive_from(unsigned endpoint_index) {
  if (endpoint_index == shared_.wire_index()) return receive_from_wire();
  const unsigned mine = id_ - shared_.first;
  bool some = false;
  some |= take_replies(shared_.lanes.between(endpoint_index, mine, fabric::traffic::reply), endpoint_index,
                       [this, endpoint_index](fabric::packet& p) {
                         host_.run_packet(p);
                         return_packet(endpoint_index, p);
                       });
  some |= shared_.lanes.with_requests(endpoint_index, mine, [&](auto& requests) {
    return requests.waiting() && take_requests(requests, endpoint_index);
  });
  return some;
}

/// Takes replies that arrive in a lane of this process. Calls run(packet) for each.
template <class Lane, class Run>
bool inbox::take_replies(Lane& replies, unsigned endpoint_index, Run run) {
  bool some = false;
  for (unsigned taken = 0; fabric::packet* const p = replies.front(); ++taken) {
    if (taken == k_most_of_lane || over_) {
      deferred_.set(endpoint_index);
      break;
    }
    replies.pop();
    over_ |= budget_.take(*p, [&] { run(*p); });
    some = true;
  }
  return some;
}

/// Takes requests of a core of this process.
template <class Lane>
bool inbox::take_requests(Lane& requests, unsigned endpoint_index) {
  bool some = false;
  for (unsigned taken = 0; fabric::packet* const p = requests.front(); ++taken) {
    if (taken == k_most_of_lane || over_ || !has_answer_room(*p)) {
      deferred_.set(endpoint_index);
      break;
    }
    if (p->matches != 0) {
      if (const auto need = host_.missing_room(*p)) {
        blocked_.add_local(endpoint_index, *need);
        break;
      }
      blocked_.remove_local(endpoint_index);  // or the next arrivals would not keep the core awake
    }
    over_ |= budget_.take(*p, [&] { host_.run_packet(*p); });
    const bool inside = requests.is_inside(*p);
    requests.pop();
    if (inside)
      returns_.add_room(endpoint_index);
    else
      return_packet(endpoint_index, *p);
    some = true;
  }
  return some;
}

bool inbox::receive_from_node() {
  fabric::node_lanes& node = *shared_.node;
  const unsigned others = node.others();
  bool some = false;
  node_deferred_ = false;
  begin_poll();
  if (node.few()) {
    for (unsigned i = 0; i < others && !over_; ++i) {
      const unsigned place = node_first_ + i < others ? node_first_ + i : node_first_ + i - others;
      some |= receive_from_place(place);
      if (over_) [[unlikely]]
        node_first_ = place;
    }
  } else {
    for (std::size_t w = 0; w < node_left_.words(); ++w)
      node_left_.add_word(w, node.take_arrivals(id_ - shared_.first, w));
    const unsigned first = node_first_;
    const auto receive_at = [&](unsigned place) {
      some |= receive_from_place(place);
      if (over_) [[unlikely]]
        node_first_ = place;
    };
    for (unsigned place = first; !over_ && (place = node_left_.next(place)) < others; ++place)
      receive_at(place);
    for (unsigned place = 0; !over_ && (place = node_left_.next(place)) < first; ++place) receive_at(place);
  }
  // The next poll begins behind the place that has used the rest of this one.
  if (some && ++node_first_ >= others) node_first_ = 0;
  return some;
}

/// Takes packets of a neighbour's lanes that may be taken.
bool inbox::receive_from_place(unsigned place) {
  const unsigned mine = id_ - shared_.first;
  bool some = false;
  fabric::node_lane_reader& answers = shared_.node->from(place, mine, fabric::traffic::reply);
  for (unsigned taken = 0; taken < k_most_of_lane; ++taken) {
    fabric::packet* const p = answers.front();
    if (p == nullptr) break;
    host_.node_packet();
    over_ |= budget_.take(*p, [&] { host_.run_packet(*p); });
    answers.pop();
    some = true;
    if (over_) break;
  }
  fabric::node_lane_reader& requests = shared_.node->from(place, mine, fabric::traffic::request);
  some |= requests.front() != nullptr && take_node_requests(requests);
  if (node_left_.words() != 0 && answers.front() == nullptr && requests.front() == nullptr)
    node_left_.clear(place);
  return some;
}

bool inbox::take_node_requests(fabric::node_lane_reader& lane) {
  bool some = false;
  for (unsigned taken = 0; taken < k_most_of_lane; ++taken) {
    fabric::packet* const p = lane.front();
    if (p == nullptr) return some;
    if (!has_answer_room(*p)) {
      node_deferred_ = true;
      return some;
    }
    const bool blocked = p->matches != 0 && host_.missing_room(*p).has_value();
    if (blocked != lane.held_up()) lane.hold_up(blocked);
    if (blocked) return some;
    host_.node_packet();
    over_ |= budget_.take(*p, [&] { host_.run_packet(*p); });
    lane.pop();
    some = true;
    if (over_) return some;
  }
  return some;
}

bool inbox::any_node_arrival() const {
  const fabric::node_lanes& node = *shared_.node;
  if (node.few()) {
    for (unsigned place = 0; place < node.others(); ++place)
      if (any_from_place(place)) return true;
    return false;
  }
  if (node.any_arrival(id_ - shared_.first)) return true;
  for (unsigned place = 0; (place = node_left_.next(place)) < node.others(); ++place)
    if (any_from_place(place)) return true;
  return false;
}

bool inbox::any_from_place(unsigned place) const {
  const unsigned mine = id_ - shared_.first;
  const fabric::node_lane_reader& requests = shared_.node->from(place, mine, fabric::traffic::request);
  return shared_.node->from(place, mine, fabric::traffic::reply).front() != nullptr ||
         (!requests.held_up() && requests.front() != nullptr);
}

bool inbox::receive_from_wire() {
  const unsigned mine = id_ - shared_.first;
  bool some = false;
  some |= take_replies(shared_.lanes.between(shared_.wire_index(), mine, fabric::traffic::reply),
                       shared_.wire_index(), [this](fabric::packet& p) {
                         host_.run_packet(p);
                         host_.release_chunk(p);
                       });
  auto& requests = shared_.lanes.between(shared_.wire_index(), mine, fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    requests.pop();
    wire_requests_.push_back(p);
  }
  if (!wire_requests_.empty()) some |= take_wire_requests();
  return some;
}

/// Takes requests of other processes, in order for each source. A source whose messages must wait for space
/// in the mailbox blocks only itself.
bool inbox::take_wire_requests() {
  blocked_.clear_remote();
  bool some = false;
  unsigned taken = 0;
  for (auto at = wire_requests_.begin(); at != wire_requests_.end();) {
    fabric::packet& p = **at;
    const unsigned source = p.source;
    if (taken == k_most_of_lane || over_) {
      deferred_.set(shared_.wire_index());
      break;
    }
    if (blocked_.has_remote(source)) {
      ++at;
      continue;
    }
    if (!has_answer_room(p)) {
      deferred_.set(shared_.wire_index());
      break;
    }
    if (const auto need = p.matches != 0 ? host_.missing_room(p) : std::nullopt) {
      blocked_.add_remote(source, *need);
      ++at;
      continue;
    }
    at = wire_requests_.erase(at);
    over_ |= budget_.take(p, [&] { host_.run_packet(p); });
    host_.release_chunk(p);
    ++taken;
    some = true;
  }
  return some;
}

void inbox::return_packet(unsigned owner, fabric::packet& p) {
  returns_.add(owner, p, [this](unsigned to, fabric::traffic kind, fabric::packet_batch& batch) {
    give_batch(to, kind, batch);
  });
}

void inbox::give_back(bool all) {
  returns_.give_all(
      [this, all](unsigned owner, fabric::traffic kind) {
        return all || host_.pool_of(shared_.first + owner, kind).wanted();
      },
      [this](unsigned to, fabric::traffic kind, fabric::packet_batch& batch) {
        give_batch(to, kind, batch);
      });
}

void inbox::give_batch(unsigned owner, fabric::traffic kind, fabric::packet_batch& batch) {
  fabric::packet_pool& pool = host_.pool_of(shared_.first + owner, kind);
  if (batch.empty())
    pool.note_lane_room();
  else
    pool.put_batch(batch);
  host_.notify_core(shared_.first + owner);
}

}  // namespace gossamer::message
