// gossamer jacobi: heat in a square plate by Jacobi's method. Boundary rows are put into the memory of
// neighbours, sent as messages, or exchanged once for several iterations.

#include "gossamer/kernels/jacobi.hpp"

#include <optional>

#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_jacobi_text{"jacobi", "heat in a square plate: Jacobi's method",
                                     "  gossamer jacobi 256\n"
                                     "  gossamer jacobi 4096 --iterations 100 --method blocked\n"
                                     "  mpirun -n 2 gossamer jacobi 1000 --iterations 1000 --verify\n"};

class jacobi_command final : public job_command {
 public:
  std::string ignores(std::string_view setting) const override {
    return ignores_tasks_and_structures(setting);
  }
  jacobi_command() : job_command(k_jacobi_text) {}

  void check() override {
    constexpr std::uint64_t k_most = 1 << 20;
    work_.n = whole_number("jacobi", points_, 1, k_most);
    if (!difference_.empty())
      work_.difference =
          real_number("--difference", difference_, "a number from 0 on", [](double x) { return x >= 0; });
    if (!method_.empty())
      work_.method = static_cast<kernels::jacobi_method>(index_of(kernels::k_jacobi_methods, method_));
  }

 private:
  void declare_own(declaration& d) override {
    d.argument("N", points_, "points of a side of the plate", "the points of a side");
    d.word("--method", "M", method_, "how boundary rows travel: puts, messages or blocked (default puts)",
           {std::begin(kernels::k_jacobi_methods), std::end(kernels::k_jacobi_methods)});
    d.number("--iterations", work_.iterations, "at most (default: until the difference is reached)", 1);
    d.text("--difference", "D", difference_,
           "root of the summed squares of changes to stop at (default 0.01)");
    d.number("--depth", work_.depth, "iterations of a pass, with --method blocked (default 8)", 1, 1024);
  }
  void describe(json_object& j) const override {
    j.set("options/method", kernels::k_jacobi_methods[static_cast<unsigned>(work_.method)]);
    j.set("options/difference", work_.difference);
  }
  void answer(session& s) override;

  kernels::jacobi_work work_;
  std::string points_, method_, difference_;
};

void jacobi_command::answer(session& s) {
  work_.verify = verify_;
  const std::string_view method = kernels::k_jacobi_methods[static_cast<unsigned>(work_.method)];
  s.step(fmt::format("jacobi by {}", method));
  const auto r =
      kernels::jacobi(work_, [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); });
  json_object& j = s.json();
  j.set("points", work_.n);
  j.set("method", method);
  j.set("depth", r.depth);
  j.set("iterations", r.iterations);
  j.set("difference", r.difference);
  j.set("mpoints", r.mpoints(work_.n));
  set_run(s, r.seconds);
  s.say("{}  {} x {} points by {}: {}, the last one changes {:.6g}", s.colours().bold("jacobi"),
        format_count(work_.n), format_count(work_.n),
        r.depth > 1 ? fmt::format("{}, {} at once", method, r.depth) : std::string(method),
        plural(r.iterations, "iteration", "iterations"), r.difference);
  s.say("\n{:.1f} M points/s: {}", r.mpoints(work_.n), time_and_place(r.seconds));
  if (work_.verify)
    s.verified(r.verified, "the points, iterations and difference of a serial solver, bit by bit");
}

}  // namespace

std::unique_ptr<command> make_jacobi() { return std::make_unique<jacobi_command>(); }

}  // namespace gossamer::cli
