// Completion: finish() returns when everything that was issued under it has ended, wherever it went, and not
// before; exceptions arrive there. Trees of tasks, handlers, calls and fibers, with scopes inside scopes, on
// all cores at once. Each scope counts what it issues and what has ended; nothing of it may end later.
#include <cstdint>
#include <vector>

#include "gossamer/message/visit.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

struct scope {
  std::uint64_t issued = 0, ended = 0, thrown = 0;
  bool over = false;
};

struct {
  std::vector<scope> scopes;
  std::uint64_t left = 0;  // that may still be issued
} all;

constexpr const char* k_text = "thrown on purpose";

/// Counts the end of something, however it ends.
struct ending {
  unsigned s;
  ~ending() {
    ++all.scopes[s].ended;
    complain_unless(!all.scopes[s].over, "completion: something ended after its finish() had returned");
  }
};

void work(unsigned s, std::uint64_t key, unsigned depth);

/// Runs finish() around a tree of its own.
void closed(std::uint64_t key, unsigned depth) {
  const auto s = static_cast<unsigned>(all.scopes.size());
  all.scopes.emplace_back();
  bool thrown = false;
  try {
    finish([&] { work(s, key, depth); });
  } catch (const error& e) {
    thrown = true;
    complain_unless(e.what() == std::string(k_text), "completion: finish() has thrown {}", e.what());
  }
  scope& mine = all.scopes[s];
  complain_unless(mine.ended == mine.issued, "completion: finish() returned after {} of {} had ended",
                  mine.ended, mine.issued);
  complain_unless(thrown == (mine.thrown != 0), "completion: {} thrown under it, finish() has thrown {}",
                  mine.thrown, thrown ? "one" : "none");
  mine.over = true;
}

void throw_from(unsigned s) {
  ++all.scopes[s].thrown;
  throw error(k_text);
}

/// Issues one more in scope s.
void child(unsigned s, draws& d, unsigned depth) {
  --all.left;
  ++all.scopes[s].issued;
  const std::uint64_t key = d.next();
  const core_id to = d.below(cores());
  const auto subtree = [s, key, depth] {
    const ending end{s};
    work(s, key, depth);
  };
  switch (d.below(13)) {
    case 0:
      return async_on(to, [s] { const ending end{s}; });
    case 1:
      return async_on(to, [subtree] { spawn(subtree); });
    case 2:
      return spawn_on(to, subtree);
    case 3:
      return spawn(subtree);
    case 4:
      return spawn_stealable(subtree);
    case 5: {
      const core_id at = call_on(to, [s] {
        const ending end{s};
        return here();
      });
      return complain_unless(at == to, "completion: a call to core {} was answered by {}", to, at);
    }
    case 6:
      closed(key, depth);
      ++all.scopes[s].ended;
      return;
    case 7:
      return spawn_on(to, [s, key, depth] {
        const ending end{s};
        closed(key, depth);
      });
    case 8:
      return on_core(to, subtree);
    case 9:
      return async_on(to, [subtree] { message::start_counted(subtree); });
    case 10: {
      const std::vector<std::byte> data(d.below(d.one_in(4) ? 20'000 : 300));
      return async_on(
          to,
          [s, size = data.size()](std::span<const std::byte> got) {
            const ending end{s};
            complain_unless(got.size() == size, "completion: {} of {} bytes have come", got.size(), size);
          },
          data);
    }
    case 11:
      return async_on(to, [s, throws = d.one_in(4)] {
        const ending end{s};
        if (throws) throw_from(s);
      });
    default:
      start(subtree).join();
  }
}

void work(unsigned s, std::uint64_t key, unsigned depth) {
  draws d(key);
  dawdle(d);
  const unsigned children = depth == 0 ? 0 : 1 + d.below(4);
  for (unsigned i = 0; i < children && all.left != 0; ++i) {
    child(s, d, depth - 1);
    if (d.one_in(8)) yield();
  }
  if (d.one_in(50)) throw_from(s);
}

void run(draws& d) {
  all.scopes.clear();
  for (unsigned round = 1 + d.below(2); round > 0; --round) {
    all.left = 60;
    closed(d.next(), 4);
    all.left = 100;
    if (d.one_in(2)) on_all_cores([key = d.next()] { closed(hash64(key, here()), 3); });
  }
}

void check() {
  for (const scope& s : all.scopes)
    complain_unless(s.over && s.ended == s.issued, "completion: {} of {} in a scope have ended", s.ended,
                    s.issued);
}

}  // namespace

const protocol completion{"completion", nullptr, &run, &check};

}  // namespace gossamer::test
