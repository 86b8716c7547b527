#include "commands/degree_answer.hpp"

namespace gossamer::cli {

std::pair<std::uint64_t, std::uint64_t> degree_bin(std::size_t bin) {
  if (bin == 0) return {0, 0};
  return {std::uint64_t{1} << (bin - 1), (std::uint64_t{1} << (bin - 1)) * 2 - 1};
}

void set_degrees(json_object& j, const std::string& side, const graph::degree_summary& d,
                 const loaded_graph& g) {
  const std::string path = "degrees/" + side;
  j.set(path + "/min", d.min);
  j.set(path + "/max", d.max);
  j.set(path + "/mean", d.mean);
  j.set(path + "/median", d.median);
  if (d.max_vertex != graph::k_no_vertex) j.set_label(path + "/max_vertex", g.label_of(d.max_vertex));
  j.set_array(path + "/histogram");
  for (std::size_t bin = 0; bin < d.histogram.size(); ++bin) {
    const auto [from, to] = degree_bin(bin);
    json_object row;
    row.set("from", from);
    row.set("to", to);
    row.set("vertices", d.histogram[bin]);
    j.append(path + "/histogram", std::move(row));
  }
}

}  // namespace gossamer::cli
