#pragma once
// Options of commands that use the shared structures of the job: where requests merge.

#include <string>

#include "gossamer/parallel/job.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {

/// Declares --combining; `of`: "the queue".
void declare_combining(declaration& d, std::string& target, const std::string& of);

/// Returns the job with that way of combining; unchanged if none was given.
job_options with_combining(job_options job, const std::string& combining);

}  // namespace gossamer::cli
