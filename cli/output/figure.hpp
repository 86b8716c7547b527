#pragma once
// Figures are drawn by matplotlib, in a python3 of the machine that has it (ADR 0015).

#include <string>

namespace gossamer::cli {

/// Throws gossamer::error naming `option` when the ending is not one of .svg, .png and .pdf.
void check_figure(const std::string& option, const std::string& path);

/// What is drawn.
enum class figure_script { scale, sweep };

/// Draws rows (a JSON array of objects as `gossamer scale --json` or `gossamer sweep --json` prints them) to a file. Blocks for about a
/// second. Returns why there is no figure, or nothing. Throws gossamer::error where the file cannot be written.
std::string draw_figure(figure_script what, const std::string& title, const std::string& rows,
                        const std::string& path);

}  // namespace gossamer::cli
