#pragma once
// The folder of a resumable job. A file in it describes the job, so that the job never continues the work of
// another one. Users of this class define the work: MapReduce has logs of finished tasks (ADR 0023), a
// checkpoint has arrays (ADR 0081). By one thread of one process.

#include <string>
#include <string_view>

#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::files {

/// Writes the description of the job to the file `<prefix>job` of a folder, which is made if it is missing,
/// and returns that file. While it is open, no other start of the job can use the folder. Throws
/// gossamer::error if the folder has the work of another job; `differs` lists the possible differences:
/// "inputs, options or program".
machine::scratch_file begin_work(const std::string& folder, const std::string& prefix, const std::string& job,
                                 std::string_view differs);

/// Throws that error.
[[noreturn]] void refuse_work(const std::string& folder, std::string_view differs);

}  // namespace gossamer::files
