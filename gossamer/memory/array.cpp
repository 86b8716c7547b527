#include "gossamer/memory/array.hpp"

#include <fmt/core.h>

#include <cstring>
#include <new>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/memory/heap.hpp"
#include "gossamer/memory/symmetric.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/message/payload.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer::memory {

namespace {

machine::memory_region take(std::uint64_t bytes) {
  if (bytes == 0) bytes = 1;
  machine::require_chunk(bytes, "a global array");
  return {bytes, "a global array",
          bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default};
}

constexpr std::size_t k_state_bytes = 64
                                      << 10;  // the state comes first, so that the elements start a huge page

/// Returns the bytes of all elements. Throws gossamer::error where no memory could hold so many. Called before
/// anything is computed from the size.
std::uint64_t storage_bytes(std::uint64_t elements, std::size_t element_bytes) {
  constexpr unsigned k_address_bits = 46;
  std::uint64_t bytes;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes) || bytes >> k_address_bits != 0)
    throw machine::out_of_memory(fmt::format(
        "make_array: an array of {} elements of {} bytes does not fit any memory{}", elements, element_bytes,
        elements >> 63 != 0
            ? fmt::format(" (as a signed number it is {})", static_cast<std::int64_t>(elements))
            : ""));
  return bytes;
}

/// Returns the bytes that the cores of this process own.
std::uint64_t bytes_here(const layout& where, std::size_t element_bytes) {
  std::uint64_t n = 0;
  for (unsigned c = 0; c < cores_per_process(); ++c) n += where.owned_size(first_core(process()) + c);
  return n * element_bytes;
}

struct array_plan {
  std::byte* at;
  std::uint64_t bytes, size, block_elements;
  std::uint32_t element_bytes;
  distribution::kind how;

  /// On the first core of a process.
  void build(std::span<const std::byte> bounds) const {
    distribution d{how, block_elements, {}};
    d.bounds.resize(bounds.size() / sizeof(std::uint64_t));
    if (!bounds.empty()) std::memcpy(d.bounds.data(), bounds.data(), bounds.size());
    machine::require_chunk(bytes_here(layout(d, size, cores()), element_bytes), "a global array");
    partition::here().addresses().map_in_common(at, k_state_bytes, bytes);
    new (at) array_state(d, size, cores(), at + k_state_bytes);
  }
};

/// Fetches the elements of cores [first, last) from core `by`. They are contiguous, at the same address in both processes.
void fetch_elements_of(const array_state& a, std::size_t element_bytes, core_id first, core_id last,
                       core_id by) {
  std::byte* const begin = a.data + a.where.owned_begin(first) * element_bytes;
  fetch(by, begin, {begin, (a.where.owned_begin(last) - a.where.owned_begin(first)) * element_bytes});
}

/// Returns whether this process fetches the elements of process `from`. Elements of a neighbour are mapped here already. Each of
/// the neighbours on a node fetches from some of the other processes.
bool fetches_from(unsigned from) {
  const space& addresses = partition::here().addresses();
  if (addresses.neighbours(from)) return false;
  const fabric::node_group* const group = addresses.group();
  return group == nullptr || from % group->size() == group->number(process());
}

/// Fetches the elements of other processes. Called on the first core of a process. If a process has few elements, one of its
/// cores sends all of them, so that requests share a packet. If they are large enough for a bulk move, one core
/// starts the move.
void fetch_here(array_state* a, std::size_t element_bytes) {
  constexpr std::uint64_t k_small = 64 << 10;
  const unsigned n = cores_per_process();
  message::wait_for_all([&] {
    for (unsigned step = 1; step < processes(); ++step) {  // not all from the same one first
      const unsigned from = (process() + step) % processes();
      if (!fetches_from(from)) continue;
      const core_id first = first_core(from);
      const std::uint64_t bytes =
          (a->where.owned_begin(first + n) - a->where.owned_begin(first)) * element_bytes;
      if (bytes <= k_small || message::endpoint::here().moves_bulk(first, bytes)) {
        fetch_elements_of(*a, element_bytes, first, first + n, first + process() % n);
      } else {
        for (core_id c = first; c < first + n; ++c) fetch_elements_of(*a, element_bytes, c, c + 1, c);
      }
    }
  });
}

