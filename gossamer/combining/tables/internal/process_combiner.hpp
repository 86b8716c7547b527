#pragma once
// Merges requests for keys of other processes, per process. With combine::home and both, questions go first
// to a core of their own process, the process combiner of the key; with automatic only if route_choice
// decides so. There the questions of all cores of the process for one key merge. It sends a batch at a time;
// questions that arrive meanwhile form the next batch.
//
//   asking core: leave -> process combiner: gather | join all, ask owners, take -> asking core: count_down
//
// Inside a process nothing is copied: the process combiner reads the question in place and writes the answer
// there; the two messages order these accesses. Questions form a linked list, so a handler allocates no
// memory for them.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

#include "gossamer/base/bits.hpp"
#include "gossamer/combining/engine/internal/latch.hpp"
#include "gossamer/combining/engine/internal/server_fiber.hpp"
#include "gossamer/combining/tables/internal/key_parts.hpp"
#include "gossamer/combining/tables/internal/route_choice.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer::combining {

/// A question on its way through a process combiner. The fiber that sent it waits, so its address stays
/// valid.
template <class Key, class Value>
class combined_request {
 public:
  virtual ~combined_request() = default;
  /// Rethrows the error that prevented an answer, if any. Called on the asking core, afterwards.
  void check() const {
    if (error_) std::rethrow_exception(error_);
  }
  /// Returns whether it was sent to the owner; otherwise it merged with another. Called on the asking core,
  /// afterwards.
  bool sent_on() const { return first_; }

 protected:
  explicit combined_request(std::uint64_t hash) : hash_(hash) {}
  /// Merges the question into `all`.
  virtual void join(key_parts<Key, Value>& all) = 0;
  /// Copies its answer from `all`.
  virtual void take(key_parts<Key, Value>& all) = 0;

  std::uint64_t hash_;
  std::uint32_t index_ = 0;
  bool first_ = false;
  core_id from_ = here();
  latch* answers_ = nullptr;

 private:
  friend class process_combiner<Key, Value>;
  combined_request* next_ = nullptr;
  std::exception_ptr error_;
};

/// Returns the core of this process that combines requests for the key. Keys of one owning process have
/// cores_per_process() / processes() such cores, at least one, so that packets are well filled.
inline core_id process_combiner_of(std::uint64_t hash) {
  const unsigned team = cores_per_process(), each = std::max(1U, team / processes());
  const unsigned number = process_of(owner_of(hash)) * each + static_cast<unsigned>((hash >> 46) % each);
  return static_cast<core_id>(first_core(process()) + number % team);
}

template <class Key, class Value>
struct process_combiner_record {
  process_combiner<Key, Value>* at;
  combined_request<Key, Value>* what;
  void operator()(const message::dispatch&) const { at->gather(*what); }
};

template <class Key, class Value, class Operation>
class combined_request_of final : public combined_request<Key, Value> {
 public:
  combined_request_of(std::uint64_t hash, pending_request<Key, Value, Operation>& w)
      : combined_request<Key, Value>(hash), w_(&w) {}

  /// Sends the question to its process combiner. `answers` counts its answer.
  void leave(per_core<process_combiner<Key, Value>> process_combiners, latch& answers) {
    auto& self = message::endpoint::here();
    this->answers_ = &answers;
    answers.expect(1);
    const core_id combiner = process_combiner_of(this->hash_);
    if (combiner == self.id()) return process_combiners.here().gather(*this);
    ++self.count().combine_messages;
    self.count().combine_bytes += sizeof(process_combiner_record<Key, Value>);
    self.issue_uncounted(combiner,
                         process_combiner_record<Key, Value>{process_combiners.address(combiner), this});
  }

 private:
  void join(key_parts<Key, Value>& all) override {
    auto& mine = all.template of<Operation>();
    const auto [index, first] = mine.add(this->hash_, w_->key, w_->sent);
    if (!first) Operation::merge(mine[index].sent, w_->sent);
    this->index_ = index;
    this->first_ = first;
  }
  void take(key_parts<Key, Value>& all) override {
    const auto& mine = all.template of<Operation>()[this->index_];
    if (mine.done == result::no_memory || this->first_ || Operation::k_shared)
      w_->answered(mine.answer());
    else
      w_->done = result::no;
  }

  pending_request<Key, Value, Operation>* w_;
};

/// The process combiner on one core.
template <class Key, class Value>
class process_combiner {
  using question = combined_request<Key, Value>;

 public:
  /// Starts the server fiber. Called by a fiber of the core; `to` has the locations of the owners' tables.
  void open(const owners<Key, Value>& to) {
    if (!try_open(to)) parallel::core::here().refuse(fiber::stack_class::regular);
  }
  /// Does the same. Returns false if there is no free fiber.
  bool try_open(const owners<Key, Value>& to) {
    to_ = to;
    to_.combines_by_process = to_.chooses_route = false;  // process combiners ask owners directly
    choice_ = route_choice(processes(), cores_per_process());
    first_ = to.process_combiners.address(first_core(process()));
    return server_.start<&process_combiner::serve>(this, "combining: of a process");
  }
  bool is_open() const { return server_.started(); }
  void close() { server_.close(); }
  void gather(question& q) {
    q.next_ = std::exchange(waiting_, &q);
    server_.notify();
  }

  /// Decides whether a commit of this core goes through process combiners, given the numbers of its requests
  /// and questions.
  bool chooses_combiners(std::uint64_t requests, std::uint64_t questions) {
    if (const auto trials = first_->trials_.load(std::memory_order_relaxed); trials != trials_seen_) {
      trials_seen_ = trials;
      choice_.begin_trial();
    }
    choice_.observe(requests, questions);
    if (choice_.wants_trial()) first_->trials_.fetch_add(1, std::memory_order_relaxed);
    return choice_.combines();
  }
  void learn(const combined_answers& of) { choice_.observe_answers(of.questions, of.sent_on); }

 private:
  void serve() {
    auto& self = parallel::core::here();
    while (server_.next([this] { return waiting_ != nullptr; }, "requests to combine for this process")) {
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
      self.yield();  // others proceed first, and send further requests
    }
  }
  /// Answers the questions of a list. Questions of one core are mostly adjacent: one message goes to each run
  /// of them.
  void answer(parallel::core& self, question* q, const std::exception_ptr& error) {
    self.request_flush();
    while (q != nullptr) {
      latch* const answers = q->answers_;
      const core_id from = q->from_;
      std::uint32_t n = 0;
      for (; q != nullptr && q->answers_ == answers; q = q->next_, ++n) {
        if (error)
          q->error_ = error;
        else
          q->take(merged_);
      }
      if (from == self.id())
        answers->count_down(n);
      else
        self.issue_uncounted(from, count_down_record{answers, n});
    }
  }

  owners<Key, Value> to_;
  key_parts<Key, Value> merged_;
  question* waiting_ = nullptr;
  server_fiber server_;

  // Chooses the route of this core's own questions.
  route_choice choice_;
  process_combiner* first_ = nullptr;  // that of the first core of the process
  std::uint32_t trials_seen_ = 0;
  // The number of trials requested by cores of this process, stored at the first core. Other cores increment
  // it, and poll it for changes. No other data depends on it, so relaxed ordering suffices.
  alignas(k_line_bytes) std::atomic<std::uint32_t> trials_{0};
};

}  // namespace gossamer::combining
