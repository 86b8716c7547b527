// Opens files of records, deals tasks to processes.
#include "gossamer/files/record_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/files/shared_files.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::files {
namespace {

constexpr std::uint64_t k_task_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t k_least_task_bytes = 16 << 10;
constexpr std::uint64_t k_tasks_per_core = 16;  // of a small file, so that all cores have some

}  // namespace

struct record_share::implementation {
  struct task {
    std::uint32_t file;
    std::uint64_t begin, end;  // bytes of the file
  };
  std::vector<machine::mapped_file> files;
  std::vector<task> tasks;
  std::uint64_t bytes = 0;
};

record_share::record_share() = default;
record_share::~record_share() = default;
record_share::record_share(record_share&&) noexcept = default;
record_share& record_share::operator=(record_share&&) noexcept = default;

std::uint64_t record_share::tasks() const { return it_->tasks.size(); }

std::span<const std::byte> record_share::open_task(std::uint64_t task) const {
  const implementation::task& t = it_->tasks[task];
  const machine::mapped_file& file = it_->files[t.file];
  file.populate(t.begin, t.end - t.begin);
  return file.bytes().subspan(t.begin, t.end - t.begin);
}

void record_share::close_task(std::uint64_t task) const {
  const implementation::task& t = it_->tasks[task];
  it_->files[t.file].discard(t.begin, t.end - t.begin);
}

void open_records(const std::vector<std::string>& paths, std::size_t record_bytes,
                  per_process<record_share> shares) {
  const scoped_per_process<file_names> names;
  names.here().set(paths);
  share_text(names.handle(), &file_names::all);
  on_all_processes([shares, names = names.handle(), record_bytes] {
    auto it = std::make_unique<record_share::implementation>();
    std::vector<record_share::implementation::task> all;
    for (const std::string& path : names.here().paths()) {
      const auto file = static_cast<std::uint32_t>(it->files.size());
      const std::uint64_t size = it->files.emplace_back(path).bytes().size();
      if (size % record_bytes != 0)
        throw error(fmt::format("{}: expected whole records of {} bytes, found {} bytes: {} and {} more",
                                path, record_bytes, size, size / record_bytes, size % record_bytes));
      it->bytes += size;
      const std::uint64_t piece =
          std::clamp<std::uint64_t>(size / (k_tasks_per_core * cores()), k_least_task_bytes, k_task_bytes);
      const std::uint64_t step = std::max<std::uint64_t>(1, piece / record_bytes) * record_bytes;
      for (std::uint64_t b = 0; b < size; b += step) all.push_back({file, b, std::min(b + step, size)});
    }
    const std::uint64_t first = parallel::share_begin(0, all.size(), process(), processes());
    const std::uint64_t last = parallel::share_begin(0, all.size(), process() + 1, processes());
    it->tasks.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                     all.begin() + static_cast<std::ptrdiff_t>(last));
    shares.here().it_ = std::move(it);
  });
  check_same_files([shares] { return shares.here().it_->bytes; });
}

}  // namespace gossamer::files
