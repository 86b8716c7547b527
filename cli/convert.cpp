// gossamer convert: the same graph in another form.

#include "commands.hpp"
#include "gossamer/graph/write.hpp"
#include "gossamer/machine/clock.hpp"
#include "loaded.hpp"

namespace gossamer::cli {

void convert(session& s) {
  const loaded_graph g(s);
  const std::string& path = s.asked().destination;
  const std::uint64_t began = machine::now_ns();
  s.steps().step("writing " + path);
  graph::write(g.whole(), path, [&s](std::string_view, std::uint64_t done, std::uint64_t total) {
    s.steps().at(done, total);
  });
  const double seconds = static_cast<double>(machine::now_ns() - began) * 1e-9;
  s.json().set("wrote", path);
  s.json().set("seconds/run", seconds);
  s.say("\nwrote {} in {}", s.colours().bold(printable(path)), format_duration(seconds));
}

}  // namespace gossamer::cli
