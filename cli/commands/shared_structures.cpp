#include "commands/shared_structures.hpp"

#include "gossamer/parallel/combine.hpp"

namespace gossamer::cli {

void declare_combining(declaration& d, std::string& target, const std::string& of) {
  d.word("--combining", "WHERE", target,
         "where requests to " + of + " merge: off, home, local, both or automatic (default)",
         {k_combine_names.begin(), k_combine_names.end()});
}

job_options with_combining(job_options job, const std::string& combining) {
  if (!combining.empty()) job.combining = static_cast<combine>(index_of(k_combine_names, combining));
  return job;
}

}  // namespace gossamer::cli
