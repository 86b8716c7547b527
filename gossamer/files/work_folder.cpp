#include "gossamer/files/work_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::files {

machine::scratch_file begin_work(const std::string& folder, const std::string& prefix, const std::string& job,
                                 std::string_view differs) {
  machine::make_folder(folder);
  const std::string path = folder + "/" + prefix + "job", made = path + ".new";
  machine::scratch_file file = machine::scratch_file::named(made);  // locked: no other start writes it
  std::string before;
  if (std::filesystem::exists(path)) before = machine::mapped_file(path).text();
  if (before.empty()) {
    file.shorten(0);
    file.append(std::as_bytes(std::span(job)));
    file.sync();
    machine::rename_file(made, path);  // stays locked
    machine::sync_folder(folder);
    return file;
  }
  machine::remove_file(made);
  if (before != job)
    throw error(
        fmt::format("{}: expected the work of this job, found that of another (other {}): give another "
                    "folder, or remove it",
                    folder, differs));
  return machine::scratch_file::named(path);
}

}  // namespace gossamer::files
