// Runs, and packets for lanes; wire packets are in outbox_wire.cpp.
#include "gossamer/message/internal/outbox.hpp"

#include <algorithm>
#include <cstring>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/completion.hpp"

namespace gossamer::message {

namespace {

/// Returns the packets of a core that sends to all others: two for each, up to a limit that keeps all cores'
/// pools linear in the number of cores.
std::size_t further_packets(unsigned cores) { return 2 * std::size_t{std::min(cores, 512U)}; }

}  // namespace

outbox::outbox(unsigned id, const outbox_options& options, process_context& shared, packet_host& host,
               counters& count)
    : requests_(shared.all, "send buffers"),
      replies_(shared.all, "send buffers"),
      id_(id),
      aggregate_(options.aggregate),
      shared_(shared),
      host_(host),
      counters_(count),
      format_(options.format),
      routing_(options.routing),
      request_pool_(static_cast<std::uint16_t>(id - shared.first),
                    options.request_packets + further_packets(shared.cores()), options.packet_bytes),
      reply_pool_(static_cast<std::uint16_t>(id - shared.first), k_reply_packets, options.packet_bytes),
      payload_bytes_(round_down(request_pool_.payload_bytes(), 8)),
      record_room_((format_ != nullptr ? std::min(payload_bytes_, chunk_room()) : payload_bytes_) -
                   k_most_run_heads),
      most_matches_(static_cast<std::uint32_t>(
          std::min({options.most_matches, packet_room() / 16 + 1, std::size_t{65535}}))),
      lane_open_{bit_set(divide_up(shared.endpoint_indices(), 64U)),
                 bit_set(divide_up(shared.endpoint_indices(), 64U))},
      flush_delay_ticks_(options.flush_delay_ns * machine::ticks_per_us() / 1000),
      wire_buffers_(format_ != nullptr ? shared.processes() : 0) {
  GOSSAMER_ASSERT(options.packet_bytes >= 2048 && options.packet_bytes <= 65536,
                  "packet_bytes: 2 KiB to 64 KiB");
  most_reply_bytes_ = static_cast<std::uint32_t>(8 * reply_pool_.payload_bytes());
  if (format_ == nullptr) return;
  for (auto& p : wire_pools_) {
    p = std::make_unique<fabric::packet_pool>(static_cast<std::uint16_t>(id - shared.first),
                                              options.wire_packets, format_->packet_bytes);
  }
  // can_answer() must be able to return true: one packet's worth is lost to fragmentation, and one is
  // reserved for reports.
  most_reply_bytes_ = static_cast<std::uint32_t>(
      std::min<std::size_t>(most_reply_bytes_, (options.wire_packets - 2) * wire_answer_bytes()));
  if (shared.node == nullptr || shared.node->others() == 0) return;
  const std::size_t most = shared.node->to(0, 0, fabric::traffic::reply).most_packets();
  most_reply_bytes_ = static_cast<std::uint32_t>(
      std::min<std::size_t>(most_reply_bytes_, (most - 1) * packet_answer_bytes()));
}

void outbox::close_run(send_buffer& o, unsigned to) {
  const std::size_t count = o.close_run(to);
  if (count == 0) return;
  if (count > 1 && o.scope != nullptr && counts(o, to)) o.scope->issue(static_cast<std::int64_t>(count) - 1);
  counters_.messages += count;
  ++counters_.runs;
}

void outbox::begin_packet(send_buffer& o, fabric::packet& p, fabric::traffic kind, std::size_t room) {
  p.kind = kind;
  p.source = static_cast<std::uint16_t>(id_);
  o.begin(p, room);
  if (!any_open()) opened_at_ = 0;
  ++open_packets(kind);
}

/// Opens a packet for at least so many bytes. Returns false if the pool is empty.
bool outbox::open_packet(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes) {
  if (!shared_.has_lane(to)) return open_chunk(o, to, kind, bytes);
  constexpr std::size_t k_staged_bytes = fabric::node_lane_writer::k_staged_bytes;
  const bool is_staged = !shared_.is_local(to) && bytes <= k_staged_bytes;
  fabric::packet* const p = shared_.is_local(to) ? pool(kind).get()
                            : is_staged          ? node_lane(to, kind).stage()
                                                 : node_lane(to, kind).open();
  if (p == nullptr) return false;
  begin_packet(o, *p, kind, is_staged ? k_staged_bytes : payload_bytes_);
  lane_open(kind).set(shared_.endpoint_index(to));
  return true;
}

/// Moves a staged packet to its place in the lane, with space for the largest size. Returns false if it is
/// not staged.
bool outbox::promote(send_buffer& o, unsigned to) {
  if (!shared_.has_node_lane(to)) return false;
  fabric::node_lane_writer& lane = node_lane(to, kind_of(o, to));
  if (!lane.is_staged(*o.open)) return false;
  o.seal();
  o.move_to(lane.promote(), payload_bytes_);
  return true;
}

outbox::status outbox::open_run(send_buffer& o, unsigned to, const first_record& r) {
  // The most records of the run: as its header can count, and a mailbox can take from one source.
  const auto most_records = [&] {
    return r.matches == 0 ? k_most_of_run - o.run_records() : most_matches_ - o.matches;
  };
  if (o.is_run_of(r.scope, r.handler, r.bytes) && aggregate_ && most_records() != 0 &&
      !exceeds_answers(o, r.reply_bytes) && promote(o, to)) {
    o.extend_run(most_records());
    return status::opened;
  }
  close_run(o, to);
  if (o.open == nullptr && !open_packet(o, to, kind_of(o, to), r.bytes + k_most_run_heads))
    return shared_.has_node_lane(to) ? status::lane_full : status::no_packet;
  const std::size_t most = most_records();
  const bool welcome = (aggregate_ || o.empty()) && most != 0;
  if (!o.fits_run(r.scope, r.bytes)) promote(o, to);
  if (welcome && o.fits_run(r.scope, r.bytes) &&
      (r.reply_bytes == 0 || o.reply_bytes + r.reply_bytes + k_reply_overhead <= most_reply_bytes_)) {
    o.open_run(r.scope, r.handler, r.bytes, aggregate_ ? most : 1);
    if (r.reply_bytes != 0) o.reply_bytes += k_reply_overhead;  // the answers of a run form a run
    if (r.scope != nullptr && counts(o, to)) r.scope->issue(1);  // the open run; close_run() adds the rest
    return status::opened;
  }
  if (shared_.has_lane(to)) return push_packet(o, to, reason::full) ? status::packet_left : status::lane_full;
  if (aggregate_)
    retire_chunk(o, to);  // the next chunk of the same wire packet
  else
    flush_wire_packet(neighbour_to(to), kind_of(o, to), reason::full);
  return status::packet_left;
}

void outbox::end_packet(send_buffer& o, fabric::traffic kind) {
  --open_packets(kind);
  o.release();
}

bool outbox::try_flush(send_buffer& o, unsigned to, reason why) {
  if (o.open == nullptr) return true;
  if (!shared_.has_lane(to)) {
    flush_wire_packet(neighbour_to(to), kind_of(o, to), why);
    return true;
  }
  close_run(o, to);
  return push_packet(o, to, why);
}

/// Pushes the open packet, whose run is closed, into its lane. Returns false if the lane is full.
bool outbox::push_packet(send_buffer& o, unsigned to, reason why) {
  const fabric::traffic kind = kind_of(o, to);
  const std::size_t bytes = o.used();
  fabric::packet& p = o.seal();  // once pushed it is the receiver's
  const bool local = shared_.is_local(to);
  const unsigned mine = id_ - shared_.first;
  if (!local)
    shared_.node->publish(mine, shared_.node->place(to), kind, bytes);
  else if (to != id_ && shared_.lanes.takes_copy(p, mine, to - shared_.first) &&
           shared_.lanes.try_copy(p, mine, to - shared_.first)) {
    pool(kind).put(p);
  } else if (to != id_ && !shared_.lanes.try_push(p, mine, to - shared_.first))
    return false;

  count_packet(bytes, payload_bytes_, why);
  end_packet(o, kind);
  lane_open(kind).clear(shared_.endpoint_index(to));
  if (!local) return true;  // a core of another process cannot be woken: it polls
  if (to != id_) {
    host_.notify_core(to);
  } else {  // packets to the own core are run here, one at a time
    host_.run_packet(p);
    request_pool_.put(p);
  }
  return true;
}

std::byte* outbox::open_alone(unsigned to, std::uint16_t handler, std::size_t bytes) {
  if (requests_[to].open != nullptr || !shared_.has_node_lane(to) || bytes > record_room_) return nullptr;
  fabric::node_lane_writer& lane = node_lane(to, fabric::traffic::request);
  fabric::packet* const p =
      sizeof(run_header) + bytes <= fabric::node_lane_writer::k_staged_bytes ? lane.stage() : lane.open();
  return p == nullptr ? nullptr : begin_alone(*p, to, fabric::traffic::request, handler, bytes);
}

std::byte* outbox::open_block(unsigned to, std::uint16_t handler, std::size_t bytes) {
  GOSSAMER_DEBUG_ASSERT(bytes <= block_room(to));
  bool left = try_flush(replies_[to], to, reason::request);
  fabric::packet* const p = node_lane(to, fabric::traffic::reply).open_block();
  left &= p != nullptr;
  GOSSAMER_ASSERT(left, "a block found no room: takes_block() must see to it");
  return begin_alone(*p, to, fabric::traffic::reply, handler, bytes);
}

/// Writes the heads of a packet with one uncounted record. Returns the place of the record.
std::byte* outbox::begin_alone(fabric::packet& p, unsigned to, fabric::traffic kind, std::uint16_t handler,
                               std::size_t bytes) const {
  p.kind = kind;
  p.source = static_cast<std::uint16_t>(id_);
  p.bytes = static_cast<std::uint32_t>(sizeof(run_header) + run_bytes(1, bytes));
  p.reply_bytes = 0;
  p.matches = 0;
  const run_header h{handler, static_cast<std::uint16_t>(to), 1, static_cast<std::uint16_t>(bytes)};
  std::memcpy(p.payload(), &h, sizeof h);
  return p.payload() + sizeof h;
}

void outbox::push_alone(unsigned to, std::size_t bytes, fabric::traffic kind) {
  const std::size_t used = sizeof(run_header) + run_bytes(1, bytes);
  shared_.node->publish(id_ - shared_.first, shared_.node->place(to), kind, used);
  ++counters_.messages;
  ++counters_.runs;
  count_packet(used, std::max(used, payload_bytes_), reason::request);
}

void outbox::count_packet(std::size_t bytes, std::size_t room, reason why) {
  ++counters_.packets;
  counters_.bytes += bytes;
  counters_.packet_room += room;
  ++(why == reason::full   ? counters_.flush_full
     : why == reason::idle ? counters_.flush_idle
     : why == reason::age  ? counters_.flush_age
                           : counters_.flush_request);
}

/// Calls send(buffer, core) for every core with a lane for which a packet is open.
template <class Send>
void outbox::each_open(fabric::traffic kind, Send send) {
  const bit_set& open = lane_open(kind);
  for (unsigned i = 0; open_packets(kind) != 0 && (i = open.next(i)) < shared_.endpoint_indices(); ++i) {
    const unsigned to = shared_.core_of(i);
    send(buffer(kind, to), to);
  }
}

void outbox::flush_small(reason why) {
  constexpr std::size_t k_small_bytes = 2 * k_line_bytes;
  for (const fabric::traffic kind : {fabric::traffic::reply, fabric::traffic::request}) {
    if (open_packets(kind) != 1) continue;
    const unsigned index = lane_open(kind).next(0);
    if (index >= shared_.endpoint_indices()) continue;  // it is for the wire
    const unsigned to = shared_.core_of(index);
    send_buffer& o = buffer(kind, to);
    if (to != id_ && o.used() <= k_small_bytes) (void)try_flush(o, to, why);
  }
}

void outbox::flush_to_idle() {
  constexpr std::size_t k_least_bytes = 2 * k_line_bytes;
  for (const fabric::traffic kind : {fabric::traffic::reply, fabric::traffic::request})
    each_open(kind, [&](send_buffer& o, unsigned to) {
      if (to == id_ || !shared_.is_local(to) || o.used() < k_least_bytes) return;
      if (shared_.lanes.all_taken(id_ - shared_.first, to - shared_.first, kind))
        (void)try_flush(o, to, reason::idle);
    });
}

void outbox::flush_replies(reason why) {
  flush_wire(fabric::traffic::reply, why);
  each_open(fabric::traffic::reply, [&](send_buffer& o, unsigned to) {
    const bool left = try_flush(o, to, why);
    GOSSAMER_ASSERT(left, "a reply lane was full");
  });
}

void outbox::flush_all(reason why) {
  flush_replies(why);
  flush_wire(fabric::traffic::request, why);
  each_open(fabric::traffic::request, [&](send_buffer& o, unsigned to) { (void)try_flush(o, to, why); });
}

void outbox::flush_aged(bool requested) {
  if (!any_open()) return;
  if (opened_at_ == 0) opened_at_ = machine::ticks();
  if (!requested && machine::ticks() - opened_at_ <= flush_delay_ticks_) return;
  flush_all(requested ? reason::request : reason::age);
  opened_at_ = machine::ticks();
}

bool outbox::may_leave() const {
  if (wire_buffers_.any_open(fabric::traffic::request)) return true;
  for (unsigned i = 0; (i = next_open_request(i)) < shared_.endpoint_indices(); ++i) {
    const unsigned to = shared_.core_of(i);
    if (to == id_ || !shared_.is_local(to) || lane_has_room(to)) return true;
  }
  return false;
}

/// Returns the bytes of answers that certainly fit one packet of a lane, whatever their sizes.
std::size_t outbox::packet_answer_bytes() const {
  return reply_pool_.payload_bytes() - k_largest_answer - k_reply_overhead - k_most_run_heads;
}

/// Returns the bytes of answers to a core that certainly fit. Ignores open packets: the one for this core may
/// be nearly full.
std::size_t outbox::answer_room(unsigned to) const {
  if (shared_.is_local(to)) return reply_pool_.available() * packet_answer_bytes();
  if (shared_.has_node_lane(to))
    return node_lane(to, fabric::traffic::reply).packets_left(replies_[to].open != nullptr) *
           packet_answer_bytes();
  return wire_pool(fabric::traffic::reply).available() * wire_answer_bytes();
}

bool outbox::answer_fits(unsigned to, std::uint32_t bytes) const {
  const std::size_t lost =
      shared_.has_lane(to) ? packet_answer_bytes() : wire_answer_bytes();  // minus the unused end of a packet
  return answer_room(to) >= bytes + lost;
}

bool outbox::can_answer(unsigned to, std::uint32_t bytes) {
  if (bytes == 0 || answer_fits(to, bytes)) return true;
  if (open_replies_ != 0) flush_replies(reason::request);  // so that the packets return
  return answer_fits(to, bytes);
}

bool outbox::can_report(unsigned to) const {
  constexpr std::size_t k_least_packets = 2;  // one is reserved: the report after the last may need it
  return (shared_.has_node_lane(to)
              ? node_lane(to, fabric::traffic::reply).packets_left(replies_[to].open != nullptr)
              : wire_pool(fabric::traffic::reply).available()) >= k_least_packets;
}

}  // namespace gossamer::message
