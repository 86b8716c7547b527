#pragma once
// Lines of text files as the input of a MapReduce job: the map function receives each line.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/files/text_input.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {

/// A line without its end. Converts to std::string_view.
struct text_line {
  std::string_view text;  ///< valid only while the map function runs
  const text_chunk* chunk;  ///< the chunk that contains the line

  /// Returns the text. Implicit, because most map functions need only this.
  operator std::string_view() const { return text; }
};

/// Throws gossamer::error "<path>:<line>: <what>". Counts the lines before, so a map function calls it for the
/// first problem only.
[[noreturn]] inline void fail_at(const text_line& line, std::string_view what) {
  fail_at(*line.chunk, static_cast<std::size_t>(line.text.data() - line.chunk->text.data()), what);
}

/// Files of text, plain or compressed, line by line; files as in text_input. LF ends a line, and a CR before
/// it belongs to the end. Empty lines are lines. The last line of a file needs no end.
class line_input {
 public:
  /// The argument of the map function.
  using element = text_line;

  /// The input of a process.
  class block {
   public:
    /// Returns the number of tasks of this process.
    std::uint64_t tasks() const { return chunks_.tasks(); }
    /// Calls f for each line of a task.
    template <class F>
    void run(std::uint64_t task, F f) const {
      chunks_.run(task, [&f](const text_chunk& chunk) {
        for (std::size_t at = 0; at < chunk.text.size();) {
          std::string_view line = chunk.text.substr(at, chunk.text.find('\n', at) - at);
          at += line.size() + 1;
          if (line.ends_with('\r')) line.remove_suffix(1);
          f(text_line{line, &chunk});
        }
      });
    }

   private:
    friend class line_input;
    files::text_block chunks_;
  };

  /// Sets the files; opens none.
  explicit line_input(std::vector<std::string> paths) : text_(std::move(paths), cut_at::lines) {}

  /// Opens the files in all processes. By one fiber; suspends. Throws gossamer::error for a file that cannot
  /// be read, or differs between processes.
  void open(per_process<block> blocks) const {
    const scoped_per_process<files::text_block> chunks;
    text_.open(chunks.handle());
    on_all_processes(
        [blocks, chunks = chunks.handle()] { blocks.here().chunks_ = std::move(chunks.here()); });
  }

 private:
  text_input text_;
};

}  // namespace gossamer
