#include "gossamer/mpi/internal/collective.hpp"

#include <cstring>
#include <memory>

#include <fmt/core.h>

namespace gossamer::mpi {

void collective::finish(operation& op, std::size_t expected) {
  e_.wait(op);
  if (op.receives && op.got != expected && !failed_)
    failed_ =
        failure{MPI_ERR_TRUNCATE, fmt::format("rank {} takes part with {} bytes, and this rank expects {}",
                                              op.met.source, op.got, expected)};
}

void collective::check() const {
  if (failed_) throw failure(*failed_);
}

void collective::send(int to, std::span<const std::byte> data) {
  operation op;
  start_send(op, to, data);
  finish(op, data.size());
}

void collective::receive(int from, std::span<std::byte> into) {
  operation op;
  start_receive(op, from, into);
  finish(op, into.size());
  check();
}

void collective::swap(int to, std::span<const std::byte> data, int from, std::span<std::byte> into) {
  operation in, out;
  start_receive(in, from, into);
  start_send(out, to, data);
  finish(in, into.size());
  finish(out, data.size());
  check();
}

void collective::barrier() {
  const int n = e_.size();
  for (int step = 1; step < n; step *= 2) swap((e_.rank() + step) % n, {}, (e_.rank() - step + n) % n, {});
}

void collective::broadcast(std::byte* data, std::size_t bytes, int root) {
  const int n = e_.size(), own = (e_.rank() - root + n) % n;  // numbered from the root
  int step = 1;
  while (step < n && (own & step) == 0) step *= 2;
  if (own != 0) receive((own - step + root) % n, {data, bytes});
  for (step /= 2; step > 0; step /= 2)
    if (own + step < n) send((own + step + root) % n, {data, bytes});
}

void collective::reduce(std::byte* data, std::size_t count, std::size_t element, combiner with, int root) {
  const int n = e_.size(), own = (e_.rank() - root + n) % n;
  const std::size_t bytes = count * element;
  const std::unique_ptr<std::byte[]> room(new std::byte[bytes]);
  for (int step = 1; step < n; step *= 2) {
    if ((own & step) != 0) return send((own - step + root) % n, {data, bytes});
    if (own + step >= n) continue;
    receive((own + step + root) % n, {room.get(), bytes});
    with(room.get(), data, count);
  }
}

void collective::reduce_to_all(std::byte* data, std::size_t count, std::size_t element, combiner with) {
  const int n = e_.size();
  const std::size_t bytes = count * element;
  if ((n & (n - 1)) != 0) {
    reduce(data, count, element, with, 0);
    return broadcast(data, bytes, 0);
  }
  const std::unique_ptr<std::byte[]> room(new std::byte[bytes]);
  for (int step = 1; step < n; step *= 2) {
    const int partner = e_.rank() ^ step;
    swap(partner, {data, bytes}, partner, {room.get(), bytes});
    with(room.get(), data, count);
  }
}

void collective::gather(const std::byte* own, std::byte* all, std::size_t bytes, int root) {
  if (e_.rank() != root) return send(root, {own, bytes});
  const auto n = static_cast<std::size_t>(e_.size());
  const std::unique_ptr<operation[]> in(new operation[n]);
  for (int r = 0; r < e_.size(); ++r)
    if (const auto i = static_cast<std::size_t>(r); r != root)
      start_receive(in[i], r, {all + i * bytes, bytes});
  if (own != nullptr && bytes != 0) std::memcpy(all + static_cast<std::size_t>(root) * bytes, own, bytes);
  for (int r = 0; r < e_.size(); ++r)
    if (r != root) finish(in[static_cast<std::size_t>(r)], bytes);
  check();
}

void collective::gather_to_all(std::byte* all, std::size_t bytes) {
  const int n = e_.size(), right = (e_.rank() + 1) % n, left = (e_.rank() - 1 + n) % n;
  const auto block = [&](int r) { return std::span(all + static_cast<std::size_t>(r) * bytes, bytes); };
  for (int step = 0; step < n - 1; ++step)
    swap(right, block((e_.rank() - step + n) % n), left, block((e_.rank() - step - 1 + n) % n));
}

void collective::exchange(const std::byte* from, std::byte* into, std::size_t bytes) {
  const int n = e_.size();
  const std::unique_ptr<operation[]> in(new operation[static_cast<std::size_t>(n)]);
  const std::unique_ptr<operation[]> out(new operation[static_cast<std::size_t>(n)]);
  for (int step = 1; step < n; ++step) {
    const auto r = static_cast<std::size_t>((e_.rank() - step + n) % n);
    start_receive(in[r], static_cast<int>(r), {into + r * bytes, bytes});
  }
  for (int step = 1; step < n; ++step) {
    const auto r = static_cast<std::size_t>((e_.rank() + step) % n);
    start_send(out[r], static_cast<int>(r), {from + r * bytes, bytes});
  }
  const auto own = static_cast<std::size_t>(e_.rank()) * bytes;
  if (bytes != 0) std::memcpy(into + own, from + own, bytes);
  for (int r = 0; r < n; ++r) {
    if (r == e_.rank()) continue;
    finish(in[static_cast<std::size_t>(r)], bytes);
    finish(out[static_cast<std::size_t>(r)], bytes);
  }
  check();
}

}  // namespace gossamer::mpi
