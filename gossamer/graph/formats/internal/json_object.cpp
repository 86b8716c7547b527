#include "gossamer/graph/formats/internal/json_object.hpp"

#include <nlohmann/json.hpp>

namespace gossamer::graph {

problem read_object(std::string_view text, const std::array<std::string, 3>& keys,
                    const std::array<std::string*, 3>& values) {
  constexpr bool k_throws = false;
  const auto object = nlohmann::json::parse(text.begin(), text.end(), nullptr, k_throws);
  if (!object.is_object()) return problem::json;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[i]->clear();
    if (keys[i].empty()) continue;
    const auto found = object.find(keys[i]);
    if (found == object.end() || found->is_null()) continue;
    if (found->is_string())
      *values[i] = found->get_ref<const std::string&>();
    else if (found->is_number())
      *values[i] = found->dump();
    else
      return problem::columns;
  }
  return problem::none;
}

}  // namespace gossamer::graph
