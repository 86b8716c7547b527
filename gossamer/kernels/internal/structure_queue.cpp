// gossamer structures: requests to a queue.

#include "gossamer/combining/queue.hpp"
#include "gossamer/kernels/internal/structure_sequences.hpp"

namespace gossamer::kernels {
namespace {

template <class Value>
struct queue_ends {
  static void put(queue<Value> at, const Value& v) { at.enqueue(v); }
  static void put_all(queue<Value> at, std::span<const Value> all) { at.enqueue_all(all); }
  static std::size_t take_some(queue<Value> at, std::span<Value> into) { return at.dequeue_some(into); }
  static std::optional<Value> take(queue<Value> at) { return at.dequeue(); }
};

}  // namespace

structure_result ask_queue(const structure_work& w) {
  return with_payload(w, [&]<std::uint64_t Bytes>() {
    using value = payload<Bytes>;
    return ask_sequence<scoped_queue<value>, value, queue_ends<value>>(w);
  });
}

}  // namespace gossamer::kernels
