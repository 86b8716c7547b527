#include "support/linearizability/checker.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "support/linearizability/collections.hpp"
#include "support/linearizability/models.hpp"
#include "support/linearizability/search.hpp"

namespace gossamer::test::linearizability {

const char* to_string(structure s) {
  static constexpr const char* k_names[] = {"counter", "stack", "queue", "priority queue", "set", "map"};
  return k_names[static_cast<unsigned>(s)];
}

namespace detail {

static bool has(structure s, kind k) {
  const bool dictionary = k == kind::insert || k == kind::contains || k == kind::erase || k == kind::size;
  switch (s) {
    case structure::counter:
      return k == kind::fetch_add || k == kind::read;
    case structure::queue:
      return k == kind::enqueue || k == kind::dequeue || k == kind::size;
    case structure::set:
      return dictionary;
    case structure::map:
      return dictionary || k == kind::insert_or_assign || k == kind::lookup || k == kind::update;
    default:
      return k == kind::push || k == kind::pop || k == kind::size;
  }
}

void expect_sensible(structure s, const history& operations) {
  std::vector<std::uint64_t> stamps;
  for (const operation& o : operations) {
    if (!has(s, o.what))
      throw std::invalid_argument(std::string("a ") + to_string(s) + " has no " + to_string(o));
    if (o.invoked >= o.answered)
      throw std::invalid_argument(to_string(o) + " was answered before it was invoked");
    stamps.push_back(o.invoked);
    if (!o.pending()) stamps.push_back(o.answered);
  }
  std::ranges::sort(stamps);
  if (std::ranges::adjacent_find(stamps) != stamps.end())
    throw std::invalid_argument("a history has one stamp twice");
}

outcome decision::of(const history& operations) {
  switch (structure_) {
    case structure::counter:
      return search<counter_model>(operations);
    case structure::stack:
      return collection<stack_model>(operations, fits_stack);
    case structure::queue:
      return collection<queue_model>(operations, fits_queue);
    case structure::priority_queue:
      return collection<priority_queue_model>(operations, fits_priority_queue);
    default:
      return search<dictionary_model>(operations);
  }
}

template <class Model>
outcome decision::search(const history& operations, Model model) {
  order_search<Model> s(operations, std::move(model));
  const outcome o = s.run(most_states_);
  states_ += s.states();
  return o;
}

template <class Model, class Fits>
outcome decision::collection(const history& operations, Fits fits) {
  const lifetimes all = lifetimes_of(operations);
  if (!all.distinct) return search<Model>(operations);
  if (!all.possible) return outcome::rejected;
  const bool right = empty_answers_fit(all) && fits(all.values);  // if no open take has happened
  if (right && !all.sizes) return outcome::linearizable;
  if (!right && all.open_take == k_never) return outcome::rejected;
  return search(operations, Model(take_intervals(all)));
}

/// Returns the history up to a stamp; operations that were answered later are pending then. Their later
/// answers stay known, so that a contradiction shows as soon as there is one. A history whose prefix is
/// rejected so is not linearizable as a whole.
static history prefix(const history& operations, std::uint64_t last) {
  history part;
  for (operation o : operations) {
    if (o.invoked > last) continue;
    if (o.answered > last) o.answered = k_never;
    if (o.pending() && quiet(o)) continue;
    part.push_back(o);
  }
  return part;
}

history shortest_rejected(decision& decide, const history& operations) {
  std::vector<std::uint64_t> ends;
  for (const operation& o : operations)
    if (!o.pending()) ends.push_back(o.answered);
  std::ranges::sort(ends);
  const auto end = std::partition_point(ends.begin(), ends.end(), [&](std::uint64_t last) {
    return decide.of(prefix(operations, last)) != outcome::rejected;
  });
  return end == ends.end() ? operations : prefix(operations, *end);
}

history without_needless(decision& decide, structure s, history operations) {
  const auto leave_out = [&](auto&& needless) {
    history rest = operations;
    std::erase_if(rest, needless);
    if (rest.size() < operations.size() && decide.of(rest) == outcome::rejected) operations = std::move(rest);
  };
  const history all = operations;
  for (const operation& o : all)
    if (quiet(o)) leave_out([&](const operation& r) { return r.invoked == o.invoked; });
  const lifetimes values = lifetimes_of(operations);
  if (s == structure::counter || s == structure::set || s == structure::map || !values.distinct ||
      values.sizes)
    return operations;
  for (const operation& o : all)
    if (puts(o))
      leave_out(
          [&](const operation& r) { return r.invoked == o.invoked || (takes(r) && r.answer == o.argument); });
  return operations;
}

std::string line(const operation& o, const history& whole) {
  const auto full = std::ranges::find(whole, o.invoked, &operation::invoked);
  std::string end = o.pending() ? "" : std::to_string(o.answered);
  std::string text = std::to_string(o.invoked) + ".." + end;
  text.resize(std::max<std::size_t>(text.size(), 16), ' ');
  text += "fiber " + std::to_string(o.fiber);
  text.resize(std::max<std::size_t>(text.size(), 28), ' ');
  text += to_string(o);
  if (full->pending()) return text + "   (never answered)\n";
  return text + (o.pending() ? "   (answered at " + std::to_string(full->answered) + ")\n" : "\n");
}

static std::string report(structure s, const history& whole, const history& core) {
  std::uint64_t last = 0;
  for (const operation& o : core)
    if (!o.pending()) last = std::max(last, o.answered);
  const auto until = std::ranges::count_if(whole, [&](const operation& o) { return o.invoked <= last; });
  std::string text = std::string("not linearizable: ") + to_string(s) + ", " + std::to_string(whole.size()) +
                     " operations; wrong from stamp " + std::to_string(last) + " on, by these " +
                     std::to_string(core.size()) + " of the " + std::to_string(until) + " until then:\n";
  for (const operation& o : core) text += line(o, whole);
  return text;
}

std::vector<history> parts(structure s, const history& operations) {
  if (s != structure::set && s != structure::map) return {operations};
  std::map<std::uint64_t, history> keys;
  for (const operation& o : operations)
    if (o.what != kind::size) keys[o.key].push_back(o);
  std::vector<history> all;
  for (auto& [key, part] : keys) all.push_back(std::move(part));
  if (std::ranges::find(operations, kind::size, &operation::what) != operations.end())
    all.push_back(operations);
  return all;
}

}  // namespace detail

verdict check(structure s, history operations, std::uint64_t most_states) {
  detail::expect_sensible(s, operations);
  std::ranges::sort(operations, {}, &operation::invoked);
  detail::decision decide(s, most_states);
  verdict v;
  for (const history& part : detail::parts(s, operations)) {
    const outcome o = decide.of(part);
    if (o == outcome::linearizable) continue;
    v.outcome = o;
    if (o == outcome::undecided) continue;
    detail::decision again(s, most_states), briefly(s, std::min<std::uint64_t>(most_states, 20'000));
    const history shortest = detail::shortest_rejected(again, part);
    v.report = detail::report(s, operations, detail::without_needless(briefly, s, shortest));
    break;
  }
  v.states = decide.states();
  if (v.outcome == outcome::undecided)
    v.report = std::string("undecided: ") + to_string(s) + ", " + std::to_string(operations.size()) +
               " operations, more than " + std::to_string(most_states) + " states";
  return v;
}

}  // namespace gossamer::test::linearizability
