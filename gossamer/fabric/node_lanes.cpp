#include "gossamer/fabric/node_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/fabric/simulated_process.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

namespace {

constexpr std::size_t k_page_bytes = 4096;
// A ring begins in its first page, behind the counter. Rings begin at different lines: otherwise, for a core
// that polls all of them, their first lines would share one cache set.
constexpr std::size_t k_pair_of_lines = 2 * k_line_bytes;  // fetched together by some processors
constexpr std::size_t k_starts = k_page_bytes / k_pair_of_lines - 1;

}  // namespace

std::size_t node_lanes::layout::ring_packets() const {
  if (least_packets != 0) return least_packets;
  constexpr unsigned k_few = 4;  // cores: longer lanes, so that a core that is not running blocks others less
  constexpr unsigned k_many = 64;  // shorter ones: a core has two for each of the others
  return all() <= k_few    ? 4 * node_lane::k_packets
         : all() <= k_many ? 2 * node_lane::k_packets
                           : node_lane::k_packets;
}

std::size_t node_lanes::layout::ring_bytes() const {
  std::size_t bytes = k_page_bytes;
  while (bytes < ring_packets() * packet_bytes) bytes *= 2;
  return bytes;
}

std::size_t node_lanes::layout::lane_bytes() const {
  return round_up(k_page_bytes + ring_bytes(), machine::page_bytes());
}

std::uint64_t node_lanes::bytes_of_process(unsigned processes, unsigned cores, std::size_t packet_bytes) {
  const layout l{cores, std::vector<unsigned>(processes), round_up(packet_bytes, k_line_bytes)};
  if (processes <= 1 || l.all() > k_most_cores) return 0;
  constexpr std::size_t k_ends_bytes =
      sizeof(node_lane_writer) + sizeof(node_lane_reader) + 2 * sizeof(std::unique_ptr<node_lane_writer>);
  const std::uint64_t lanes = std::uint64_t{cores} * (l.all() - cores) *
                              k_traffic_classes;  // those within the process are never touched
  return lanes * (l.lane_bytes() + k_ends_bytes) + l.page_and_rows_bytes();
}

unsigned node_lanes::neighbours(const node_group* group) {
  if (const simulated_process* const s = current_simulated_process())
    return static_cast<unsigned>(s->node_of_process().processes.size());
  return group != nullptr ? group->size() : 1;
}

std::unique_ptr<node_lanes> node_lanes::make(const node_group* group, unsigned process, unsigned cores,
                                             std::size_t packet_bytes) {
  if (simulated_process* const s = current_simulated_process()) {
    const simulated_process::node node = s->node_of_process();
    const layout l{cores, node.processes, round_up(packet_bytes, k_line_bytes), node.lane_packets};
    if (node.processes.size() == 1 || l.all() > k_most_cores) return nullptr;
    const auto at = std::ranges::find(node.processes, process) - node.processes.begin();
    return std::make_unique<node_lanes>(l, static_cast<unsigned>(at), s->node_memory(l.bytes()));
  }
  if (group == nullptr || group->memory() == nullptr) return nullptr;
  layout l{cores, group->processes(), round_up(packet_bytes, k_line_bytes)};
  if (l.all() > k_most_cores) return nullptr;
  const unsigned self = group->number(process);
  group->memory()->extend(machine::k_common_bytes + l.bytes());  // all request the same size
  machine::memory_region region =
      group->memory()->map(nullptr, machine::k_common_bytes, l.bytes(), "lanes between processes");
  auto made = std::make_unique<node_lanes>(l, self, region.data());
  made->region_ = std::move(region);
  made->file_ = group->memory();
  return made;
}

