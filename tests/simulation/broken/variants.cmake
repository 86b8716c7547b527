# What the simulation must find within 2,000 seeds: mistakes that one makes, each in one place of the library,
# each such that an ordinary run passes. See cmake/GossamerProtocols.cmake.

# A core falls asleep although a wake-up for one of its fibers has come.
gossamer_break(lost_wake_up completion gossamer/fiber/scheduler.cpp
  "return !ready_.empty() || has_news() || wakes_.any() ||"
  "return !ready_.empty() || has_news() ||")

# A task is sent before it is taken off the list: while that waits for a packet, another fiber sends it, too, or
# adds one that is then taken off instead.
gossamer_break(task_sent_twice stealing gossamer/parallel/core.cpp
  "    departures_.pop_back();
    under_scope(d.what, [&d] { d.what.type->ship(d.what.payload, d.to); });"
  "    under_scope(d.what, [&d] { d.what.type->ship(d.what.payload, d.to); });
    departures_.pop_back();")

# Two cores that bring packets home at the same time both put theirs into the same places.
gossamer_break(packets_overwritten flow_control gossamer/fabric/packet_pool.cpp
  "  machine::preemption_point();
  std::lock_guard hold(lock_);
  const std::size_t n = returned_.load(std::memory_order_relaxed);  // the lock orders it"
  "  const std::size_t n = returned_.load(std::memory_order_relaxed);
  machine::preemption_point();
  std::lock_guard hold(lock_);")

# That a buffer has come back is said before it has: its credit stays away until another one comes.
gossamer_break(missing_credit flow_control gossamer/fabric/wire.cpp
  "  machine::preemption_point();
  const std::lock_guard hold(returned_lock_);
  returned_.push_back(&p);
  any_returned_.store(true, std::memory_order_relaxed);"
  "  any_returned_.store(true, std::memory_order_relaxed);
  machine::preemption_point();
  const std::lock_guard hold(returned_lock_);
  returned_.push_back(&p);")

# A packet may overtake one of the same source that waits for room in the mailbox.
gossamer_break(reordered_pair matching gossamer/message/internal/inbox.cpp
  "      blocked_.add_remote(source, *need);"
  "")

# Common room in a mailbox wakes only the source that it comes from.
gossamer_break(room_by_source matching gossamer/message/mailbox.cpp
  "    self_.room_freed(source, common);"
  "    self_.room_freed(source, false);")

# The same for fibers that send to their own core.
gossamer_break(own_room_by_source matching gossamer/message/mailbox.cpp
  "if ((common || source == self_.id()) && "
  "if (source == self_.id() && ")

# A source that has waited for room in the mailbox counts as waiting from then on: its requests wake no core.
gossamer_break(blocked_for_good matching gossamer/message/internal/inbox.cpp
  "      blocked_.remove_local(endpoint_index);  // or the next arrivals would not keep the core awake"
  "")

# Any signal wakes a waiting process, whichever it waits for.
gossamer_break(early_barrier collective gossamer/parallel/internal/exchange_barrier.cpp
  "    while (all.remote_flags_[flag] < all.remote_episode_ && !all.node_flag_set(flag))"
  "    if (all.remote_flags_[flag] < all.remote_episode_ && !all.node_flag_set(flag))")

# Any arrival wakes the process that counts them, whether or not all have come.
gossamer_break(early_count collective gossamer/parallel/internal/exchange_barrier.cpp
  "    while (all.remote_arrived_ < members - 1) all.wait_for_remote(self);"
  "    if (all.remote_arrived_ < members - 1) all.wait_for_remote(self);")

# The first process looks at the counter of one other.
gossamer_break(one_counter collective gossamer/parallel/internal/exchange_barrier.cpp
  "  void wait_for(unsigned member) { wait(barrier_flags::k_arrival + member); }"
  "  void wait_for(unsigned) { wait(barrier_flags::k_arrival + 1); }")

# Any answer wakes a waiting process, whichever round of an exchange of values it waits for.
gossamer_break(stale_values collective gossamer/parallel/internal/exchange_barrier.cpp
  "    while (slot.episode[remote_episode_ % 2] != remote_episode_) wait_for_remote(self);"
  "    if (slot.episode[remote_episode_ % 2] != remote_episode_) wait_for_remote(self);")

# The freezing core waits for all processes to have fetched, but not for its own.
gossamer_break(stale_view frozen_view gossamer/memory/array.cpp
  "      message::fiber_on(first_core(p), [a, element_bytes] { fetch_here(a, element_bytes); });"
  "      if (p == process()) {
        struct late { array_state* a; std::size_t element_bytes; };
        (void)message::endpoint::here().start(
            [](void* what) {
              const std::unique_ptr<late> l(static_cast<late*>(what));
              fetch_here(l->a, l->element_bytes);
            },
            new late{a, element_bytes}, \"late\", fiber::stack_class::regular);
      } else {
        message::fiber_on(first_core(p), [a, element_bytes] { fetch_here(a, element_bytes); });
      }")

# The wake epoch is read after the sleepers: a core that has just been woken passes for asleep.
gossamer_break(false_stall stall_report gossamer/fiber/internal/sleep_group.cpp
  "    group_.on_stall(wake_epoch);"
  "    group_.on_stall(group_.wake_epoch.load(std::memory_order_seq_cst));")

# Sleepers are looked at one after the other, and no check follows whether one has gone on meanwhile.
gossamer_break(slow_look stall_report gossamer/fiber/internal/sleep_group.cpp
  "group_.all_asleep() && group_.idle_count.load(std::memory_order_seq_cst) == idle_count &&"
  "group_.all_asleep() &&")

# A fiber that waits in finish() runs any task on its stack, not only its own children: one that waits for what this
# fiber does after its finish() keeps both waiting.
gossamer_break(helps_strangers fork_join gossamer/parallel/core.cpp
  "if (plain_.back().scope != &scope) return false;"
  ""
  PLAIN)

# A notification is sent before the data that it says is there.
gossamer_break(early_notification transfers gossamer/memory/transfer.cpp
  "  (void)move(call, to, from, ending::counted);
  machine::preemption_point();
  notify(then);"
  "  notify(then);
  machine::preemption_point();
  (void)move(call, to, from, ending::counted);")

# A notification travels among replies, where it overtakes the data.
gossamer_break(notification_overtakes transfers gossamer/memory/notification.cpp
  "  self.issue(to.owner(), notify_record{to.address()});"
  "  self.answer(to.owner(), notify_record{to.address()});")

# A put returns before its data is there: a core that is told of it gets what was there before.
gossamer_break(unfenced_put transfers gossamer/memory/transfer.cpp
  "      self.issue_request_counted(p.to_owner, fence_request{0}, sizeof(fence_answer));"
  "")

# A put of a large block counts as done where it begins to arrive.
gossamer_break(early_bulk_put transfers gossamer/message/bulk.cpp
  "                       .end = std::make_unique<counted_end>(done)});"
  "                       .end = nullptr});
    d.self.report_later(done, 1, nullptr);")

# A get of a large block is not waited for.
gossamer_break(uncounted_bulk_get transfers gossamer/message/bulk.cpp
  "    completion* const scope = self.scope();"
  "    completion* const scope = self.cores() == 0 ? self.scope() : nullptr;")

# A waiter falls asleep without a last look at what has come.
gossamer_break(missed_notification transfers gossamer/memory/notification.cpp
  "    if (!word_.compare_exchange_weak(now, now | 1, std::memory_order_release, std::memory_order_acquire))
      continue;"
  "    word_.fetch_or(1, std::memory_order_acq_rel);")

# Receives of MPI that leave source or tag open come before older ones that do not.
gossamer_break(wildcard_overtakes mpi gossamer/mpi/internal/matcher.hpp
  "return first_age < second_age;"
  "return first_age > second_age && first_age < second_age;"
  COMPILED gossamer/mpi/internal/messages.cpp)

# Such receives come after younger ones that leave nothing open.
gossamer_break(wildcard_overtaken mpi gossamer/mpi/internal/matcher.hpp
  "return first_age < second_age;"
  "return first_age != second_age;"
  COMPILED gossamer/mpi/internal/messages.cpp)

# A receive for any tag takes the lowest one first, not the oldest.
gossamer_break(tags_reordered mpi gossamer/mpi/internal/matcher.hpp
  "    for (Message* m = first_; m != nullptr; m = m->after)
      if (what.takes(m->what)) return m;
    return nullptr;"
  "    Message* lowest = nullptr;
    for (Message* m = first_; m != nullptr; m = m->after)
      if (what.takes(m->what) && (lowest == nullptr || m->what.tag < lowest->what.tag)) lowest = m;
    return lowest;"
  PLAIN COMPILED gossamer/mpi/internal/messages.cpp)

# The envelope of a large message travels among replies, where it overtakes small messages.
gossamer_break(envelope_overtakes mpi gossamer/mpi/internal/messages.cpp
  "  core().issue_uncounted(home_of(to), large_record{context, tag, data.size(), number});"
  "  core().answer(home_of(to), large_record{context, tag, data.size(), number});"
  PLAIN)

# A lane between processes is filled to its last byte: the line behind a packet, which is cleared before that is published, is the
# oldest packet's.
gossamer_break(lane_overrun flow_control gossamer/fabric/node_lane.hpp
  "return holds(skipped(most) + most + k_line_bytes);"
  "return holds(skipped(most) + most);"
  COMPILED gossamer/message/internal/outbox.cpp)

# What an earlier lap has left where the next packet will come is not cleared: some bytes of a message look like a mark.
gossamer_break(bytes_for_a_mark flow_control gossamer/fabric/node_lane.hpp
  "if (is_markless(at)) lane_.mark_at(at).store(k_none, std::memory_order_relaxed);"
  "(void)at, (void)k_none;"
  COMPILED gossamer/message/internal/outbox.cpp)

# Room in a lane is looked at for the block of a large message, but not for what is skipped at the ring's end.
gossamer_break(block_without_room flow_control gossamer/fabric/node_lane.hpp
  "return opened ? holds(lane_.packet_bytes + 2 * block_bytes()) : has_room_for(block_bytes());"
  "return opened ? holds(lane_.packet_bytes + 2 * block_bytes()) : holds(block_bytes());"
  COMPILED gossamer/message/internal/endpoint_wire.cpp)

# Packets that their reader holds up in a lane count as under way: a stall with some of them is never reported.
gossamer_break(held_up_for_ever stall_report gossamer/fabric/node_lane.hpp
  "return received_.load(std::memory_order_acquire) + (held_up() ? unread() : 0);  // pairs with pop()"
  "return received_.load(std::memory_order_acquire);  // pairs with pop()"
  COMPILED gossamer/fabric/node_lanes.cpp)

# The bits of a row are read and then cleared: one that is set in between is lost, and its packet stays until the next one.
gossamer_break(lost_arrival matching gossamer/fabric/node_lanes.hpp
  "const std::uint64_t bits = word.exchange(0, std::memory_order_relaxed);"
  "const std::uint64_t bits = word.load(std::memory_order_relaxed);
    machine::preemption_point();
    word.store(0, std::memory_order_relaxed);"
  COMPILED gossamer/message/internal/inbox.cpp)

# A core takes messages where none of its fibers is ready, not between their turns.
gossamer_break(deaf_while_busy progress gossamer/fiber/scheduler.cpp
  "    const bool moved = poll();"
  "    const bool moved = ready_.empty() && poll();"
  PLAIN)

# A process whose cores have slept once counts as quiet for a search for a stall: one of them computes meanwhile.
gossamer_break(computing_is_quiet stall_report gossamer/parallel/job.cpp
  "quiet_since_ == shared_.sleepers.wake_epoch.load(std::memory_order_seq_cst);"
  "quiet_since_ != ~std::uint64_t{0};")

# A core with any packet for the wire at hand stays awake, though no fiber waits for one of its kind: no stall is ever found.
gossamer_break(sleepless_core stall_report gossamer/message/internal/endpoint_send.cpp
  "    if (!wire_waiters_[static_cast<std::size_t>(kind)].empty() && out_.wire_pool(kind).available() != 0)"
  "    if (out_.wire_pool(kind).available() != 0)"
  PLAIN)
