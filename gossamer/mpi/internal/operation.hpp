#pragma once
// One send or receive of MPI under way. It stays where it is until it is done: on the stack of the fiber that waits, or in the
// request table. Used on the home core of its process only.
//
//   send, small:    done at once: the message was copied
//   send, large:    moving --the receiver has taken the data--> done
//   receive:        posted --a small message--> done
//                   posted --a large message--> matched --the data is asked for--> moving --the data is here--> done

#include <cstddef>
#include <cstdint>

#include "gossamer/message/request.hpp"
#include "gossamer/mpi/internal/matcher.hpp"

namespace gossamer::mpi {

enum class progress : std::uint8_t { idle, posted, matched, moving, done };

struct operation
    : waiting_entry<operation> {  // `what`: of a receive, what it asks for; of a send, where it goes
  const char* call = "";  // of the program
  std::byte* data = nullptr;
  std::size_t bytes = 0;  // of the buffer
  bool receives = false;
  progress at = progress::idle;
  int error = 0;
  envelope met;  // of the message that came
  std::size_t got = 0;  // its bytes
  std::uint64_t number = 0;  // of a large message, by its sender
  fiber::fiber* waiter = nullptr;  // suspended until `at` changes
  bool awaited = false;  // by a fiber in engine::wait()
  operation* next_matched = nullptr;
  request moved;  // the data of a large message
};

/// A message that no receive has taken. The bytes of a small one follow it.
struct message_kept : waiting_entry<message_kept> {
  message_kept* before = nullptr;
  message_kept* after = nullptr;
  std::size_t bytes = 0;
  std::uint64_t number = 0;  // of a large one
  bool large = false;
  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }
};

}  // namespace gossamer::mpi
