#pragma once
// What `gossamer sweep` reads: a setting of the job, or a place of the command's words, and its values.

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

/// A setting or a place, and the values that it takes one after the other.
struct swept {
  std::string name;  // "flush_delay_us"
  std::vector<std::string> values;
  /// Returns the variable of the environment: "GOSSAMER_FLUSH_DELAY_US".
  std::string variable() const;
  /// Returns whether the values are numbers.
  bool is_numeric() const;
};

/// Reads NAME=LIST. LIST has values with commas between; A..B doubles A up to B, A..B:log takes 1, 2 and 5 of each power of ten from A to
/// B, A..B:N takes N numbers with equal ratios. Throws gossamer::error naming `option`.
swept swept_values(std::string_view option, std::string_view text);

/// Returns the words with each {NAME} replaced by its value. Sets `found` where there is one.
std::vector<std::string> with_value(const std::vector<std::string>& words, std::string_view name,
                                    std::string_view value, bool& found);

/// Throws gossamer::error where a name is no setting that jobs read, with the nearest that is one, or a value does not fit.
void check_swept(std::string_view option, const swept& s);

}  // namespace gossamer::cli
