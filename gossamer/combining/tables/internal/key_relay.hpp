#pragma once
// Questions for keys of other processes, merged by process: with combine::master and both they go to a core
// of their own process first, the relay of the key, where those of all its cores for one key become one. A
// relay asks for a batch at a time; what comes meanwhile is the next batch.
//
//   asker: leave -> relay: gather | join all, ask the owners, take -> asker: came
//
// Inside a process nothing is copied: the relay reads the question where it waits and writes the answer
// there; the messages between the two order that. Questions are linked, so a handler needs no memory for
// them.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "gossamer/combining/engine/internal/awaited.hpp"
#include "gossamer/combining/tables/internal/key_parts.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::combining {

/// A question on its way through a relay. Its asker waits for it, so it stays where it is.
template <class Key, class Value>
class relayed_question {
 public:
  virtual ~relayed_question() = default;
  /// At the asker, afterwards: throws what kept it from its answer.
  void check() const {
    if (error_) std::rethrow_exception(error_);
  }

 protected:
  explicit relayed_question(std::uint64_t hash) : hash_(hash) {}
  /// Merges it with the others.
  virtual void join(key_parts<Key, Value>& all) = 0;
  /// Its answer is among those of all.
  virtual void take(key_parts<Key, Value>& all) = 0;

  std::uint64_t hash_;
  std::uint32_t index_ = 0;
  bool first_ = false;
  core_id from_ = here();
  awaited* answers_ = nullptr;

 private:
  friend class key_relay<Key, Value>;
  relayed_question* next_ = nullptr;
  std::exception_ptr error_;
};

/// Of keys of one process few relays each, of few processes all, so that its packets are well filled.
inline core_id relay_of(std::uint64_t hash) {
  const unsigned team = cores_per_process(), each = std::max(1U, team / processes());
  const unsigned number = process_of(owner_of(hash)) * each + static_cast<unsigned>((hash >> 46) % each);
  return static_cast<core_id>(first_core(process()) + number % team);
}

template <class Key, class Value>
struct relay_record {
  key_relay<Key, Value>* at;
  relayed_question<Key, Value>* what;
  void operator()(const message::dispatch&) const { at->gather(*what); }
};

template <class Key, class Value, class Verb>
class relayed final : public relayed_question<Key, Value> {
 public:
  relayed(std::uint64_t hash, wanted<Key, Value, Verb>& w) : relayed_question<Key, Value>(hash), w_(&w) {}

  /// Sends it on its way; one of `answers`.
  void leave(per_core<key_relay<Key, Value>> relays, awaited& answers) {
    auto& self = message::endpoint::here();
    this->answers_ = &answers;
    answers.expect(1);
    const core_id relay = relay_of(this->hash_);
    if (relay == self.id()) return relays.here().gather(*this);
    ++self.count().combine_messages;
    self.count().combine_bytes += sizeof(relay_record<Key, Value>);
    self.issue_uncounted(relay, relay_record<Key, Value>{relays.address(relay), this});
  }

 private:
  void join(key_parts<Key, Value>& all) override {
    auto& mine = all.template of<Verb>();
    const auto [index, first] = mine.add(this->hash_, w_->key, w_->sent);
    if (!first) Verb::merge(mine[index].sent, w_->sent);
    this->index_ = index;
    this->first_ = first;
  }
  void take(key_parts<Key, Value>& all) override {
    const auto& mine = all.template of<Verb>()[this->index_];
    if (mine.done == result::no_memory || this->first_ || Verb::k_shared)
      w_->answered(mine.answer());
    else
      w_->done = result::no;
  }

  wanted<Key, Value, Verb>* w_;
};

/// One core's.
template <class Key, class Value>
class key_relay {
  using question = relayed_question<Key, Value>;

 public:
  /// From a fiber of the core; `to` says where the owners' tables are.
  void open(const owners<Key, Value>& to) {
    to_ = to;
    to_.relayed = false;  // from here on
    keeper_ = parallel::core::here().start(&run, this, "combining: a relay", fiber::stack_class::regular);
    if (keeper_ == nullptr) parallel::core::here().refuse(fiber::stack_class::regular);
  }
  void close() {
    if (keeper_ == nullptr) return;
    auto& self = *fiber::scheduler::current();
    closer_ = self.running();
    if (std::exchange(asleep_, false)) self.wake(*keeper_);
    self.suspend("the end of a structure");
  }
  void gather(question& q) {
    q.next_ = std::exchange(waiting_, &q);
    if (std::exchange(asleep_, false)) fiber::scheduler::current()->wake(*keeper_);
  }

 private:
  static void run(void* self) { static_cast<key_relay*>(self)->keep(); }
  void keep() {
    auto& self = parallel::core::here();
    while (closer_ == nullptr) {
      if (waiting_ == nullptr) {
        asleep_ = true;
        self.suspend("questions to relay");
        continue;
      }
      question* const all = std::exchange(waiting_, nullptr);
      std::exception_ptr error;
      try {
        for (question* q = all; q != nullptr; q = q->next_) q->join(merged_);
        merged_.commit(to_);
      } catch (...) {
        error = std::current_exception();
      }
      answer(self, all, error);
      merged_.clear();
      self.yield();  // others go on first, and ask again
    }
    self.wake(*closer_);
  }
  /// Neighbours in the list mostly wait together: one message for each run of them.
  void answer(parallel::core& self, question* q, const std::exception_ptr& error) {
    self.hurry();
    while (q != nullptr) {
      awaited* const answers = q->answers_;
      const core_id from = q->from_;
      std::uint32_t n = 0;
      for (; q != nullptr && q->answers_ == answers; q = q->next_, ++n) {
        if (error)
          q->error_ = error;
        else
          q->take(merged_);
      }
      if (from == self.id())
        answers->came(n);
      else
        self.issue_uncounted(from, came_record{answers, n});
    }
  }

  owners<Key, Value> to_;
  key_parts<Key, Value> merged_;
  question* waiting_ = nullptr;
  fiber::fiber* keeper_ = nullptr;
  fiber::fiber* closer_ = nullptr;
  bool asleep_ = false;
};

}  // namespace gossamer::combining
