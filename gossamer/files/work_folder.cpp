#include "gossamer/files/work_folder.hpp"

#include <fmt/format.h>

#include <span>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::files {

machine::scratch_file begin_work(const std::string& folder, const std::string& prefix, const std::string& job,
                                 std::string_view differs) {
  machine::make_folder(folder);
  const std::string path = folder + "/" + prefix + "job", made = path + ".new";
  machine::scratch_file file = machine::scratch_file::named(path);  // locked: no other start comes further
  const machine::mapped_file before(path);
  if (before.text() == job) return file;
  if (!before.text().empty()) refuse_work(folder, differs);
  machine::scratch_file whole = machine::scratch_file::named(made);
  whole.shorten(0);
  whole.append(std::as_bytes(std::span(job)));
  whole.sync();
  machine::rename_file(made, path);  // stays locked
  machine::sync_folder(folder);
  return whole;
}

void refuse_work(const std::string& folder, std::string_view differs) {
  throw error(
      fmt::format("{}: expected the work of this job, found that of another (other {}): give another "
                  "folder, or remove it",
                  folder, differs));
}

}  // namespace gossamer::files
