#pragma once
// The page of `gossamer report`: one HTML file that draws the answer it carries, without a network. What draws is
// report_page.html; this adds the answer to it.

#include <string>
#include <string_view>

#include "gossamer/machine/output_file.hpp"

namespace gossamer::cli {

class report_page {
 public:
  /// Opens the temporary file, so that a folder that is missing is known before any work. Throws gossamer::error.
  explicit report_page(const std::string& path) : file_(path) {}

  /// Writes the page around `answer`, a JSON object, and gives the file its name. Without it the file never appears.
  void write(std::string_view title, std::string_view answer);

 private:
  machine::output_file file_;
};

}  // namespace gossamer::cli
