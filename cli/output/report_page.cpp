#include "output/report_page.hpp"

#include "gossamer/base/assert.hpp"
#include "report_page_text.hpp"

namespace gossamer::cli {
namespace {

constexpr std::string_view k_page = k_report_page_text;
constexpr std::string_view k_title = "{{title}}", k_answer = "{{answer}}";  // places in the page

/// Escapes text for HTML.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// Escapes each < of a JSON object, so that "</" and "<!" in its strings do not end the script element.
std::string inside_script(std::string_view object) {
  std::string out;
  for (const char c : object) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

void report_page::write(std::string_view title, std::string_view answer) {
  const std::size_t name = k_page.find(k_title), data = k_page.find(k_answer);
  GOSSAMER_ASSERT(name != k_page.npos && data != k_page.npos && name < data);
  file_.write(k_page.substr(0, name));
  file_.write(shown(title));
  file_.write(k_page.substr(name + k_title.size(), data - name - k_title.size()));
  file_.write(inside_script(answer));
  file_.write(k_page.substr(data + k_answer.size()));
  file_.commit();
}

}  // namespace gossamer::cli
