#include "output/shared_row_form.hpp"

#include <utility>

namespace gossamer::cli {

shared_row_form::shared_row_form(const row_form& form) {
  struct travelling {
    row_format format;
    std::string name;
    std::vector<std::string> names;
  };
  const scoped_per_process<travelling> state;
  for (const std::string& column : form.columns) {
    state.here().name = column;
    share_text(state.handle(), &travelling::name);
    on_all_processes([state = state.handle()] { state.here().names.push_back(state.here().name); });
  }
  on_all_processes([state = state.handle(), to = form_.handle(), format = form.format] {
    to.here() = row_form(format, std::move(state.here().names));
  });
}

}  // namespace gossamer::cli
