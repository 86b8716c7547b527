#pragma once
// GOSSAMER_MEMORY_LIMIT during the lifetime of an object.

#include <cstdlib>

namespace gossamer::test {

class memory_limit {
 public:
  explicit memory_limit(const char* value) { ::setenv("GOSSAMER_MEMORY_LIMIT", value, 1); }
  ~memory_limit() { ::unsetenv("GOSSAMER_MEMORY_LIMIT"); }
  memory_limit(const memory_limit&) = delete;
  memory_limit& operator=(const memory_limit&) = delete;
};

}  // namespace gossamer::test
