#include "gossamer/message/internal/inbox.hpp"

#include <bit>

namespace gossamer::message {

namespace {

/// Packets that one look takes out of a neighbour's lane: room comes with each, so that a sender as fast as this core would hold
/// it there.
constexpr unsigned k_most_of_lane = 64;

}  // namespace

inbox::inbox(unsigned id, process_context& shared, host& h, std::size_t requests, std::size_t replies)
    : id_(id),
      shared_(shared),
      host_(h),
      deferred_(shared.lanes.arrival_words()),
      blocked_(shared.cores(), shared.lanes.arrival_words()),
      returns_(shared.cores(), shared.lanes.arrival_words(), requests, replies) {
  if (shared.processes() > 1) blocked_.allow_remote(divide_up(shared.all, 64U));
  if (shared.node != nullptr && !shared.node->few()) node_left_.resize(shared.node->arrival_words());
}

bool inbox::receive() {
  bool some = false;
  for (std::size_t w = 0; w < deferred_.words(); ++w) {
    std::uint64_t bits = shared_.lanes.take_arrivals(id_ - shared_.first, w) | deferred_.take_word(w);
    for (; bits != 0; bits &= bits - 1)
      some |= receive_from(static_cast<unsigned>(w * 64) + static_cast<unsigned>(std::countr_zero(bits)));
  }
  if (shared_.node != nullptr) some |= receive_from_node();
  if (blocked_.should_look()) [[unlikely]]
    some |= blocked_.look_again([this] { return host_.common_room(); },
                                [this](unsigned endpoint_index) { return receive_from(endpoint_index); });
  return some;
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
  auto& answers = shared_.lanes.between(endpoint_index, mine, fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    host_.run_packet(*p);
    return_packet(endpoint_index, *p);
    some = true;
  }
  some |= shared_.lanes.with_requests(endpoint_index, mine, [&](auto& requests) {
    return requests.waiting() && take_requests(requests, endpoint_index);
  });
  return some;
}

/// Takes requests of a core of this process.
template <class Lane>
bool inbox::take_requests(Lane& requests, unsigned endpoint_index) {
  bool some = false;
  while (fabric::packet* p = requests.front()) {
    if (!has_answer_room(*p)) {
      deferred_.set(endpoint_index);
      break;
    }
    if (p->matches != 0) {
      if (const auto need = host_.missing_room(*p)) {
        blocked_.add_local(endpoint_index, *need);
        break;
      }
      blocked_.remove_local(endpoint_index);  // or what comes next would not keep the core awake
    }
    host_.run_packet(*p);
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
  if (node.few()) {
    for (unsigned i = 0; i < others; ++i)
      some |= receive_from_place(node_first_ + i < others ? node_first_ + i : node_first_ + i - others);
  } else {
    for (std::size_t w = 0; w < node_left_.words(); ++w)
      node_left_.add_word(w, node.take_arrivals(id_ - shared_.first, w));
    const unsigned first = node_first_;
    for (unsigned place = first; (place = node_left_.next(place)) < others; ++place)
      some |= receive_from_place(place);
    for (unsigned place = 0; (place = node_left_.next(place)) < first; ++place)
      some |= receive_from_place(place);
  }
  if (some && ++node_first_ >= others) node_first_ = 0;
  return some;
}

/// Takes what may be taken of a neighbour's lanes.
bool inbox::receive_from_place(unsigned place) {
  const unsigned mine = id_ - shared_.first;
  bool some = false;
  fabric::node_lane_reader& answers = shared_.node->from(place, mine, fabric::traffic::reply);
  for (unsigned taken = 0; taken < k_most_of_lane; ++taken) {
    fabric::packet* const p = answers.front();
    if (p == nullptr) break;
    host_.node_packet();
    host_.run_packet(*p);
    answers.pop();
    some = true;
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
    host_.run_packet(*p);
    lane.pop();
    some = true;
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
  auto& answers = shared_.lanes.between(shared_.wire_index(), mine, fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    host_.run_packet(*p);
    host_.release_chunk(*p);
    some = true;
  }
  auto& requests = shared_.lanes.between(shared_.wire_index(), mine, fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    requests.pop();
    wire_requests_.push_back(p);
  }
  if (!wire_requests_.empty()) some |= take_wire_requests();
  return some;
}

/// Takes requests of other processes, in order for each source. One whose messages must wait for room in the
/// mailbox holds up itself only.
bool inbox::take_wire_requests() {
  blocked_.clear_remote();
  bool some = false;
  for (auto at = wire_requests_.begin(); at != wire_requests_.end();) {
    fabric::packet& p = **at;
    const unsigned source = p.source;
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
    host_.run_packet(p);
    host_.release_chunk(p);
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
