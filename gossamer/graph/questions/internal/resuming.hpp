#pragma once
// Shared by questions with checkpoints: declarations, and facts about the earlier start.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "gossamer/base/units.hpp"
#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/graph/questions/answer.hpp"
#include "gossamer/graph/questions/parameter.hpp"

namespace gossamer::graph {

/// Numbers from 0 on.
inline constexpr real_range k_from_zero{
    "a number of 0 or more", [](double x) { return x >= 0 && x < std::numeric_limits<double>::infinity(); }};

/// Declares --resume and --checkpoint-seconds.
inline void declare_resume(parameter_list& p, checkpoint_options& kept) {
  p.folder("resume", &kept.folder,
           "keep what is done in this folder until the command has ended well: started again with the same "
           "graph and options, on any number of cores, it goes on from there")
      .of_python(
          "resume",
          "A folder for what is done: a call that was cut off goes on from there when it is made again "
          "with the same graph and arguments. Default: nothing is kept.");
  p.real("checkpoint-seconds", &kept.seconds, k_from_zero,
         "with --resume: write what is done every X seconds; 0: at the end of every phase")
      .of_python("checkpoint_seconds",
                 "With resume: what is done is written every so many seconds; 0: at the end of every phase.");
}

/// Adds the amount of work that an earlier start had done, and the function that removes the checkpoint.
inline void say_resumed(answer& a, const checkpoint_options& kept, checkpoint_folder saved,
                        const std::string& key, std::uint64_t before, std::string_view one,
                        std::string_view many) {
  if (kept.folder.empty()) return;
  a.known.push_back({key, before});
  if (before != 0)
    a.sentences.push_back({fmt::format("continued: {} had been done", plural(before, one, many))});
  a.forget = [saved = std::move(saved)]() mutable { saved.forget(); };
}

}  // namespace gossamer::graph
