#pragma once
// Parses the option --set of `gossamer sweep`: a setting of the job, or a placeholder in the words of the
// command, and its values.

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

/// A setting or a placeholder, and its values.
struct swept {
  std::string name;  // "flush_delay_us"
  std::vector<std::string> values;
  /// Returns the variable of the environment: "GOSSAMER_FLUSH_DELAY_US".
  std::string variable() const;
  /// Returns whether the values are numbers.
  bool is_numeric() const;
};

/// Reads NAME=LIST. LIST has values with commas between. A..B doubles A up to B; A..B:log takes 1, 2 and 5
/// times each power of ten from A to B; A..B:N takes up to N numbers with equal ratios. Throws
/// gossamer::error that names `option`.
swept swept_values(std::string_view option, std::string_view text);

/// Returns the words with each {NAME} replaced by its value. Sets `found` if there is one.
std::vector<std::string> with_value(const std::vector<std::string>& words, std::string_view name,
                                    std::string_view value, bool& found);

/// Throws gossamer::error if the name is no setting that jobs read, and suggests the nearest one, or if a
/// value is not valid.
void check_swept(std::string_view option, const swept& s);

}  // namespace gossamer::cli
