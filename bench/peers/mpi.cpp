// Two processes that exchange messages through an MPI library (built once for Open MPI and once for MPICH):
// ping-pong, streams of small messages and bandwidth by rank 0's clock. With --threads: ping-pong of
// 2 to 16 threads a process under MPI_THREAD_MULTIPLE, each pair with a tag of its own.

#define OMPI_SKIP_MPICXX 1  // the old C++ bindings want libraries of their own
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstddef>
#include <cstring>

#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

#ifdef OPEN_MPI
constexpr std::string_view k_peer = "Open MPI";
#else
constexpr std::string_view k_peer = "MPICH";
#endif

int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}

void show(const row& r) {
  if (rank() == 0) print_peer(k_peer, r);
}

/// Returns rank 0's number on every rank.
std::uint64_t agreed(std::uint64_t n) {
  MPI_Bcast(&n, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return n;
}

void send(numbered_message& m, int tag) {
  MPI_Send(m.data(), static_cast<int>(m.size()), MPI_BYTE, 1 - rank(), tag, MPI_COMM_WORLD);
}
void receive(numbered_message& m, int tag) {
  MPI_Recv(m.data(), static_cast<int>(m.size()), MPI_BYTE, 1 - rank(), tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

// --- pingpong -------------------------------------------------------------------------------------

/// Passes a message to and fro. Returns false where a message held another number than it should.
bool play(numbered_message& message, int tag, std::uint64_t rounds) {
  bool right = true;
  const int me = rank();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    if (me == 0) message.set(i), send(message, tag);
    receive(message, tag);
    right &= message.holds(i);
    if (me == 1) send(message, tag);
  }
  return right;
}

row one_way(const settings& s, std::uint64_t bytes, std::string name) {
  const std::uint64_t rounds = s.pick(20'000, 500);
  numbered_message message(bytes);
  bool right = true;
  const samples ns = repeat(s, [&] {
    MPI_Barrier(MPI_COMM_WORLD);
    return wall_ns_of([&] { right &= play(message, 0, rounds); }) / static_cast<double>(2 * rounds);
  });
  return checked(row_of("pingpong", std::move(name), "ns", ns), right);
}

void pingpong(const settings& s) {
  show(one_way(s, 8, std::string(k_pingpong_case)));
  for (const std::uint64_t bytes : message_sizes(s))
    show(point(one_way(s, bytes, pingpong_size_case(bytes)), k_pingpong_size_curve,
               static_cast<double>(bytes)));
}

struct crowd {
  unsigned threads;
  std::size_t bytes;
};

/// Plays so many rounds with all threads and returns the nanoseconds.
double play_all(const crowd& c, std::uint64_t rounds, std::atomic<bool>& right) {
  MPI_Barrier(MPI_COMM_WORLD);
  return wall_ns_of([&] {
    std::vector<std::jthread> all;
    for (unsigned t = 0; t < c.threads; ++t)
      all.emplace_back([&, t] {
        numbered_message message(c.bytes);
        if (!play(message, static_cast<int>(t), rounds)) right = false;
      });
  });
}

/// Returns as many rounds as take a while, which it finds by doubling: what convoys cost is not known before.
std::uint64_t enough_rounds(const settings& s, const crowd& c, std::atomic<bool>& right) {
  const double least_ns = s.pick(5e7, 5e6);
  for (std::uint64_t rounds = 4;; rounds *= 2) {
    const double took = play_all(c, rounds, right);
    if (agreed(took >= least_ns || rounds >= 1 << 16 ? 1 : 0) == 1) return rounds;
  }
}

row play_with(const settings& s, const crowd& c) {
  std::atomic<bool> right = true;
  const std::uint64_t rounds = enough_rounds(s, c, right);
  const samples ns =
      repeat(s, [&] { return play_all(c, rounds, right) / static_cast<double>(2 * rounds * c.threads); });
  return checked(row_of("pingpong", pingpong_fibers_case(c.threads, c.bytes), "ns", ns), right);
}

void pingpong_threads(const settings& s) {
  for (const std::size_t bytes : {8U, 64U})
    for (const unsigned threads : {2U, 4U, 8U, 16U})
      show(point(play_with(s, {threads, bytes}),
                 bytes == 8 ? k_pingpong_fibers_curve : k_pingpong_fibers64_curve, threads));
  for (const std::uint64_t bytes : paper_sizes(s))
    show(point(play_with(s, {k_paper_pairs, bytes}), k_paper_pairs_curve, static_cast<double>(bytes)));
}

// --- streams --------------------------------------------------------------------------------------

/// Returns the nanoseconds for messages from rank 0 to rank 1, in windows, until the last has been confirmed.
double stream_ns(std::vector<numbered_message>& window, std::uint64_t windows, bool& right) {
  std::vector<MPI_Request> requests(window.size());
  MPI_Barrier(MPI_COMM_WORLD);
  return wall_ns_of([&] {
    numbered_message confirmation(8);
    for (std::uint64_t w = 0; w < windows; ++w) {
      for (std::size_t i = 0; i < window.size(); ++i) {
        auto& m = window[i];
        const int bytes = static_cast<int>(m.size());
        if (rank() == 0) {
          m.set(w * window.size() + i);
          MPI_Isend(m.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
        } else {
          MPI_Irecv(m.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
        }
      }
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      if (rank() == 1)
        for (std::size_t i = 0; i < window.size(); ++i) right &= window[i].holds(w * window.size() + i);
    }
    confirmation.set(right ? 1 : 0);
    if (rank() == 1) return send(confirmation, 1);
    receive(confirmation, 1);
    right &= confirmation.holds(1);
  });
}

/// Measures messages of so many bytes. A value is per(ns for all of them, messages).
template <class Per>
row stream_of(const settings& s, std::uint64_t bytes, row shape, Per per) {
  const std::uint64_t windows = s.pick<std::uint64_t>(bytes > 4096 ? 200 : 2000, 20);
  std::vector<numbered_message> window(k_stream_window, numbered_message(bytes));
  bool right = true;
  const samples values = repeat(s, [&] {
    return per(stream_ns(window, windows, right), static_cast<double>(windows * k_stream_window));
  });
  return checked(row_of(shape.bench, shape.name, shape.unit, values), right);
}

row named(std::string_view bench, std::string_view name, std::string_view unit) {
  row r;
  r.bench = bench, r.name = name, r.unit = unit;
  return r;
}

void stream(const settings& s) {
  const auto millions = [](double ns, double messages) { return messages * 1e3 / ns; };
  row small = stream_of(s, 8, named("stream", k_stream8_case, "M/s"), millions);
  show(small);
  small.name = k_stream_two_sided_case;  // here they are the same
  show(small);
  show(stream_of(s, 64, named("stream", k_stream64_case, "M/s"), millions));
}

/// Sends windows of large messages from rank 0 to 1, or both ways at once. Returns the nanoseconds.
double exchange_ns(std::vector<std::byte>& out, std::vector<std::byte>& in, std::uint64_t windows, bool both,
                   bool& right) {
  const bool sends = both || rank() == 0, receives = both || rank() == 1;
  const std::size_t bytes = out.size() / k_large_window;
  MPI_Barrier(MPI_COMM_WORLD);
  return wall_ns_of([&] {
    for (std::uint64_t w = 0; w < windows; ++w) {
      std::vector<MPI_Request> requests;
      for (std::size_t i = 0; i < k_large_window; ++i) {
        const std::uint64_t number = w * k_large_window + i;
        const auto n = static_cast<int>(bytes), tag = static_cast<int>(i);
        if (receives)
          MPI_Irecv(in.data() + i * bytes, n, MPI_BYTE, 1 - rank(), tag, MPI_COMM_WORLD,
                    &requests.emplace_back());
        std::memcpy(out.data() + i * bytes, &number, sizeof number);
        if (sends)
          MPI_Isend(out.data() + i * bytes, n, MPI_BYTE, 1 - rank(), tag, MPI_COMM_WORLD,
                    &requests.emplace_back());
      }
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      for (std::size_t i = 0; i < k_large_window && receives; ++i)
        right &= std::memcmp(in.data() + i * bytes, out.data() + i * bytes, sizeof(std::uint64_t)) == 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  });
}

void large(const settings& s) {
  const std::uint64_t windows = s.pick(50, 2);
  std::vector<std::byte> out(k_large_window * k_large_bytes), in(out.size());
  for (const bool both : {false, true}) {
    bool right = true;
    const samples rates = repeat(s, [&] {
      const double ns = exchange_ns(out, in, windows, both, right);
      return static_cast<double>((both ? 2 : 1) * windows * out.size()) / ns;
    });
    show(checked(row_of("bandwidth", large_case(both), "GB/s", rates), right));
  }
}

void bandwidth(const settings& s) {
  for (const std::uint64_t bytes : message_sizes(s)) {
    const auto gigabytes = [&](double ns, double messages) {
      return messages * static_cast<double>(bytes) / ns;
    };
    const row r = stream_of(s, bytes, named("bandwidth", bandwidth_case(bytes, false), "GB/s"), gigabytes);
    show(point(r, k_unaggregated_curve, static_cast<double>(bytes)));
  }
  large(s);
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  int level = 0;
  MPI_Init_thread(&argc, &argv, a.with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  if (a.with_threads && level == MPI_THREAD_MULTIPLE && a.bench == "pingpong") pingpong_threads(a.asked);
  if (!a.with_threads && a.bench == "pingpong") pingpong(a.asked);
  if (!a.with_threads && a.bench == "stream") stream(a.asked);
  if (!a.with_threads && a.bench == "bandwidth") bandwidth(a.asked);
  MPI_Finalize();
}