node_lanes::node_lanes(const layout& l, unsigned self, std::byte* memory)
    : layout_(l),
      memory_(memory),
      self_(self),
      others_(l.all() - l.cores),
      few_(l.all() <= k_few_cores),
      simulated_(current_simulated_process()),
      signals_(!few_ || simulated_ != nullptr),
      places_(std::size_t{l.processes.back() + 1} * l.cores, k_none) {
  for (unsigned p = 0; p < l.processes.size(); ++p)
    for (unsigned local = 0; p != self && local < l.cores; ++local) {
      const unsigned core = l.processes[p] * l.cores + local;
      places_[core] = static_cast<unsigned>(cores_.size());
      cores_.push_back(core);
    }
  for (unsigned mine = self * l.cores; mine < (self + 1) * l.cores; ++mine)
    for (unsigned other = 0; other < l.all(); ++other) {
      if (other / l.cores == self) continue;
      for (const traffic kind : {traffic::request, traffic::reply}) {
        writers_.push_back(std::make_unique<node_lane_writer>(lane_at(mine, other, kind)));
        readers_.push_back(std::make_unique<node_lane_reader>(lane_at(other, mine, kind)));
      }
    }
}

node_lanes::~node_lanes() {
  if (file_ == nullptr) return;
  file_->discard(machine::k_common_bytes + self_ * layout_.bytes_of_process(), layout_.bytes_of_process());
  file_->discard(machine::k_common_bytes + static_cast<std::size_t>(page_and_rows(self_) - memory_),
                 layout_.page_and_rows_bytes());
}

std::byte* node_lanes::page(unsigned process) const {
  const auto at = std::ranges::find(layout_.processes, process);
  if (at == layout_.processes.end()) return nullptr;
  return page_and_rows(static_cast<unsigned>(at - layout_.processes.begin()));
}

/// Notifies the core at `place` that core `local` has sent it something: in its row, and in a simulation.
void node_lanes::signal_arrival(unsigned local, unsigned place) {
  machine::preemption_point();
  const unsigned p = place / layout_.cores, number = p < self_ ? p : p + 1;
  if (simulated_ != nullptr) simulated_->lane_written(layout_.processes[number], place % layout_.cores);
  if (few_) return;
  const unsigned from =
      self_ < number ? self_ : self_ - 1;  // its place, as the receiver numbers this process
  const unsigned at = from * layout_.cores + local;
  const std::uint64_t bit = std::uint64_t{1} << (at % 64);
  std::atomic<std::uint64_t>& word = row_of(number, place % layout_.cores).word[at / 64];
  std::atomic_thread_fence(std::memory_order_seq_cst);  // after the mark; pairs with take_arrivals()
  // Set already: the receiver has not cleared it since, and will poll.
  if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
}

/// Returns a lane between two cores of the node, numbered by process and core.
node_lane node_lanes::lane_at(unsigned from, unsigned to, traffic kind) const {
  const std::size_t i =
      (std::size_t{from} * layout_.all() + to) * k_traffic_classes + static_cast<std::size_t>(kind);
  std::byte* const first = memory_ + i * layout_.lane_bytes();
  return {reinterpret_cast<std::atomic<std::uint64_t>*>(first),
          first + k_pair_of_lines * (1 + (from * k_traffic_classes + static_cast<unsigned>(kind)) % k_starts),
          layout_.ring_bytes(), layout_.packet_bytes};
}

std::uint64_t node_lanes::sent() const {
  std::uint64_t all = 0;
  for (const auto& w : writers_) all += w->sent();
  return all;
}

std::uint64_t node_lanes::received() const {
  std::uint64_t all = 0;
  for (const auto& r : readers_) all += r->received();
  return all;
}

bool node_lanes::may_go_on() const {
  return std::ranges::any_of(writers_, [](const auto& w) { return w->may_go_on(); });
}

std::string node_lanes::describe() const {
  const auto held_up = std::ranges::count_if(readers_, [](const auto& r) { return r->held_up(); });
  return fmt::format("; lanes to {} cores of the node: {} sent, {} received, {} held up", others_, sent(),
                     received(), held_up);
}

}  // namespace gossamer::fabric
