#include "gossamer/parallel/internal/launch.hpp"

namespace gossamer::parallel {

namespace {

struct launch_record {
  shared_body f;
  message::completion* scope;
  void operator()(const message::dispatch&) const { core::here().push_plain(f.make_task(scope)); }
};

}  // namespace

void launch_on(core& self, core_id to, message::completion& all, const shared_body& f) {
  all.issue(1);
  if (to == self.id())
    self.push_plain(f.make_task(&all));
  else
    self.issue_uncounted(to, launch_record{f, &all});
}

void launch_on_team(core& self, message::completion& all, const shared_body& f) {
  const core_id first = first_core(process());
  for (core_id c = first; c < first + cores_per_process(); ++c)
    if (c != self.id()) launch_on(self, c, all, f);
  launch_on(self, self.id(), all, f);
}

void run_on_team(const shared_body& f, const char* call) {
  under_completion([&f](core& self, message::completion& all) { launch_on_team(self, all, f); }, call);
}

}  // namespace gossamer::parallel
