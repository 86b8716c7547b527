#pragma once
// Bounds the requests of one call that are under way together. They are issued in batches, each under a
// completion of its own; at most k_batches batches are under way. So a call for many keys waits for the
// answers to the oldest batch while the requests of later ones are under way. One call of one fiber owns the
// window: it is not a queue between fibers.
//
//   issue_batch: waits for the oldest batch if the window is full, passes its answers on, issues the next
//                batch in its place
//   finish:      waits for all batches, the oldest first

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/base/units.hpp"
#include "gossamer/message/completion.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::combining {

/// Entry: a request, and the place of its answer. Its address stays in use until the batch has completed.
template <class Entry>
class request_window {
 public:
  class batch {
   public:
    explicit batch(message::endpoint& self) : done_(self) {}
    /// Adds a request for key `k`, and returns its entry. The memory is reserved.
    Entry& add(std::size_t k, const Entry& e) {
      keys_.push_back(k);
      return entries_.emplace_back(e);
    }

   private:
    friend class request_window;
    message::completion done_;
    std::vector<Entry> entries_;
    std::vector<std::size_t> keys_;
  };

  /// Makes a window for a call with `keys` keys, of a fiber of `self`.
  request_window(message::endpoint& self, std::size_t keys) : self_(self) {
    // A batch has several keys for each owner, so that packets are filled. All batches together fit a cache.
    constexpr std::size_t k_least = 1024, k_for_each_owner = 64, k_most_bytes = 4 << 20;
    constexpr std::size_t k_most_keys = std::max<std::size_t>(1, k_most_bytes / k_batches / sizeof(Entry));
    batch_keys_ = std::max(k_least, std::min<std::size_t>(k_most_keys, k_for_each_owner * cores()));
    const std::size_t wanted =
        std::clamp<std::size_t>(k_most_bytes / (batch_keys_ * sizeof(Entry)), 1, k_batches);
    const std::size_t batches = std::min(wanted, (keys + batch_keys_ - 1) / batch_keys_);
    for (std::size_t p = 0; p < batches; ++p) {
      all_.push_back(std::make_unique<batch>(self));
      all_[p]->entries_.reserve(std::min(batch_keys_, keys));
      all_[p]->keys_.reserve(std::min(batch_keys_, keys));
    }
  }
  request_window(const request_window&) = delete;
  request_window& operator=(const request_window&) = delete;
  /// Waits, after an exception, for what is under way: answers are written into the batches.
  ~request_window() {
    for (; first_ < next_; ++first_) {
      try {
        wait(oldest());
      } catch (...) {  // NOLINT(bugprone-empty-catch): an earlier exception is being thrown
      }
    }
  }

  /// Returns the maximum number of keys of a batch.
  std::size_t batch_keys() const { return batch_keys_; }

  /// Calls ask(batch), which adds and issues at most batch_keys() requests. Calls answer(key, outcome) for
  /// the answers of an older batch.
  template <class Ask, class Answer>
  void issue_batch(Ask ask, const Answer& answer) {
    if (next_ - first_ == all_.size()) take_oldest(answer);
    batch& p = *all_[next_++ % all_.size()];
    void* const outer = self_.local();
    self_.set_local(&p.done_);
    try {
      ask(p);
    } catch (...) {
      self_.set_local(outer);
      throw;
    }
    self_.set_local(outer);
  }
  /// Calls answer(key, outcome) for all remaining answers.
  template <class Answer>
  void finish(const Answer& answer) {
    while (first_ < next_) take_oldest(answer);
  }

 private:
  static constexpr std::size_t k_batches = 8;

  batch& oldest() { return *all_[first_ % all_.size()]; }
  void wait(batch& p) {
    self_.flush();
    p.done_.wait();
  }
  template <class Answer>
  void take_oldest(const Answer& answer) {
    batch& p = oldest();
    wait(p);  // if it throws, the destructor waits for the batch again, and finds it complete
    ++first_;
    for (std::size_t a = 0; a < p.entries_.size(); ++a) answer(p.keys_[a], p.entries_[a].answer());
    p.entries_.clear();
    p.keys_.clear();
  }

  message::endpoint& self_;
  std::size_t batch_keys_ = 0;
  std::vector<std::unique_ptr<batch>> all_;
  std::size_t first_ = 0, next_ = 0;  // batches under way: [first_, next_)
};

}  // namespace gossamer::combining
