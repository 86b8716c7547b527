#include "gossamer/machine/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <string>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {
namespace {

void* map_anonymous(std::size_t bytes) noexcept {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Maps `bytes` starting at a multiple of `alignment`, by mapping more and cutting both ends off.
void* map_aligned(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t page = page_bytes();
  if (alignment <= page) return map_anonymous(bytes);
  const std::size_t wider = bytes + alignment - page;
  void* const whole = map_anonymous(wider);
  if (whole == MAP_FAILED) return whole;
  auto* const first = static_cast<std::byte*>(whole);
  const auto address = reinterpret_cast<std::uintptr_t>(whole);
  const std::size_t before = round_up(address, alignment) - address;
  const std::size_t after = wider - before - bytes;
  if (before != 0) ::munmap(first, before);
  if (after != 0) ::munmap(first + before + bytes, after);
  return first + before;
}

[[noreturn]] void refuse(std::size_t bytes, std::string_view what, int failure) {
  const std::string_view hint =
      failure == ENOMEM ? " (see ulimit -v, vm.overcommit_memory, vm.max_map_count)" : "";
  throw_errno(fmt::format("cannot map {} for", format_bytes(bytes)), fmt::format("{}{}", what, hint),
              failure);
}

/// Maps at exactly this address; anywhere where it is null.
std::byte* map_at(std::byte* address, std::size_t bytes, int flags, int descriptor, std::uint64_t offset,
                  std::string_view what) {
  void* const mapped = ::mmap(address, bytes, PROT_READ | PROT_WRITE,
                              flags | MAP_NORESERVE | (address != nullptr ? MAP_FIXED_NOREPLACE : 0),
                              descriptor, static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) refuse(bytes, what, errno);
  if (address != nullptr && mapped != address) {  // a kernel before 4.17 takes the address as a hint
    ::munmap(mapped, bytes);
    refuse(bytes, what, EEXIST);
  }
  return static_cast<std::byte*>(mapped);
}

}  // namespace

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t max_mappings() {
  constexpr std::size_t k_usual = 65530;
  const auto text = read_small_file("/proc/sys/vm/max_map_count");
  return text ? try_parse_bytes(*text).value_or(k_usual) : k_usual;
}

memory_region::memory_region(std::size_t bytes, std::string_view what, pages kind) {
  if (bytes == 0) return;
  const bool huge = kind == pages::huge && bytes >= k_huge_page_bytes;
  const std::size_t unit = huge ? k_huge_page_bytes : page_bytes();
  if (bytes > ~std::size_t{0} / 2) refuse(bytes, what, ENOMEM);
  const std::size_t rounded = round_up(bytes, unit);
  void* const mapped = map_aligned(rounded, unit);
  if (mapped == MAP_FAILED) refuse(bytes, what, errno);
  data_ = static_cast<std::byte*>(mapped);
  size_ = rounded;
  // Refused where the kernel has no huge pages at all: then there is nothing to choose.
  if (huge) ::madvise(data_, size_, MADV_HUGEPAGE);
  if (kind == pages::small) ::madvise(data_, size_, MADV_NOHUGEPAGE);
}

memory_region memory_region::at(std::byte* address, std::size_t bytes, std::string_view what, pages kind) {
  const std::size_t rounded = round_up(bytes, page_bytes());
  memory_region r;
  if (auto* s =
          simulated()) {  // a part of the process's window, which is one mapping: huge pages would split it
    r.data_ = s->map_common(address, rounded);
    r.size_ = rounded;
    return r;
  }
  r.data_ = map_at(address, rounded, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, what);
  r.size_ = rounded;
  if (kind == pages::huge && bytes >= k_huge_page_bytes) ::madvise(r.data_, r.size_, MADV_HUGEPAGE);
  return r;
}

memory_region memory_region::of_file(int descriptor, std::uint64_t offset, std::byte* address,
                                     std::size_t bytes, std::string_view what) {
  memory_region r;
  r.size_ = round_up(bytes, page_bytes());
  r.data_ = map_at(address, r.size_, MAP_SHARED, descriptor, offset, what);
  return r;
}

memory_region::memory_region(memory_region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

memory_region& memory_region::operator=(memory_region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

memory_region::~memory_region() {
  if (data_ == nullptr) return;
  if (auto* s = simulated(); s != nullptr && s->unmap_common(data_, size_)) return;
  ::munmap(data_, size_);
}

bool memory_region::contains(const void* address) const noexcept {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) -
                                  reinterpret_cast<std::uintptr_t>(data_)) < size_;
}

namespace {

bool set_protection(std::span<std::byte> region, std::size_t offset, std::size_t bytes,
                    int protection) noexcept {
  GOSSAMER_ASSERT(offset <= region.size() && bytes <= region.size() - offset);
  GOSSAMER_ASSERT(offset % page_bytes() == 0 && bytes % page_bytes() == 0);
  return ::mprotect(region.data() + offset, bytes, protection) == 0;
}

}  // namespace

bool memory_region::protect(std::size_t offset, std::size_t length) noexcept {
  return set_protection(bytes(), offset, length, PROT_NONE);
}

bool memory_region::unprotect(std::size_t offset, std::size_t length) noexcept {
  return set_protection(bytes(), offset, length, PROT_READ | PROT_WRITE);
}

bool memory_region::install_guard(std::size_t offset, std::size_t length) noexcept {
  GOSSAMER_ASSERT(offset <= size_ && length <= size_ - offset);
  constexpr int k_guard_install = 102;  // MADV_GUARD_INSTALL, Linux 6.13; older headers lack it
  return ::madvise(data_ + offset, length, k_guard_install) == 0;
}

void memory_region::discard(std::size_t offset, std::size_t length) noexcept {
  GOSSAMER_ASSERT(offset <= size_ && length <= size_ - offset && offset % page_bytes() == 0);
  if (auto* s = simulated(); s != nullptr && s->unmap_common(data_ + offset, length)) return;
  ::madvise(data_ + offset, length, MADV_DONTNEED);
}

void memory_region::populate(std::size_t offset, std::size_t length) noexcept {
  GOSSAMER_ASSERT(offset <= size_ && length <= size_ - offset);
  if (length == 0) return;
  const std::size_t first = round_down(offset, page_bytes());
  constexpr int k_populate_write = 23;  // MADV_POPULATE_WRITE, Linux 5.14; older headers lack it
  if (::madvise(data_ + first, offset + length - first, k_populate_write) == 0) return;
  for (std::size_t at = first; at < offset + length; at += page_bytes()) {
    auto* const touched = reinterpret_cast<volatile std::byte*>(data_ + at);
    *touched = *touched;
  }
}

void take_huge_pages(std::byte* at, std::size_t bytes) noexcept {
  constexpr int k_collapse = 25;  // MADV_COLLAPSE, Linux 6.1; older headers lack it
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t first = round_up(begin, k_huge_page_bytes);
  const std::uintptr_t end = round_down(begin + bytes, k_huge_page_bytes);
  if (first >= end) return;
  for (std::uintptr_t page = first; page < end; page += k_huge_page_bytes) {  // it wants one byte of each
    auto* const touched = reinterpret_cast<volatile std::byte*>(page);
    *touched = *touched;
  }
  ::madvise(reinterpret_cast<void*>(first), end - first, k_collapse);
}

}  // namespace gossamer::machine
