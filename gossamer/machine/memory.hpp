#pragma once
// Memory from the operating system: zeroed regions that cost nothing until touched, huge pages, guard pages;
// and how much this process may still use. Owns the mappings, not the objects in them: runs no constructors.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::machine {

inline constexpr std::size_t k_huge_page_bytes = std::size_t{2} << 20;

/// Returns the bytes of a page, the unit of protect() and discard().
std::size_t page_bytes() noexcept;

/// Returns how many mappings the kernel allows one process (usually 65,530). Every guard page splits one into
/// up to three, so guard pages cost two each.
std::size_t max_mappings();

enum class pages {
  small,  // ordinary pages, never huge ones (stacks: a touched line costs 4 KiB, not 2 MiB)
  huge,  // 2 MiB pages if the kernel provides them; the region starts at a multiple of 2 MiB
  as_default,  // as configured in the system
};

/// A range of zeroed, readable and writable memory, unmapped by the destructor. Movable, not copyable.
/// Only touched pages count as used (no swap space is reserved), so a region may be far larger than
/// the memory: reserve generously, touch little.
class memory_region {
 public:
  memory_region() noexcept = default;

  /// Maps `bytes`, rounded up to whole pages (2 MiB pages for pages::huge, if bytes are that many). `what`
  /// names the use in the error. Throws gossamer::error if the kernel refuses.
  memory_region(std::size_t bytes, std::string_view what, pages kind = pages::as_default);

  /// Maps as the constructor does, at exactly this address: a multiple of page_bytes(), of 2 MiB for
  /// pages::huge. Also throws gossamer::error if something is mapped there already. In simulated code the
  /// memory belongs to the process, and the address is one of the common addresses.
  static memory_region at(std::byte* address, std::size_t bytes, std::string_view what,
                          pages kind = pages::as_default);

  memory_region(memory_region&& other) noexcept;
  memory_region& operator=(memory_region&& other) noexcept;
  ~memory_region();

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<std::byte> bytes() const noexcept { return {data_, size_}; }
  bool contains(const void* address) const noexcept;

  /// Makes whole pages inaccessible (a guard) or accessible again; `offset` and `bytes` are multiples of
  /// page_bytes(). Returns false if the kernel has no more mappings: then there is no guard.
  [[nodiscard]] bool protect(std::size_t offset, std::size_t bytes) noexcept;
  [[nodiscard]] bool unprotect(std::size_t offset, std::size_t bytes) noexcept;

  /// Makes whole pages inaccessible until the region is unmapped. Unlike protect() it splits no mapping, so
  /// millions are possible. Returns false if the kernel has no such guards (Linux before 6.13).
  [[nodiscard]] bool install_guard(std::size_t offset, std::size_t bytes) noexcept;

  /// Returns whole pages to the system; they read as zero when touched again. Costs a system call.
  void discard(std::size_t offset, std::size_t bytes) noexcept;

  /// Touches pages before their use, from the calling thread (whose NUMA node then holds them).
  void populate(std::size_t offset, std::size_t bytes) noexcept;

 private:
  friend class node_memory;
  /// Maps a file in memory from `offset` on, at exactly this address; anywhere if it is null.
  static memory_region of_file(int descriptor, std::uint64_t offset, std::byte* address, std::size_t bytes,
                               std::string_view what);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Allocates all whole huge pages in the range now, from the calling thread. For mappings of node_memory, for
/// which the kernel provides huge pages only on request (Linux 6.1). Leaves the rest of the range unchanged.
void take_huge_pages(std::byte* at, std::size_t bytes) noexcept;

/// Returns the bytes that this process can still take without swapping or being killed: the minimum of four
/// limits. (1) What the kernel reports as available. (2) The limit of each control group, less its
/// unreclaimable use. (3) The rest of ulimit -v and -d. (4) GOSSAMER_MEMORY_LIMIT (for instance 8G: the most
/// memory that this process may use), less what the process uses. The processes of share_memory_with() divide
/// the node's memory evenly; simulated processes share all of it. `root` is put before /proc and /sys (for
/// tests).
std::uint64_t available_memory(const std::string& root = "");

/// Names the processes of this node that belong to the same job, this one included. The memory of each counts
/// against its own share. Before the job takes memory; one thread.
void share_memory_with(std::vector<std::uint32_t> process_ids);

/// Throws gossamer::error "<what> needs 12.4 GiB, 7.9 GiB available" if `bytes` are more than
/// available_memory(). Call before taking the memory. Reads a few files.
void require_memory(std::uint64_t bytes, std::string_view what);

/// Returns the text to append to a refusal: " (GOSSAMER_MEMORY_LIMIT is 160M: raise it)". Empty unless that
/// variable is the smallest limit of available_memory().
std::string memory_limit_hint();

/// Does the same as require_memory() for amounts of any size. While there is plenty, checks once for many
/// small ones (may_take()).
void require_chunk(std::uint64_t bytes, std::string_view what);

/// Returns whether `bytes` more may be touched of mapped memory that is taken in small amounts (stacks,
/// packets). Computes available_memory(), without ulimit, once for 16 MiB of answers or a sixteenth of what
/// is available, and refuses below 32 MiB. After a refusal the next k_unasked_refusals answers are the same.
/// Any thread; costs an atomic addition.
bool may_take(std::uint64_t bytes) noexcept;
inline constexpr std::int64_t k_unasked_refusals = 64;

/// Returns the largest resident size of this process so far; current_rss() returns the present one.
std::uint64_t peak_rss();
std::uint64_t current_rss();

/// Returns the bytes of memory of this computer.
std::uint64_t total_memory(const std::string& root = "");

}  // namespace gossamer::machine
