#include "gossamer/mapreduce/text_key.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer::mapreduce {
namespace {

// Only the length is read, so no text is needed.
TEST(TextKey, RefusesWhatIsTooLong) {
  const char letter = 'x';
  try {
    (void)text_key::of({&letter, std::size_t{1} << 32});
    FAIL() << "a key of 4 GiB was taken";
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "a key of 4.0 GiB: MapReduce takes keys of less than 4 GiB");
  }
}

}  // namespace
}  // namespace gossamer::mapreduce
