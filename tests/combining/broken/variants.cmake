# Mistakes that one makes in a combining structure; the histories must show each. See cmake/GossamerHistories.cmake.

# Requests join a batch whose commit has begun: what was told to the home core does not hold them.
gossamer_break_structure(combiner_reused counter gossamer/combining/engine/internal/local_combiner.cpp
  "    batch& b = *std::exchange(open_, nullptr);
    ++b.users_;
    commit(b);"
  "    batch& b = *open_;
    ++b.users_;
    commit(b);
    open_ = nullptr;")

# Requests are answered before what they asked for is global.
gossamer_break_structure(answered_early stack gossamer/combining/engine/internal/local_combiner.cpp
  "    ++b.users_;
    commit(b);"
  "    ++b.users_;
    for (const auto& early : std::exchange(b.waiters_, {})) self.wake(*early.who);
    --taken_;  // so that the structure may end meanwhile
    self.yield();
    commit(b);
    ++taken_;")

# The youngest values leave a queue first.
gossamer_break_structure(queue_reversed queue gossamer/combining/internal/sequence.hpp
  "    value_range& end = From == taking::last ? order_.back() : order_.front();"
  "    value_range& end = order_.back();
    if (From == taking::first && order_.size() > 1) std::swap(order_.front(), order_.back());")

# A pop takes the value of a push that was answered before, and that others may have popped.
gossamer_break_structure(stale_match stack gossamer/combining/stack.hpp
  "    if (pushed.empty()) {
      pops.push_back(&into);
      return true;
    }
    T value;
    store.take_back(pushed, &value);"
  "    static std::optional<T> last;
    if (pushed.empty() && last) return into = std::exchange(last, {}), false;
    if (pushed.empty()) {
      pops.push_back(&into);
      return true;
    }
    T value;
    store.take_back(pushed, &value);
    last = value;")

# A lookup is answered from an insertion of its core that is not global yet.
gossamer_break_structure(lookup_from_pending map gossamer/combining/tables/internal/dictionary.hpp
  "    const auto [index, first] = all.add(hash, key, sent);"
  "    if constexpr (std::is_same_v<Operation, finding<Value>>) {
      auto& pending = mine->template of<insertion<Value>>();
      if (!pending.empty()) {
        const auto [there, absent] = pending.add(hash, key, Value{});
        if (!absent) return {result::yes, pending[there].sent};
      }
    }
    const auto [index, first] = all.add(hash, key, sent);")

# Who erases a key together with others is told that it was there.
gossamer_break_structure(erased_twice set gossamer/combining/tables/internal/dictionary.hpp
  "    if (w.done == result::no_memory || first || Operation::k_shared) return w.answer();"
  "    if (w.done == result::no_memory || first || Operation::k_shared || std::is_same_v<Operation, erasure<Value>>)
      return w.answer();")

# Growth copies entries that were erased: an erasure is lost.
gossamer_break_structure(erase_lost growing_set gossamer/combining/tables/internal/table_segment.hpp
  "      put(larger, hash_of(e), e);
      ++n;
      return true;
    });"
  "      put(larger, hash_of(e), e);
      ++n;
      return true;
    });
    for (std::uint32_t i = 0; i <= mask_; ++i)
      for (unsigned slot = 0; slot < k_slots; ++slot)
        if ((tags(i).used() >> slot & 1) == 0) put(larger, hash_of(*entry(i, slot)), *entry(i, slot));")

# An insertion is answered when its batch is sent, before the owner has it: what its fiber does next overtakes it.
gossamer_break_structure(overtaken_insertion program_order gossamer/combining/engine/internal/local_combiner.cpp
  "    ++b.users_;
    commit(b);"
  "    ++b.users_;
    const bool early = std::string_view(name_) == \"hash set\";
    if (early) {
      for (const auto& w : std::exchange(b.waiters_, {})) self.wake(*w.who);
      --taken_;  // so that the structure may end meanwhile
      self.yield();
    }
    commit(b);
    taken_ += early;")

# With lookups::from_pending a lookup is answered from an insertion, which may yet find another value in the map.
gossamer_break_structure(pending_insertion pending_map gossamer/combining/tables/internal/dictionary.hpp
  "std::conditional_t<std::is_empty_v<Value>, insertion<Value>, assignment<Value>>;"
  "insertion<Value>;")

# With lookups::from_pending what a fiber asks for after a lookup reaches the owner before the assignment that answered it.
gossamer_break_structure(pending_last pending_map gossamer/combining/tables/internal/key_parts.hpp
  "      std::tuple<part_of<Key, Value, assignment<Value>>, part_of<Key, Value, insertion<Value>>,
                 part_of<Key, Value, finding<Value>>, part_of<Key, Value, erasure<Value>>>;"
  "      std::tuple<part_of<Key, Value, insertion<Value>>, part_of<Key, Value, finding<Value>>,
                 part_of<Key, Value, erasure<Value>>, part_of<Key, Value, assignment<Value>>>;")
