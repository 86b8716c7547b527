#pragma once
// Draws figures by matplotlib, in a python3 of this machine that has it (ADR 0015).

#include <string>

namespace gossamer::cli {

/// Throws gossamer::error that names `option` if the ending is not .svg, .png or .pdf.
void check_figure(const std::string& option, const std::string& path);

/// The kind of a figure.
enum class figure_script { scale, sweep };

/// Draws rows to a file: a JSON array of objects as `gossamer scale --json` or `gossamer sweep --json` prints
/// them. Blocks for about a second. Returns why there is no figure; empty if there is one. Throws
/// gossamer::error if the file cannot be written.
std::string draw_figure(figure_script what, const std::string& title, const std::string& rows,
                        const std::string& path);

}  // namespace gossamer::cli
