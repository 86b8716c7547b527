#pragma once
// Litmus tests of program order over several structures: a few fibers make a few operations each, and some outcomes fit
// no order of all operations that keeps the order of each fiber. Each core runs parts of many of these tests at once,
// so that their requests merge. What is linearizable never shows such an outcome, whatever the structures are:
// linearizability is local (Herlihy, Wing, TOPLAS 1990).
//
//   message passing   A: x = 1, y = 1 | B: y is 1, x is 0
//   store buffering   A: x = 1, y is 0 | B: y = 1, x is 0
//   independent reads A: x = 1 | B: y = 1 | C: x is 1, y is 0 | D: y is 1, x is 0

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "combining/histories.hpp"
#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"

namespace gossamer::test {

/// The structures of all tests of a job. Trivially copyable.
struct litmus_structures {
  hash_set<std::uint64_t> x, y;
  hash_map<std::uint64_t, std::uint64_t> map;
  queue<std::uint64_t> through_queue;
  stack<std::uint64_t> through_stack;
  counter arrivals;
};

/// What the fibers of one round saw; written by one fiber each, outside of the job's memory.
struct litmus_round {
  std::uint8_t writer_a = 0, writer_b = 0;  // store buffering: was the other one's key there?
  std::array<std::uint8_t, 2> reader_c{}, reader_d{};  // independent reads, in the order of reading
  std::string message;  // what a reader of a message missed
};

class litmus {
 public:
  static constexpr unsigned k_roles = 6;

  litmus(const litmus_structures& at, std::vector<litmus_round>* rounds) : at_(at), rounds_(rounds) {}

  /// Plays one of k_roles parts of a round.
  void play(unsigned round, unsigned role) const {
    litmus_round& saw = (*rounds_)[round];
    const std::uint64_t key = round;
    switch (role) {
      case 0:
        at_.x.insert(key);
        saw.writer_a = at_.y.contains(key);
        break;
      case 1:
        at_.y.insert(key);
        saw.writer_b = at_.x.contains(key);
        break;
      case 2:
        saw.reader_c = {at_.x.contains(key), at_.y.contains(key)};
        break;
      case 3:
        saw.reader_d = {at_.y.contains(key), at_.x.contains(key)};
        break;
      case 4:
        send(k_first_message + key);
        break;
      default:
        receive(saw);
    }
  }

 private:
  static constexpr std::uint64_t k_first_message = 1000;
  static constexpr unsigned k_looks = 4;

  /// Sends messages in turn through a queue, a stack and a counter.
  void send(std::uint64_t key) const {
    const std::array keys{key};
    key % 2 == 0 ? (void)at_.x.insert(key) : at_.x.insert_all(keys);
    at_.map.insert_or_assign(key, key + 1);
    if (key % 3 == 0)
      at_.through_queue.enqueue(key);
    else if (key % 3 == 1)
      at_.through_stack.push(key);
    else
      at_.arrivals.fetch_add(1);
  }
  void receive(litmus_round& saw) const {
    for (unsigned look = 0; look < k_looks; ++look) {
      if (const auto key = at_.through_queue.dequeue()) expect(*key, "queue", saw);
      if (const auto key = at_.through_stack.pop()) expect(*key, "stack", saw);
      count(saw);
    }
  }
  void expect(std::uint64_t key, const char* through, litmus_round& saw) const {
    const bool in_set = at_.x.contains(key), in_map = at_.map.lookup(key) == key + 1;
    if (!in_set || !in_map)
      saw.message = std::to_string(key) + " came through the " + through + " before it was in the " +
                    (in_set ? "map" : "set");
  }
  /// Compares the count with the keys whose writers count: at least as many are there.
  void count(litmus_round& saw) const {
    const auto counted = static_cast<std::uint64_t>(at_.arrivals.read());
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = k_first_message; key < k_first_message + rounds_->size(); ++key)
      if (key % 3 == 2) keys.push_back(key);
    std::vector<std::optional<std::uint64_t>> found(keys.size());
    at_.map.lookup_all(keys, found);
    std::uint64_t there = 0;
    for (const auto& value : found) there += value.has_value();
    if (there < counted)
      saw.message =
          std::to_string(counted) + " were counted, and " + std::to_string(there) + " are in the map";
  }

  litmus_structures at_;
  std::vector<litmus_round>* rounds_;
};

/// Runs `rounds` rounds of every test at once, roles on cores as the seed says. Returns what contradicts program
/// order, one line, or nothing.
inline std::string litmus_contradiction(const job_options& o, combine where, std::uint64_t seed,
                                        unsigned rounds, lookups from = lookups::at_owner) {
  const auto saw = std::make_unique<std::vector<litmus_round>>(rounds);
  run(o, [&] {
    const scoped_hash_set<std::uint64_t> x(where, from), y(where, from);
    const scoped_hash_map<std::uint64_t, std::uint64_t> map(where, from);
    const scoped_queue<std::uint64_t> through_queue(where);
    const scoped_stack<std::uint64_t> through_stack(where);
    const scoped_counter arrivals(where);
    const litmus all({x.handle(), y.handle(), map.handle(), through_queue.handle(), through_stack.handle(),
                      arrivals.handle()},
                     saw.get());
    on_all_cores([all, seed, rounds] {
      in_fibers(rounds * litmus::k_roles, [=](unsigned part) {
        if (hash64(seed, part) % cores() == here()) all.play(part / litmus::k_roles, part % litmus::k_roles);
      });
    });
  });
  for (unsigned k = 0; k < rounds; ++k) {
    const litmus_round& round = (*saw)[k];
    const std::string in = "round " + std::to_string(k) + ": ";
    if (!round.message.empty()) return in + round.message;
    if (round.writer_a == 0 && round.writer_b == 0) return in + "neither writer found the other one's key";
    if (round.reader_c == std::array<std::uint8_t, 2>{1, 0} &&
        round.reader_d == std::array<std::uint8_t, 2>{1, 0})
      return in + "two readers saw the writers in different orders";
  }
  return {};
}

}  // namespace gossamer::test
