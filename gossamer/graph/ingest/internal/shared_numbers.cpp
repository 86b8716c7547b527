#include "gossamer/graph/ingest/internal/shared_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "gossamer/graph/ingest/internal/name_dictionary.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"

namespace gossamer::graph {
namespace {

template <class U>
using by_process = std::vector<std::vector<U>>;

// Ids --------------------------------------------------------------------------------------------------

// Chooses processes() - 1 ids, the same everywhere, that divide all ids about equally.
std::vector<std::uint64_t> choose_splitters(std::span<const std::uint64_t> ids) {
  constexpr std::uint64_t k_samples = 256;
  std::vector<std::uint64_t> mine;
  for (std::uint64_t s = 0; s < k_samples && !ids.empty(); ++s)
    mine.push_back(ids[ids.size() * s / k_samples]);
  std::vector<std::uint64_t> all;
  for (const auto& block : exchange(by_process<std::uint64_t>(processes(), mine)))
    all.insert(all.end(), block.begin(), block.end());
  std::ranges::sort(all);
  std::vector<std::uint64_t> splitters;
  for (unsigned p = 1; p < processes(); ++p)
    splitters.push_back(all.empty() ? 0 : all[all.size() * p / processes()]);
  return splitters;
}

by_process<std::uint64_t> cut(std::span<const std::uint64_t> ids,
                              const std::vector<std::uint64_t>& splitters) {
  by_process<std::uint64_t> blocks;
  auto begin = ids.begin();
  for (const std::uint64_t s : splitters) {
    const auto end = std::lower_bound(begin, ids.end(), s);
    blocks.emplace_back(begin, end);
    begin = end;
  }
  blocks.emplace_back(begin, ids.end());
  return blocks;
}

labels integer_labels(const by_process<std::uint64_t>& blocks, std::uint64_t size) {
  buffer<std::uint64_t> all(size);
  std::uint64_t* to = all.data();
  for (const auto& block : blocks) to = std::ranges::copy(block, to).out;
  const std::span<const std::uint64_t> values = all.all();
  return labels::integers(values, std::move(all).share());
}

// Names ------------------------------------------------------------------------------------------------

// Concatenated texts.
struct texts {
  std::vector<std::uint64_t> lengths;
  std::vector<char> bytes;

