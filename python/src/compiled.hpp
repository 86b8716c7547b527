#pragma once
// Functions that the user has had compiled, as numba.cfunc does: an address, and which of the 64-bit numbers are reals. C passes those
// in other registers. Called without the interpreter, on any core, on the stack of a fiber.

#include <bit>
#include <cstdint>

#include "numbers.hpp"

namespace gossamer::python {

/// A function of one number.
struct compiled_unary {
  std::uintptr_t address;
  bool takes_real, gives_real;

  word operator()(word x) const {
    using real = double;
    if (takes_real) {
      const auto in = std::bit_cast<real>(x);
      return gives_real ? std::bit_cast<word>(reinterpret_cast<real (*)(real)>(address)(in))
                        : reinterpret_cast<word (*)(real)>(address)(in);
    }
    return gives_real ? std::bit_cast<word>(reinterpret_cast<real (*)(word)>(address)(x))
                      : reinterpret_cast<word (*)(word)>(address)(x);
  }
};

/// A function of two numbers and to a third one, all of one type.
struct compiled_binary {
  std::uintptr_t address;
  bool real;

  word operator()(word a, word b) const {
    if (!real) return reinterpret_cast<word (*)(word, word)>(address)(a, b);
    const auto f = reinterpret_cast<double (*)(double, double)>(address);
    return std::bit_cast<word>(f(std::bit_cast<double>(a), std::bit_cast<double>(b)));
  }
};

/// Throws std::invalid_argument in a job of several processes: the others do not have the function.
void check_is_here(const char* name);

}  // namespace gossamer::python
