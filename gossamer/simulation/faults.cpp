#include "gossamer/simulation/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/simulation/internal/join.hpp"

namespace gossamer::simulation {
namespace {

const fault_kind* find(std::string_view name) {
  const auto at = std::find_if(k_fault_kinds.begin(), k_fault_kinds.end(),
                               [&](const fault_kind& k) { return name == k.name; });
  return at == k_fault_kinds.end() ? nullptr : &*at;
}

std::vector<std::string_view> names(fault_set of) {
  std::vector<std::string_view> all;
  for (const fault_kind& k : k_fault_kinds)
    if (of.has(k.kind)) all.emplace_back(k.name);
  return all;
}

}  // namespace

fault_set fault_set::parse(std::string_view text) {
  if (text == "none" || text.empty()) return {};
  if (text == "all") return all();
  fault_set set;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    const fault_kind* const kind = find(name);
    if (kind == nullptr)
      throw error(fmt::format("faults: expected none, all or some of {}, found {}", join(names(all()), ","),
                              in_quotes(name)));
    set.add(kind->kind);
    if (comma == std::string_view::npos) return set;
    text.remove_prefix(comma + 1);
  }
}

std::string fault_set::print() const {
  if (empty()) return "none";
  if (*this == all()) return "all";
  return join(names(*this), ",");
}

fault fault_named(std::string_view what) {
  const fault_kind* const kind = find(what);
  return kind == nullptr ? fault::order : kind->kind;
}

}  // namespace gossamer::simulation
