#pragma once
// Handlers by number. Every record type used anywhere in the program registers itself before
// main(). A job sorts them by type name at its start: the processes of a job run the same program, so they
// agree on the numbers (digest() is compared), and no function pointer crosses a wire.
// Immutable while a job runs: the only global besides the pointer to the current core.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <typeinfo>

#include "gossamer/base/short_name.hpp"

namespace gossamer::message {

class endpoint;
class completion;

/// What a handler may use while it runs.
struct dispatch {
  endpoint& self;  // the core it runs on
  std::uint16_t source;  // the core that issued the record
  completion* scope;  // counts the record; null for calls
  std::uint16_t record_bytes = 0;  // stride of the records of a run

  /// Delivers the current exception to the fiber that waits for the scope.
  void failed(std::exception_ptr what) const;
};

using run_function = void (*)(const dispatch& d, std::byte* records, std::uint32_t count);

struct registration {
  registration(const char* type_name, const char* short_name, run_function function) noexcept;
  const char* name;  // name of the type, as the compiler writes it; unique
  const char* shown;
  run_function run;
  registration* next;
  std::uint16_t id = 0;  // from 1; 0 is no handler
};

/// Numbers all registered handlers; idempotent. Before any core runs.
void freeze_registry();
/// Returns the name of the record's type, for reports.
const char* handler_name(std::uint16_t id);
/// Returns a digest of all names in order. Equal programs have equal digests.
std::uint64_t registry_digest();

namespace detail {
extern run_function* handler_table;  // by id; written by freeze_registry()
}
inline run_function handler_function(std::uint16_t id) { return detail::handler_table[id]; }

/// Records that can name the line which their handler will touch: the loop over a run prefetches it.
template <class Record>
concept targeted = requires(const Record& r) {
  { r.target() } -> std::convertible_to<const void*>;
};

/// Runs a whole typed run. The handler is inlined into the loop, which prefetches the target of the record
/// k_ahead further on. An exception ends one record, not the run.
template <class Record>
void run_records(const dispatch& d, std::byte* records, std::uint32_t count) {
  constexpr std::uint32_t k_ahead = 16;
  auto* r = std::launder(reinterpret_cast<Record*>(records));
  auto* const end = r + count;
  auto* const fetched = count > k_ahead ? end - k_ahead : r;  // from here on all targets are prefetched
  if constexpr (targeted<Record>)
    for (auto* early = r; early < r + std::min(count, k_ahead); ++early)
      __builtin_prefetch(early->target(), 1);
  while (r < end) {
    try {
      if constexpr (targeted<Record>)
        for (; r < fetched; ++r) {
          __builtin_prefetch(r[k_ahead].target(), 1);
          (*r)(d);
        }
      for (; r < end; ++r) (*r)(d);
    } catch (...) {
      d.failed(std::current_exception());
      ++r;
    }
  }
}

/// Records with a payload loop over their runs themselves, with stride dispatch::record_bytes.
template <class Record>
concept runs_itself = requires { run_function{&Record::run}; };

template <class Record>
constexpr run_function run_function_of() {
  if constexpr (runs_itself<Record>)
    return &Record::run;
  else
    return &run_records<Record>;
}

template <class Record>
struct handler {
  static_assert(
      std::is_trivially_copyable_v<Record>,
      "what is shipped to another core is copied as bytes: capture numbers, global pointers and array "
      "handles by value, no strings, vectors or references");
  static_assert(alignof(Record) <= 8,
                "a record is aligned to 8 bytes at most: ship such a value as its bytes");
  static_assert(sizeof(Record) <= 1024, "a record holds at most 1 KiB: ship bulk data otherwise");
  inline static registration entry{typeid(Record).name(), name_of<Record>(), run_function_of<Record>()};
};

}  // namespace gossamer::message
