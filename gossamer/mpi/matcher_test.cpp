#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "gossamer/mpi/internal/matcher.hpp"

namespace gossamer::mpi {
namespace {

struct drawn_receive : waiting_entry<drawn_receive> {
  int name = 0;
};
struct drawn_message : waiting_entry<drawn_message> {
  drawn_message* before = nullptr;
  drawn_message* after = nullptr;
  int name = 0;
};

/// The rules of MPI as they are written: lists, and a walk from the oldest.
class matching_oracle {
 public:
  int arrive(const envelope& what, int name) {
    return meet(receives_, messages_, what, name, [&](const envelope& r) { return r.takes(what); });
  }
  int post(const envelope& what, int name) {
    return meet(messages_, receives_, what, name, [&](const envelope& m) { return what.takes(m); });
  }
  int look(const envelope& what) const {
    for (const auto& m : messages_)
      if (what.takes(m.what)) return m.name;
    return -1;
  }
  std::size_t messages() const { return messages_.size(); }

 private:
  struct entry {
    envelope what;
    int name;
  };
  template <class Fits>
  static int meet(std::vector<entry>& others, std::vector<entry>& own, const envelope& what, int name,
                  Fits fits) {
    for (auto at = others.begin(); at != others.end(); ++at)
      if (fits(at->what)) {
        const int found = at->name;
        others.erase(at);
        return found;
      }
    own.push_back({what, name});
    return -1;
  }
  std::vector<entry> receives_, messages_;
};

/// Returns after how many calls the matcher and the oracle disagree; 0 where they never do.
template <class Rule>
int disagrees_after(std::uint64_t seed, int calls) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int32_t>(random() % n); };
  const std::uint64_t sources = 1 + random() % 4, tags = 1 + random() % (random() % 2 == 0 ? 3 : 2000),
                      open_of_8 = random() % 5;
  basic_matcher<drawn_receive, drawn_message, Rule> tested;
  matching_oracle oracle;
  std::deque<drawn_receive> receives;
  std::deque<drawn_message> messages;
  for (int i = 1; i <= calls; ++i) {
    envelope what{static_cast<std::uint32_t>(random() % 2), below(sources), below(tags)};
    const auto kind = (random() >> 8) % 5;
    int found = -1, expected = -1;
    if (kind < 2) {
      drawn_message& m = messages.emplace_back();
      m.what = what;
      m.name = i;
      const auto* r = tested.take(what);
      if (r == nullptr) tested.keep(m);
      found = r != nullptr ? r->name : -1;
      expected = oracle.arrive(what, i);
    } else {
      if ((random() >> 8) % 8 < open_of_8) what.source = k_open;
      if ((random() >> 8) % 8 < open_of_8) what.tag = k_open;
      if (kind < 4) {
        drawn_receive& r = receives.emplace_back();
        r.what = what;
        r.name = i;
        const auto* m = tested.post(r);
        found = m != nullptr ? m->name : -1;
        expected = oracle.post(what, i);
      } else {
        const auto* m = tested.look(what);
        found = m != nullptr ? m->name : -1;
        expected = oracle.look(what);
      }
    }
    if (found != expected) return i;
  }
  std::size_t kept = 0;
  for (const auto* m = tested.first_message(); m != nullptr; m = m->after) ++kept;
  return kept == oracle.messages() ? 0 : calls;
}

struct open_receive_wins {
  static bool first_wins(std::uint64_t, std::uint64_t) { return false; }
};
struct exact_receive_wins {
  static bool first_wins(std::uint64_t, std::uint64_t) { return true; }
};

TEST(MpiMatcher, TakesWhatTheOracleTakes) {
  const std::uint64_t first = std::random_device{}();
  for (std::uint64_t seed = first; seed < first + 60; ++seed)
    ASSERT_EQ(disagrees_after<oldest_receive>(seed, 3000), 0) << "seed " << seed;
}

TEST(MpiMatcher, WrongOrdersOfReceivesAreFound) {
  int open_first = 0, exact_first = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    open_first += disagrees_after<open_receive_wins>(seed, 3000) != 0;
    exact_first += disagrees_after<exact_receive_wins>(seed, 3000) != 0;
  }
  EXPECT_GT(open_first, 0);
  EXPECT_GT(exact_first, 0);
}

TEST(MpiMatcher, KeepsEqualEnvelopesInOrder) {
  basic_matcher<drawn_receive, drawn_message> m;
  std::vector<drawn_message> messages(1000);
  for (int i = 0; i < 1000; ++i) {
    messages[static_cast<std::size_t>(i)].what = {0, 1, i % 2};
    messages[static_cast<std::size_t>(i)].name = i;
    m.keep(messages[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < 1000; ++i) {
    drawn_receive r;
    r.what = {0, k_open, k_open};
    ASSERT_NE(m.look(r.what), nullptr);
    EXPECT_EQ(m.post(r)->name, i);
  }
  EXPECT_EQ(m.first_message(), nullptr);
}

}  // namespace
}  // namespace gossamer::mpi
