// gossamer structures: requests to a stack.

#include "gossamer/combining/stack.hpp"
#include "gossamer/kernels/internal/structure_sequences.hpp"

namespace gossamer::kernels {
namespace {

template <class Value>
struct stack_ends {
  static void put(stack<Value> at, const Value& v) { at.push(v); }
  static void put_all(stack<Value> at, std::span<const Value> all) { at.push_all(all); }
  static std::size_t take_some(stack<Value> at, std::span<Value> into) { return at.pop_some(into); }
  static std::optional<Value> take(stack<Value> at) { return at.pop(); }
};

}  // namespace

structure_result ask_stack(const structure_work& w) {
  return with_payload(w, [&]<std::uint64_t Bytes>() {
    using value = payload<Bytes>;
    return ask_sequence<scoped_stack<value>, value, stack_ends<value>>(w);
  });
}

}  // namespace gossamer::kernels
