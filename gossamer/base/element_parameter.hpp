#pragma once
// Detects how a function object takes the elements of an array. A function that takes an element by value changes a copy,
// silently, so loops and async() refuse it.

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace gossamer::detail {

/// The parameters of a function object's operator(), as a tuple of their types.
template <class Signature>
struct parameters_of {
  using type = std::tuple<>;  // not known
};
// clang-format off
template <class R, class C, class... A> struct parameters_of<R (C::*)(A...)> { using type = std::tuple<A...>; };
template <class R, class C, class... A> struct parameters_of<R (C::*)(A...) const> { using type = std::tuple<A...>; };
template <class R, class C, class... A> struct parameters_of<R (C::*)(A...) noexcept> { using type = std::tuple<A...>; };
template <class R, class C, class... A> struct parameters_of<R (C::*)(A...) const noexcept> { using type = std::tuple<A...>; };
template <class R, class... A> struct parameters_of<R (*)(A...)> { using type = std::tuple<A...>; };
template <class R, class... A> struct parameters_of<R (*)(A...) noexcept> { using type = std::tuple<A...>; };
// clang-format on

/// Whether a parameter of type P gets a copy of an element. Parameters that are const by value are written without it here.
template <class P>
inline constexpr bool k_copies = !std::is_reference_v<P>;

/// Whether the last parameters, as many as there are arrays, have one that copies.
template <class Tuple, std::size_t Arrays>
inline constexpr bool k_last_copies = false;
template <class P>
inline constexpr bool k_last_copies<std::tuple<P>, 1> = k_copies<P>;
template <class I, class P>
inline constexpr bool k_last_copies<std::tuple<I, P>, 1> = k_copies<P>;
template <class P, class Q>
inline constexpr bool k_last_copies<std::tuple<P, Q>, 2> = k_copies<P> && k_copies<Q>;
template <class I, class P, class Q>
inline constexpr bool k_last_copies<std::tuple<I, P, Q>, 2> = k_copies<P> && k_copies<Q>;

/// Returns whether F takes the elements of arrays of T... by value. Looks at operator(), which is a template where a parameter is
/// `auto`; false where it has several forms.
template <class F, class... T>
constexpr bool takes_copies() {
  constexpr std::size_t n = sizeof...(T);
  if constexpr (std::is_pointer_v<F>)
    return k_last_copies<typename parameters_of<F>::type, n>;
  else if constexpr (requires { &F::operator(); })
    return k_last_copies<typename parameters_of<decltype(&F::operator())>::type, n>;
  else if constexpr (std::is_invocable_v<F&, std::uint64_t, T&...>) {
    if constexpr (requires { &F::template operator()<std::uint64_t, T...>; })
      return k_last_copies<
          typename parameters_of<decltype(&F::template operator()<std::uint64_t, T...>)>::type, n>;
    else if constexpr (requires { &F::template operator()<T...>; })
      return k_last_copies<typename parameters_of<decltype(&F::template operator()<T...>)>::type, n>;
    else
      return false;
  } else if constexpr (requires { &F::template operator()<T...>; })
    return k_last_copies<typename parameters_of<decltype(&F::template operator()<T...>)>::type, n>;
  else
    return false;
}

/// Refuses the body of a loop that takes elements by value. All that it assigns to them would be lost.
template <class F, class... T>
constexpr void check_element_body() {
  static_assert(!takes_copies<F, T...>(),
                "forall: the body takes elements by value, so that what it assigns to them is lost: take T& "
                "to change an "
                "element, const T& to read it");
}

/// Returns whether F, called with an element alone, takes it by value.
template <class F, class T>
constexpr bool takes_copy() {
  if constexpr (std::is_invocable_v<F&, std::uint64_t, T&>)
    return false;  // what it means by one argument is not known
  else
    return takes_copies<F, T>();
}

/// Refuses a function that is shipped to an element, takes it by value and returns nothing.
template <class F, class T>
constexpr void check_element_function() {
  static_assert(!takes_copy<F, T>(),
                "async and call: the function takes the element by value, so that what it assigns to it is "
                "lost: take T& to "
                "change the element, const T& to read it");
}

}  // namespace gossamer::detail
