#include "gossamer/combining/engine/internal/range_store.hpp"

#include <exception>

#include "gossamer/message/visit.hpp"

namespace gossamer::combining {

void range_store::next_chunk() {
  if (!spare_.empty()) {
    current_ = spare_.back();
    spare_.pop_back();
    current_->used = 0;
    return;
  }
  auto& heap = memory::partition::here().heap();
  void* const memory = heap.allocate(bytes(), alignof(chunk));
  auto* const made = new (memory) chunk;
  made->home = this;
  made->number = static_cast<std::uint32_t>(all_.size());
  try {
    all_.push_back(made);
  } catch (...) {
    heap.deallocate(memory, bytes(), alignof(chunk));
    throw;
  }
  current_ = made;
}

void range_store::put_all(std::vector<value_range>& ranges, const std::byte* values, std::size_t count) {
  GOSSAMER_ASSERT(ranges.empty(), "values are put in together, or one by one");
  try {
    while (count > 0) {
      make_room(ranges);
      const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(count, capacity_ - current_->used));
      append(ranges.back(), values, part);
      values += part * value_bytes_;
      count -= part;
    }
  } catch (...) {
    forget(ranges);
    throw;
  }
}

void range_store::empty(chunk& c) {
  if (&c == current_) {
    c.used = 0;
  } else if (spare_.size() < k_spare) {
    spare_.push_back(&c);
  } else {
    free(&c);
  }
}

void range_store::free(chunk* c) {
  all_.back()->number = c->number;
  all_[c->number] = all_.back();
  all_.pop_back();
  memory::partition::here().heap().deallocate(c, bytes(), alignof(chunk));
}

void range_store::copy(const value_range& r, std::byte* into) const {
  auto& self = message::endpoint::here();
  const std::size_t bytes = r.count * value_bytes_;
  const std::byte* const from = r.in.address()->values() + r.begin * value_bytes_;
  if (self.is_local(r.in.owner())) {
    std::memcpy(into, from, bytes);
    self.count().work_ns += bytes / 16;
  } else {
    memory::fetch(r.in.owner(), from, {into, bytes});
  }
}

void range_store::done(const value_range& r) {
  auto& self = message::endpoint::here();
  if (r.in.owner() == self.id()) return give_back(*r.in.address(), r.count);
  void* const outer = self.local();
  self.set_local(&*taken_);
  self.issue(r.in.owner(), taken_record{r.in.address(), r.count});
  self.set_local(outer);
}

void range_store::take(std::span<const value_range> ranges, std::byte* into) {
  auto& self = message::endpoint::here();
  const auto copy_all = [&] {
    for (const value_range& r : ranges) {
      copy(r, into);
      into += r.count * value_bytes_;
    }
  };
  if (std::all_of(ranges.begin(), ranges.end(), [&](const auto& r) { return self.is_local(r.in.owner()); })) {
    copy_all();
  } else {
    std::exception_ptr failed;
    try {
      message::wait_for_all([&] {
        copy_all();
        self.request_flush();
      });
    } catch (...) {
      failed = std::current_exception();
    }
    if (failed) {
      drop(ranges);  // returns the memory: no other core will
      std::rethrow_exception(failed);
    }
  }
  drop(ranges);
}

void range_store::settle() {
  message::endpoint::here().flush();
  taken_->wait();
}

void range_store::close() {
  while (!all_.empty()) free(all_.back());
  staged_.clear();
  returned_ = 0;
  taken_.reset();
}

}  // namespace gossamer::combining
