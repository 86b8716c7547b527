#include "gossamer/graph/questions/parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace gossamer::graph {

std::string parameter::expected() const {
  if (is_choice()) {
    const std::span<const std::string_view> names = std::get<choice*>(value)->names;
    std::string all(names.front());
    for (std::size_t i = 1; i < names.size(); ++i)
      all.append(i + 1 == names.size() ? " or " : ", ").append(names[i]);
    return all;
  }
  if (is_list()) return std::get<vertex_list*>(value)->each == 2 ? "pairs of vertices" : "vertices";
  if (reals) return std::string(reals->expected);
  if (is_folder()) return "a folder";
  if (is_vertex_values()) return "finite values of 0 or more, of which one is more";
  return fmt::format("{} or more", least);
}

std::string parameter::text() const {
  return std::visit(
      [](auto* at) -> std::string {
        using value_type = std::remove_pointer_t<decltype(at)>;
        if constexpr (std::is_same_v<value_type, bool>)
          return *at ? "true" : "";
        else if constexpr (std::is_arithmetic_v<value_type>)
          return fmt::format("{}", *at);
        else if constexpr (std::is_same_v<value_type, choice>)
          return std::string(at->name());
        else if constexpr (std::is_same_v<value_type, std::string>)
          return *at;
        else if constexpr (std::is_same_v<value_type, vertex_values> ||
                           std::is_same_v<value_type, vertex_list>)
          return {};
        else
          return *at ? fmt::format("{}", **at) : std::string();
      },
      value);
}

bool parameter::set(std::uint64_t x) const {
  if (x < least) return false;
  if (auto* const* vertex = std::get_if<std::optional<vertex_id>*>(&value))
    **vertex = static_cast<vertex_id>(x);
  else if (auto* const* maybe = std::get_if<std::optional<std::uint64_t>*>(&value))
    **maybe = x;
  else
    *std::get<std::uint64_t*>(value) = x;
  return true;
}

bool parameter::set(double x) const {
  if (reals && !reals->accepts(x)) return false;
  if (auto* const* maybe = std::get_if<std::optional<double>*>(&value))
    **maybe = x;
  else
    *std::get<double*>(value) = x;
  return true;
}

bool parameter::set(vertex_values all) const {
  if (!std::ranges::all_of(all, [](double x) { return x >= 0 && std::isfinite(x); })) return false;
  if (!all.empty() && std::ranges::all_of(all, [](double x) { return x == 0; })) return false;
  *std::get<vertex_values*>(value) = std::move(all);
  return true;
}

bool parameter::pick(std::string_view wanted) const {
  choice& all = *std::get<choice*>(value);
  const auto found = std::ranges::find(all.names, wanted);
  if (found == all.names.end()) return false;
  all.picked = static_cast<std::size_t>(found - all.names.begin());
  return true;
}

const parameter* parameter_list::find(std::string_view name) const {
  for (const parameter& p : all_)
    if (p.name == name) return &p;
  return nullptr;
}

}  // namespace gossamer::graph
