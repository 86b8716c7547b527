#include "gossamer/combining/internal/sequence.hpp"

namespace gossamer::combining {

even_shares::even_shares(std::span<const value_range> all, std::uint32_t least) : counts(cores(), 0) {
  const std::uint64_t share = std::max<std::uint64_t>(least, divide_up(values_in(all), cores()));
  std::vector<std::uint64_t> room(cores(), share);
  struct dealt {
    core_id to;
    value_range what;
  };
  std::vector<dealt> parts;
  parts.reserve(all.size() + cores());
  const auto give = [&](value_range& r, core_id to) {
    value_range part = r;
    part.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(r.count, room[to]));
    if (part.count == 0) return;
    parts.push_back({to, part});
    room[to] -= part.count;
    r.begin += part.count;
    r.count -= part.count;
  };
  const auto give_one_after_other = [&](value_range& r, core_id& next, core_id end) {
    for (give(r, next); r.count != 0 && next + 1 < end;) give(r, ++next);
  };

  std::vector<value_range> left(all.begin(), all.end());
  const auto drop_empty = [&left] { std::erase_if(left, [](const value_range& r) { return r.count == 0; }); };
  for (value_range& r : left) give(r, r.in.owner());
  drop_empty();
  std::vector<core_id> next(processes());  // by process: the first core that may take more
  for (unsigned p = 0; p < processes(); ++p) next[p] = first_core(p);
  for (value_range& r : left) {
    const unsigned p = process_of(r.in.owner());
    give_one_after_other(r, next[p], first_core(p + 1));
  }
  drop_empty();
  core_id anywhere = 0;
  for (value_range& r : left) give_one_after_other(r, anywhere, cores());

  for (const dealt& d : parts) ++counts[d.to];
  std::vector<std::uint32_t> at(cores(), 0);
  for (core_id c = 1; c < cores(); ++c) at[c] = at[c - 1] + counts[c - 1];
  ranges.resize(parts.size());
  for (const dealt& d : parts) ranges[at[d.to]++] = d.what;
}

}  // namespace gossamer::combining
