#pragma once
// One T per process, at the same address in all processes, so that messages can carry a handle of it; and
// bulk exchanges between processes.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/refuse_copy.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer {

/// A handle of one T per process. Trivially copyable.
template <class T>
class per_process {
 public:
  /// Returns this process's object.
  T& here() const { return *value_; }

 protected:
  T* value_ = nullptr;  // at the same address in every process
};

/// Owns one T{} in every process. Made and destroyed by any one fiber; suspends.
template <class T>
class scoped_per_process : public per_process<T> {
 public:
  scoped_per_process() {
    if (processes() == 1) {
      this->value_ = new T{};
      return;
    }
    region_ = memory::symmetric_region(sizeof(T));
    this->value_ = reinterpret_cast<T*>(region_.data());
    message::at_every_process([at = this->value_] { new (static_cast<void*>(at)) T{}; });
  }
  /// Does not compile: capture handle().
  scoped_per_process(const scoped_per_process&) : scoped_per_process() { refuse_copy<scoped_per_process>(); }
  scoped_per_process& operator=(const scoped_per_process&) = delete;
  ~scoped_per_process() {
    if (region_.data() == nullptr)  // of one process
      delete this->value_;
    else if (region_.is_in_job())
      message::at_every_process([at = this->value_] { std::destroy_at(at); });
  }
  /// Returns the handle to capture.
  per_process<T> handle() const { return *this; }

 private:
  memory::symmetric_region region_;
};

/// Returns copies of the spans f(object) of all cores, by core. f returns something that converts to std::span<const U>,
/// where U is trivially copyable. The elements must not change meanwhile. By one fiber; suspends.
template <class U, class T, class F>
std::vector<std::vector<U>> collect_spans(const per_core<T>& from, F f) {
  static_assert(std::is_trivially_copyable_v<U>);
  struct place {
    const U* data;
    std::uint64_t size;
  };
  const auto places = collect(from, [f](T& slot) mutable {
    const std::span<const U> chunk = f(slot);
    return place{chunk.data(), chunk.size()};
  });
  std::vector<std::vector<U>> all(cores());
  message::wait_for_all([&] {
    for (core_id c = 0; c < cores(); ++c) {
      const place p = places[c];
      if (message::endpoint::here().is_local(c)) {
        all[c].assign(p.data, p.data + p.size);
      } else {
        all[c].resize(p.size);
        memory::fetch(c, reinterpret_cast<const std::byte*>(p.data),
                      std::as_writable_bytes(std::span(all[c])));
      }
    }
  });
  return all;
}

namespace parallel {
/// The tag of collectives between processes.
inline constexpr message_tag k_exchange_tag = tag_in(0xfffe, 0);
}  // namespace parallel

/// Sends chunks[p] to process p, and returns the chunks of all processes, including this one, for this
/// process, by process. Collective over the processes: one fiber of each calls it, on the first core (inside
/// on_all_processes()). U is trivially copyable. Suspends. Every byte is copied into a packet once, and out
/// of it once.
template <class U>
std::vector<std::vector<U>> exchange(std::vector<std::vector<U>> chunks) {
  static_assert(std::is_trivially_copyable_v<U>);
  GOSSAMER_ASSERT(chunks.size() == processes());
  if (processes() == 1) return chunks;
  GOSSAMER_ASSERT(here() == first_core(process()), "exchange() is for the first core of each process");
  std::vector<std::vector<U>> all(processes());
  std::vector<request> sends(processes());
  std::vector<std::uint64_t> sizes(processes());
  for (unsigned p = 0; p < processes(); ++p) {
    sizes[p] = chunks[p].size();
    if (p == process()) continue;
    message::send_value(first_core(p), parallel::k_exchange_tag, sizes[p]);
    if (sizes[p] != 0)
      message::isend(sends[p], first_core(p), parallel::k_exchange_tag,
                     std::as_bytes(std::span<const U>(chunks[p])));
  }
  for (unsigned step = 1; step < processes(); ++step) {
    const unsigned p = (process() + step) % processes();
    all[p].resize(message::receive_value<std::uint64_t>(first_core(p), parallel::k_exchange_tag));
    if (!all[p].empty())
      (void)message::receive(first_core(p), parallel::k_exchange_tag,
                             std::as_writable_bytes(std::span<U>(all[p])));
  }
  for (request& r : sends)
    if (!r.idle()) r.wait();
  all[process()] = std::move(chunks[process()]);
  return all;
}

/// Returns the value of every process, in order. Collective over the processes, one fiber of each.
template <class U>
std::vector<U> all_gather_processes(const U& mine) {
  std::vector<std::vector<U>> chunks(processes(), std::vector<U>{mine});
  std::vector<U> all;
  for (const auto& chunk : exchange(std::move(chunks))) all.push_back(chunk.front());
  return all;
}

/// Copies a string or vector of process 0 to every process. Collective over the processes, one fiber of each.
template <class Values>
void share_values(Values& mine) {
  std::vector<std::vector<typename Values::value_type>> chunks(processes());
  if (process() == 0)
    for (auto& chunk : chunks) chunk.assign(mine.begin(), mine.end());
  const auto got = exchange(std::move(chunks));
  mine.assign(got[0].begin(), got[0].end());
}

/// Copies a text of process 0 to all processes. By the main fiber; suspends.
template <class T>
void share_text(per_process<T> state, std::string T::* text) {
  on_all_processes([state, text] { share_values(state.here().*text); });
}

}  // namespace gossamer
