#pragma once
// The page of `gossamer report`: one HTML file that contains the answer and draws it, without a network.
// report_page.html draws; this class inserts the answer.

#include <string>
#include <string_view>

#include "gossamer/machine/output_file.hpp"

namespace gossamer::cli {

class report_page {
 public:
  /// Opens the temporary file, so that a missing folder is found before any work. Throws gossamer::error.
  explicit report_page(const std::string& path) : file_(path) {}

  /// Writes the page around `answer`, a JSON object, and renames the file. Without this call the file never
  /// appears.
  void write(std::string_view title, std::string_view answer);

 private:
  machine::output_file file_;
};

}  // namespace gossamer::cli
