#pragma once
// A non-owning reference to something callable: two words, no allocation, one indirect call.
// For parameters that are called before the function returns. It does not keep the callable alive:
// never store one beyond the call that received it.

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace gossamer {

template <class Signature>
class function_ref;

template <class Result, class... Args>
class function_ref<Result(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref> &&
             std::is_invocable_r_v<Result, F&, Args...> && !std::is_function_v<std::remove_reference_t<F>>)
  function_ref(F&& callable) noexcept  // implicit: a lambda passes for a function_ref
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_(&call_object<std::remove_reference_t<F>>) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  template <class F>
  static Result call_object(void* object, Args... args) {  // NOLINT(performance-unnecessary-value-param)
    if constexpr (std::is_void_v<Result>)
      std::invoke(*static_cast<F*>(object), std::forward<Args>(args)...);
    else
      return std::invoke(*static_cast<F*>(object), std::forward<Args>(args)...);
  }

  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace gossamer
