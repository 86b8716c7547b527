#pragma once
// Base of gups and gather: a table, the number of operations, and the rate in millions per second.

#include <string>
#include <string_view>

#include "commands/job_command.hpp"
#include "gossamer/kernels/gups.hpp"

namespace gossamer::cli {

class table_command : public job_command {
 public:
  std::string ignores(std::string_view setting) const override {
    return ignores_tasks_and_structures(setting);
  }
  /// `operations`: their name in the plural, which is also an option and a key of the answer.
  table_command(const command_text& text, std::string operations)
      : job_command(text), operations_(std::move(operations)) {}

 protected:
  void declare_own(declaration& d) override;
  std::string_view seed_option() const override { return "--seed"; }
  void describe(json_object& j) const override { j.set("options/seed", seed_); }

  kernels::table_work work() const;
  static kernels::table_progress watch(session& s, const std::string& what);
  void say(session& s, const kernels::table_work& w, const kernels::table_result& r) const;

 private:
  const std::string operations_;
  std::uint64_t bytes_ = 0;  // 0: 1 GiB
  std::uint64_t count_ = 0;  // 0: as many as the table has cells
};

}  // namespace gossamer::cli