  void add(std::string_view text) {
    lengths.push_back(text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
};

/// Sends block p to process p and returns the blocks that all processes sent here. Collective.
std::vector<texts> exchange_texts(std::vector<texts> blocks) {
  by_process<std::uint64_t> lengths(processes());
  by_process<char> bytes(processes());
  for (unsigned p = 0; p < processes(); ++p) {
    lengths[p] = std::move(blocks[p].lengths);
    bytes[p] = std::move(blocks[p].bytes);
  }
  lengths = exchange(std::move(lengths));
  bytes = exchange(std::move(bytes));
  for (unsigned p = 0; p < processes(); ++p) blocks[p] = {std::move(lengths[p]), std::move(bytes[p])};
  return blocks;
}

// The names that a process numbers, and the processes that requested their numbers.
struct named_block {
  name_dictionary names;
  std::vector<std::uint64_t> positions;  // by name: the first position
  by_process<vertex_id> asked;           // by process and request: the number of the name

  void add(const texts& from, const std::vector<std::uint64_t>& at) {
    std::vector<vertex_id>& which = asked.emplace_back();
    const char* text = from.bytes.data();
    for (std::size_t i = 0; i < at.size(); text += from.lengths[i++]) {
      const vertex_id name = names.number({text, from.lengths[i]}, at[i]);
      if (name == positions.size()) positions.push_back(at[i]);
      positions[name] = std::min(positions[name], at[i]);
      which.push_back(name);
    }
  }
};

// On process 0: the vertex of each name of each process, and the process of each vertex's name.
struct ranking {
  by_process<vertex_id> vertex;
  std::vector<std::uint16_t> owner;
};

ranking rank_positions(const by_process<std::uint64_t>& positions) {
  struct place {
    std::uint64_t position;
    vertex_id name;
    std::uint16_t owner;
  };
  std::vector<place> all;
  ranking r;
  for (std::size_t p = 0; p < positions.size(); ++p) {
    r.vertex.emplace_back(positions[p].size());
    for (std::size_t n = 0; n < positions[p].size(); ++n)
      all.push_back({positions[p][n], static_cast<vertex_id>(n), static_cast<std::uint16_t>(p)});
  }
  std::ranges::sort(all, {}, &place::position);
  for (const place& at : all) {
    r.vertex[at.owner][at.name] = static_cast<vertex_id>(r.owner.size());
    r.owner.push_back(at.owner);
  }
  return r;
}

// Names in the order of their vertices.
texts in_order(const named_block& block, const std::vector<vertex_id>& vertex) {
  std::vector<vertex_id> order(vertex.size());
  std::iota(order.begin(), order.end(), vertex_id{0});
  std::ranges::sort(order, {}, [&](vertex_id name) { return vertex[name]; });
  texts all;
  for (const vertex_id name : order) all.add(block.names.name(name));
  return all;
}

labels string_labels(const std::vector<texts>& blocks, const std::vector<std::uint16_t>& owner) {
  std::uint64_t size = 0;
  for (const texts& t : blocks) size += t.bytes.size();
  buffer<std::uint64_t> offsets(owner.size() + 1);
  buffer<char> bytes(size);
  std::vector<std::size_t> next(blocks.size(), 0), at(blocks.size(), 0);
  std::uint64_t end = 0;
  for (std::size_t v = 0; v < owner.size(); ++v) {
    const std::uint16_t p = owner[v];
    const std::uint64_t length = blocks[p].lengths[next[p]++];
    std::copy_n(blocks[p].bytes.data() + at[p], length, bytes.data() + end);
    at[p] += length;
    offsets[v] = end;
    end += length;
  }
  offsets[owner.size()] = end;
  return labels::strings(std::move(offsets), std::move(bytes));
}

}  // namespace

shared_numbers number_ids(std::span<const std::uint64_t> ids) {
  const by_process<std::uint64_t> asked = exchange(cut(ids, choose_splitters(ids)));
  std::vector<std::uint64_t> own;
  for (const auto& block : asked) own.insert(own.end(), block.begin(), block.end());
  std::ranges::sort(own);
  own.erase(std::unique(own.begin(), own.end()), own.end());
  shared_numbers result;
  std::uint64_t before = 0;
  const auto sizes = all_gather_processes(std::uint64_t{own.size()});
  for (unsigned p = 0; p < processes(); ++p) {
    result.vertices += sizes[p];
    if (p < process()) before += sizes[p];
  }
  by_process<vertex_id> answers;
  for (const auto& block : asked) {
    auto& to = answers.emplace_back();
    auto at = own.begin();
    for (const std::uint64_t id : block) {  // ascending
      while (*at != id) ++at;
      to.push_back(static_cast<vertex_id>(before + static_cast<std::uint64_t>(at - own.begin())));
    }
  }
  for (const auto& block : exchange(std::move(answers)))  // blocks of ascending ids are consecutive
    result.numbers.insert(result.numbers.end(), block.begin(), block.end());
  const auto blocks = to_first(std::move(own));
  if (process() == 0) result.names = integer_labels(blocks, result.vertices);
  return result;
}

shared_numbers number_names(const labels& names, const std::vector<std::uint64_t>& positions) {
  // Send each name to the process that numbers it.
  std::vector<texts> questions(processes());
  by_process<std::uint64_t> places(processes());
  by_process<vertex_id> asked(processes());
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const std::uint64_t begin = names.values()[n];
    const std::string_view name(names.bytes().data() + begin, names.values()[n + 1] - begin);
    const std::uint64_t p = (hash_name(name) >> 20) % processes();
    questions[p].add(name);
    places[p].push_back(positions[n]);
    asked[p].push_back(static_cast<vertex_id>(n));
  }
  named_block own;
  {
    const auto texts_of = exchange_texts(std::move(questions));
    const auto places_of = exchange(std::move(places));
    for (unsigned p = 0; p < processes(); ++p) own.add(texts_of[p], places_of[p]);
  }
  // Process 0 sorts the positions of all processes.
  shared_numbers result;
  for (const std::uint64_t n : all_gather_processes(std::uint64_t{own.positions.size()}))
    result.vertices += n;
  ranking all;
  {
    const auto everywhere = to_first(std::exchange(own.positions, {}));
    if (process() == 0) all = rank_positions(everywhere);
  }
  all.vertex.resize(processes());
  const std::vector<vertex_id> vertex = exchange(std::move(all.vertex))[0];
  by_process<vertex_id> answers;
  for (const auto& which : own.asked) {
    auto& to = answers.emplace_back();
    for (const vertex_id name : which) to.push_back(vertex[name]);
  }
  const auto answered = exchange(std::move(answers));
  result.numbers.resize(positions.size());
  for (unsigned p = 0; p < processes(); ++p)
    for (std::size_t i = 0; i < asked[p].size(); ++i) result.numbers[asked[p][i]] = answered[p][i];
  std::vector<texts> to(processes());
  to[0] = in_order(own, vertex);
  own = {};
  const auto blocks = exchange_texts(std::move(to));
  if (process() == 0) result.names = string_labels(blocks, all.owner);
  return result;
}

}  // namespace gossamer::graph
