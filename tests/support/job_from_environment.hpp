#pragma once
// A job as the launcher and the environment say, for tests that run over whatever processes there are.

#include "gossamer/parallel/job.hpp"

namespace gossamer::test {

template <class F>
void in_job(F main) {
  run(job_options::from_environment(), main);
}

}  // namespace gossamer::test