/// Makes every core touch the memory of its own elements, if neighbours map it and it is large, so that it lies on huge pages.
void take_own_memory(const array_state* a, std::size_t element_bytes) {
  if (partition::here().addresses().group() == nullptr) return;
  message::wait_for_all([&] {
    for (core_id c = 0; c < cores(); ++c)
      if (a->where.owned_size(c) * element_bytes >= 2 * machine::k_huge_page_bytes)
        async_on(c, [a, element_bytes] {
          take_in_common(a->data + a->where.owned_begin(here()) * element_bytes,
                         a->where.owned_size(here()) * element_bytes);
        });
  });
}

}  // namespace

array_state* make_array_state(const distribution& d, std::uint64_t size, std::size_t element_bytes) {
  (void)message::inside("make_array");
  const std::uint64_t bytes = storage_bytes(size, element_bytes) + k_state_bytes;
  if (processes() == 1) return new array_state(d, size, element_bytes, cores());
  static_assert(sizeof(array_state) <= k_state_bytes);
  std::byte* const at = take_addresses(bytes);
  const array_plan plan{at, bytes, size, d.block_elements, static_cast<std::uint32_t>(element_bytes), d.how};
  try {
    message::wait_for_all([&] {
      for (unsigned p = 0; p < processes(); ++p)
        async_on(
            first_core(p), [plan](std::span<const std::byte> bounds) { plan.build(bounds); },
            std::as_bytes(std::span(d.bounds)));
    });
  } catch (...) {
    release_array_state(reinterpret_cast<array_state*>(at));  // where it was made already
    throw;
  }
  auto* const made = reinterpret_cast<array_state*>(at);
  take_own_memory(made, element_bytes);
  return made;
}

void check_release(const array_state* a) {
  if (fiber::scheduler::current() != nullptr && a->data == nullptr) refuse_array("release", a);
}

void free_after_job(array_state* a) {
  if (reinterpret_cast<std::uintptr_t>(a) - machine::k_common_first >= machine::k_common_bytes) delete a;
}

void release_array_state(array_state* a) {
  if (fiber::scheduler::current() == nullptr) return free_after_job(a);
  if (processes() == 1) {
    a->where.clear();
    a->region = {};
    a->data = nullptr;
    partition::here().keep_released(std::unique_ptr<array_state>(a));
    return;
  }
  auto* const at = reinterpret_cast<std::byte*>(a);
  message::at_every_process([at] {
    if (!partition::here().addresses().maps(at)) return;  // there was no memory for it
    reinterpret_cast<array_state*>(at)->~array_state();
    partition::here().addresses().unmap(at);
  });
  give_addresses(at);
}

void fetch_all_elements(array_state* a, std::size_t element_bytes) {
  const fabric::node_group* const group = partition::here().addresses().group();
  if (group != nullptr && group->size() == processes()) return;
  message::wait_for_all([&] {
    for (unsigned p = 0; p < processes(); ++p)
      message::fiber_on(first_core(p), [a, element_bytes] { fetch_here(a, element_bytes); });
  });
}

array_state::array_state(const distribution& d, std::uint64_t size, std::size_t element_bytes, unsigned cores)
    : where(d, size, cores), region(take(size * element_bytes)), data(region.data()) {}

bool lies_here(core_id owner) { return partition::here().addresses().neighbours(process_of(owner)); }
bool all_lies_here() {
  const fabric::node_group* const group = partition::here().addresses().group();
  return processes() == 1 || (group != nullptr && group->size() == processes());
}

void refuse_array(const char* call, const array_state* a) {
  fatal(fmt::format("{}: {}", call,
                    a == nullptr ? "the handle names no array: make_array() makes one"
                                 : "the array was released before")
            .c_str());
}

void refuse_index(const char* call, const array_state* a, std::uint64_t index) {
  if (a == nullptr || a->data == nullptr) refuse_array(call, a);
  fatal(
      fmt::format("{}: index {} is outside of the array, which has {} elements", call, index, a->where.size())
          .c_str());
}

}  // namespace gossamer::memory
