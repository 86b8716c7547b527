# What the simulation must find within 2,000 seeds: mistakes that one makes, each in one place of the library,
# each such that an ordinary run passes. See cmake/GossamerProtocols.cmake.

# Any signal wakes a waiting process, whichever it waits for.
gossamer_break(early_barrier collective src/parallel/meeting.cpp
  "    while (all.far_flags_[flag] < all.far_episode_) all.wait_for_far(self);"
  "    if (all.far_flags_[flag] < all.far_episode_) all.wait_for_far(self);")

# Who freezes waits for all processes to have fetched, but not for its own.
gossamer_break(stale_view frozen_view src/memory/array.cpp
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
