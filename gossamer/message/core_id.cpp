#include "gossamer/message/core_id.hpp"

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"

namespace gossamer::message {

void refuse_core(const char* call, core_id core) {
  fatal(fmt::format("{}: core {} is none of the job, which has {} (from 0)", call, core, cores()).c_str());
}

void refuse_null(const char* call) { fatal(fmt::format("{}: a null global pointer", call).c_str()); }

}  // namespace gossamer::message
