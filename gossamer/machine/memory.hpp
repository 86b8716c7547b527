#pragma once
// Memory from the operating system: zeroed regions that cost nothing until touched, huge pages,
// guard pages; and how much of it this process may still use.
// Owns the mappings, not what is in them: nothing here runs a constructor.

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
  huge,  // 2 MiB pages where the kernel gives them; the region starts at a multiple of 2 MiB
  as_default,  // whatever the system does by itself
};

/// A range of zeroed, readable and writable memory, unmapped by the destructor. Movable, not copyable.
/// Only touched pages count as used (no swap space is reserved), so a region may be far larger than
/// the memory: reserve generously, touch little.
class memory_region {
 public:
  memory_region() noexcept = default;

  /// Maps `bytes`, rounded up to whole pages (2 MiB pages for pages::huge, where bytes are that many).
  /// `what` names the use in the error. Throws gossamer::error where the kernel refuses.
  memory_region(std::size_t bytes, std::string_view what, pages kind = pages::as_default);

  /// Maps as the constructor does, at exactly this address: a multiple of page_bytes(), of 2 MiB for
  /// pages::huge. Throws gossamer::error also where something lies there already. In simulated code the
  /// memory is the process's own, and the address one of those common to all.
  static memory_region at(std::byte* address, std::size_t bytes, std::string_view what,
                          pages kind = pages::as_default);

  memory_region(memory_region&& other) noexcept;
  memory_region& operator=(memory_region&& other) noexcept;
  ~memory_region();

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<std::byte> bytes() const noexcept { return {data_, size_}; }
  bool contains(const void* address) const noexcept;

  /// Makes whole pages untouchable (a guard) or usable again; `offset` and `bytes` are multiples of
  /// page_bytes(). Returns false where the kernel has no more mappings to give: the caller
  /// then lives without a guard there.
  [[nodiscard]] bool protect(std::size_t offset, std::size_t bytes) noexcept;
  [[nodiscard]] bool unprotect(std::size_t offset, std::size_t bytes) noexcept;

  /// Makes whole pages untouchable until the region is unmapped. Unlike protect() it takes no mapping from
  /// the kernel's supply, so millions are possible; false where the kernel has no such guards (Linux before
  /// 6.13).
  [[nodiscard]] bool install_guard(std::size_t offset, std::size_t bytes) noexcept;

  /// Gives whole pages back; they read as zero when touched again. Costs a system call.
  void discard(std::size_t offset, std::size_t bytes) noexcept;

  /// Touches pages ahead of their use, from the calling thread (whose NUMA node they then live on).
  void populate(std::size_t offset, std::size_t bytes) noexcept;

 private:
  friend class node_memory;
  /// Maps a file in memory from `offset` on, at exactly this address; anywhere where it is null.
  static memory_region of_file(int descriptor, std::uint64_t offset, std::byte* address, std::size_t bytes,
                               std::string_view what);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Takes the memory of all whole huge pages in the range now, as huge pages, from the calling thread. For mappings of
/// node_memory, where the kernel gives huge pages only when it is asked (Linux 6.1). Leaves the rest of the range as it is.
void take_huge_pages(std::byte* at, std::size_t bytes) noexcept;

/// Returns the bytes that this process can still take without swapping or being killed. This is the least of
/// what four limits leave. The kernel says what is available. Control groups leave their limit less what is
/// used and not reclaimable. ulimit -v and -d leave their rest. GOSSAMER_MEMORY_LIMIT (for instance 8G: the
/// most memory this process may use in all) leaves what the process does not use already. Of what the node
/// has, this process gets an equal share beside those of share_memory_with(); simulated processes share all
/// of it. `root` is put before /proc and /sys (tests plant a tree there).
std::uint64_t available_memory(const std::string& root = "");

/// Names the processes of this node that belong to the same job, this one included. What each of them uses
/// counts against its own share. Before the job takes memory; one thread.
void share_memory_with(std::vector<std::uint32_t> process_ids);

/// Throws gossamer::error "<what> needs 12.4 GiB, 7.9 GiB available" where `bytes` are more than
/// available_memory(). Call before taking the memory. Costs a few file reads (~0.5 ms).
void require_memory(std::uint64_t bytes, std::string_view what);

/// Returns what to append to a refusal: " (GOSSAMER_MEMORY_LIMIT is 160M: raise it)". Returns nothing unless
/// that variable is the least of what available_memory() looks at.
std::string memory_limit_hint();

/// Does the same as require_memory() for chunks of any size. While there is plenty, looks once for many small
/// ones (may_take()).
void require_chunk(std::uint64_t bytes, std::string_view what);

/// Returns whether `bytes` more may be touched of memory that is mapped, for what is taken in small pieces
/// (stacks, packets). Looks at what is left, as available_memory() does but for ulimit, once for 16 MiB of
/// answers or a sixteenth of it, and refuses below 32 MiB. After a refusal the next k_unasked_refusals
/// answers are the same. Any thread; costs an atomic addition.
bool may_take(std::uint64_t bytes) noexcept;
inline constexpr std::int64_t k_unasked_refusals = 64;

/// Returns the most bytes that this process has had in memory at once; current_rss() returns those it has
/// there now.
std::uint64_t peak_rss();
std::uint64_t current_rss();

/// Returns the bytes of all of this computer's memory.
std::uint64_t total_memory(const std::string& root = "");

}  // namespace gossamer::machine
