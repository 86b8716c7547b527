#include "gossamer/fabric/node_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "gossamer/base/options.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace gossamer::fabric {

node_group::node_group(transport& between, const std::vector<machine::process_identity>& all)
    : numbers_(all.size(), k_none) {
  const unsigned self = between.rank();
  const bool wanted =
      read_setting(options(), "GOSSAMER_NODE_MEMORY").value_or(1) != 0;  // the same everywhere
  for (unsigned p = 0; p < all.size(); ++p)
    if (p == self || (wanted && all[p].on_node_of(all[self]))) {
      if (size_ == 0) first_ = p;
      numbers_[p] = size_++;
    }
  if (!wanted || attach(between, all)) return;
  std::ranges::fill(numbers_, k_none);
  numbers_[self] = 0;
  size_ = 1;
  memory_.reset();
}

std::vector<unsigned> node_group::processes() const {
  std::vector<unsigned> all;
  for (unsigned p = 0; p < numbers_.size(); ++p)
    if (has(p)) all.push_back(p);
  return all;
}

/// Returns whether every process of the node has mapped the memory, after two exchanges: descriptors, and whether each has it.
bool node_group::attach(transport& between, const std::vector<machine::process_identity>& all) {
  constexpr std::int32_t k_alone = -1, k_refused = -2;
  const unsigned self = between.rank();
  std::int32_t mine = k_alone;
  const auto warn = [&](const std::exception& why) {
    machine::print_warning(fmt::format(
        "{}: {}: the processes of this node have no memory in common, arrays are copied between them",
        all[self].name(), why.what()));
    mine = k_refused;
  };
  const auto exchange = [&] {
    std::vector<std::int32_t> of_all(all.size());
    between.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(of_all)));
    return of_all;
  };
  if (size_ > 1 && first_ == self) try {
      memory_.emplace(machine::node_memory::make(machine::k_common_bytes));
      mine = memory_->descriptor();
    } catch (const std::exception& why) {
      warn(why);
    }
  const std::int32_t descriptor = exchange()[first_];
  if (size_ > 1 && first_ != self && descriptor >= 0) try {
      memory_.emplace(machine::node_memory::open(all[first_].pid, descriptor));
    } catch (const std::exception& why) {
      warn(why);
    }
  const std::vector<std::int32_t> after = exchange();
  for (unsigned p = 0; p < all.size(); ++p)
    if (has(p) && after[p] == k_refused) return false;
  return true;
}

}  // namespace gossamer::fabric
