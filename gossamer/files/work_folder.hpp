#pragma once
// The folder of a job that may be continued by a later start: a file in it says which job that is, so that work of another one is never
// taken for its own. What the work consists of is up to its user: MapReduce has logs of finished tasks (ADR 0023), a checkpoint has
// arrays (ADR 0081). By one thread of one process.

#include <string>
#include <string_view>

#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::files {

/// Writes what the job is to the file `<prefix>job` of a folder, which is made where it is missing, and returns that file. While it is
/// open, no other start of the job takes the folder. Throws gossamer::error where the folder has the work of another job; `differs` says in
/// what jobs may differ: "inputs, options or program".
machine::scratch_file begin_work(const std::string& folder, const std::string& prefix, const std::string& job,
                                 std::string_view differs);

}  // namespace gossamer::files
