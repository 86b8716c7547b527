#pragma once
// The times at which contexts continue: a heap of (time, number) with the position of every number, so that
// times can be changed. Equal times are ordered by number.

#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer::simulation {

class event_queue {
 public:
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  /// Adds an entry with the next number. Its time is `never` until it is set.
  void add() {
    heap_.push_back({k_never, static_cast<unsigned>(heap_.size())});
    places_.push_back(heap_.size() - 1);  // `never` is the latest time, and this number the largest
  }
  std::size_t size() const { return heap_.size(); }

  /// Returns the number of the earliest entry. Not if empty.
  unsigned first() const { return heap_[0].number; }
  std::uint64_t earliest() const { return heap_.empty() ? k_never : heap_[0].time; }
  std::uint64_t of(unsigned number) const { return heap_[places_[number]].time; }

  void set(unsigned number, std::uint64_t time) {
    std::size_t at = places_[number];
    const entry e{time, number};
    if (time < heap_[at].time) {
      for (std::size_t up; at > 0 && e.before(heap_[up = (at - 1) / 2]); at = up) put(at, heap_[up]);
    } else {
      for (std::size_t down; (down = earlier_child(at)) < heap_.size() && heap_[down].before(e); at = down)
        put(at, heap_[down]);
    }
    put(at, e);
  }

 private:
  struct entry {
    std::uint64_t time;
    unsigned number;
    bool before(const entry& other) const {
      return time != other.time ? time < other.time : number < other.number;
    }
  };

  void put(std::size_t at, const entry& e) {
    heap_[at] = e;
    places_[e.number] = at;
  }
  std::size_t earlier_child(std::size_t at) const {
    const std::size_t child = 2 * at + 1;
    return child + 1 < heap_.size() && heap_[child + 1].before(heap_[child]) ? child + 1 : child;
  }

  std::vector<entry> heap_;
  std::vector<std::size_t> places_;  // by number
};

}  // namespace gossamer::simulation
