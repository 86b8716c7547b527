#include "gossamer/mapreduce/internal/spilling/finished_tasks.hpp"

#include <algorithm>

#include "gossamer/parallel/core.hpp"

namespace gossamer::mapreduce {

finished_tasks::finished_tasks(const memory_bound& bound, std::size_t lists, spill_store& pairs,
                               std::optional<per_core<skipped_rows>> skipped)
    : skipped_(skipped) {
  const auto named = [&](const char* what) {
    return machine::scratch_file::named(work_file(bound.resume, here(), what));
  };
  machine::scratch_file file = named("pairs");
  result_file_ = named("result");
  log_ = work_log(bound.resume, here(), bound.job, file, result_file_);
  pairs = spill_store(std::move(file), lists);
  for (const work_record& r : log_.found()) {
    if (r.what != work_record::kind::tasks) continue;
    done_before_.insert(done_before_.end(), r.done.begin(), r.done.end());
    emitted_ += r.emitted;
    recorded_.add(r.skipped.all(), r.skipped.first());
    for (const listed_block& b : r.blocks) pairs.adopt(b.list, b.block);
  }
  pairs.for_each_new([](std::size_t, const pair_block&) {});
}

void finished_tasks::leave_out(const std::vector<std::uint64_t>& tasks) {
  for (const std::uint64_t t : tasks) {
    if (t >= leave_out_.size()) leave_out_.resize(t + 1);
    leave_out_[t] = true;
  }
}

bool finished_tasks::begins(std::uint64_t task, std::uint64_t total) {
  constexpr std::uint64_t k_records = 16;
  tasks_in_record_ = std::max<std::uint64_t>(1, total / (k_records * cores_per_process()));
  return task >= leave_out_.size() || !leave_out_[task];
}

bool finished_tasks::ends(std::uint64_t task) {
  if (!is_open() || is_abandoned_) return false;
  done_.push_back(task);
  return done_.size() >= tasks_in_record_;
}

void finished_tasks::write(spill_store& pairs, std::uint64_t emitted) {
  if (!is_open() || is_abandoned_ || done_.empty()) return;
  work_record r{
      work_record::kind::tasks, emitted - std::exchange(emitted_, emitted), std::exchange(done_, {}), {}, {}};
  if (skipped_) r.skipped = std::exchange(skipped_->here(), {});
  pairs.for_each_new([&](std::size_t list, const pair_block& b) { r.blocks.push_back({list, b}); });
  pairs.sync();
  log_.add(r);
  recorded_.add(r.skipped.all(), r.skipped.first());
}

void finished_tasks::finish() {
  if (skipped_) skipped_->here().add(recorded_.all(), recorded_.first());
}

}  // namespace gossamer::mapreduce
