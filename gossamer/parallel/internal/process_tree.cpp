#include "gossamer/parallel/internal/process_tree.hpp"

#include <cstring>
#include <vector>

#include "gossamer/message/payload.hpp"

namespace gossamer::parallel {

namespace {

/// Runs a received body, and forwards it to other processes. A task.
struct arrived_body {
  process_range of;
  std::uint16_t run;
  std::vector<std::byte> bytes;

  void operator()() {
    if (of.begin + 1 == of.end) return run_copy();
    under_completion(
        [this](core& self, message::completion&) {
          tell_others(self, {run, static_cast<std::uint16_t>(bytes.size()), bytes.data()}, of);
          self.request_flush();
          run_copy();
        },
        "on_all_cores");
  }
  void run_copy() { message::handler_function(run)({core::here(), 0, nullptr}, bytes.data(), 1); }
};

/// The message with a body, whose bytes follow.
struct travelling_record {
  process_range of;
  std::uint16_t body, bytes;

  static void run(const message::dispatch& d, std::byte* records, std::uint32_t count) {
    message::each_with_payload<travelling_record>(
        d, records, count, [](const travelling_record& r, const std::byte* body) {
          core& self = core::here();
          self.push_plain(counted_task(self, arrived_body{r.of, r.body, {body, body + r.bytes}}));
        });
  }
};

}  // namespace

void tell_others(core& self, const travelling_body& f, process_range of) {
  const std::uint32_t others = of.end - of.begin - 1, subtrees = std::min(others, fan_out());
  for (std::uint32_t k = subtrees; k-- > 0;) {
    const std::uint32_t first = of.begin + 1 + others * k / subtrees,
                        last = of.begin + 1 + others * (k + 1) / subtrees;
    std::byte* const at =
        self.issue_room<travelling_record>(first_core((of.root + first) % processes()),
                                           message::payload_stride(sizeof(travelling_record), f.bytes), {});
    message::write_record<travelling_record>(at, process_range{of.root, first, last}, f.run, f.bytes);
    std::memcpy(at + round_up(sizeof(travelling_record), 8), f.body, f.bytes);
  }
}

void run_on_all(const travelling_body& elsewhere, const shared_body& here, const char* call) {
  under_completion(
      [&](core& self, message::completion& all) {
        tell_others(self, elsewhere, all_from_here());
        launch_on_team(self, all, here);
      },
      call);
}

}  // namespace gossamer::parallel
