// Writes the native format (native_layout.hpp): checksums first, then all sections, in parallel if the file
// allows.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/internal/native_layout.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

using namespace native;

std::span<const std::byte> bytes_of(const void* data, std::uint64_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}

class native_writer {
 public:
  native_writer(const graph& g, const std::string& path)
      : file_(path), out_(g.view(), g.view().out), in_(g.view(), g.view().in) {
    lay_out(g);
    sums_.resize(blocks());
  }

  // Writes the checksums first, because the header has theirs; then all sections, in parallel if the file
  // allows.
  void write(const progress_hook& progress) {
    const std::uint64_t round = out_.in_place() ? blocks() : k_window_blocks;
    for (std::uint64_t first = 0; first < blocks(); first += round) {
      const std::uint64_t last = std::min(first + round, blocks());
      bring(first, last);
      local::forall_chunks(first, last, 8, [this](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) sums_[b] = io::checksum(block(b));
      });
    }
    h_.checksums_checksum = io::checksum(bytes_of(sums_.data(), h_.checksums.bytes));
    h_.header_checksum = io::checksum(bytes_of(&h_, offsetof(header, header_checksum)));
    if (file_.is_regular())
      write_parallel(progress);
    else
      write_in_order();
    file_.commit();
  }

 private:
  static constexpr std::uint64_t k_window_blocks = 32;  // rows of other processes: 8 MiB at a time

  void lay_out(const graph& g) {
    const graph_view v = g.view();
    const labels& names = g.names();
    h_.version = k_native_version;
    h_.header_bytes = sizeof(header);
    h_.id_bytes = sizeof(vertex_id);
    h_.directed = v.directed;
    h_.in_is_out = v.in.targets == v.out.targets;
    h_.label_form = static_cast<std::uint8_t>(names.form());
    h_.vertices = v.vertices;
    h_.arcs = v.arcs;
    h_.weight_form = static_cast<std::uint64_t>(v.weights);
    h_.first_label = names.first();
    h_.edges_read = g.statistics().edges_read;
    h_.duplicates = g.statistics().duplicates;
    h_.self_loops = g.statistics().self_loops;
    h_.negative_loops = g.statistics().negative_loops;
    h_.weights = g.statistics().weights;
    const std::uint64_t offsets = (v.vertices + 1) * 8, targets = v.arcs * sizeof(vertex_id);
    data_[out_offsets] = reinterpret_cast<const std::byte*>(out_.offsets());
    data_[in_offsets] = reinterpret_cast<const std::byte*>(in_.offsets());
    data_[label_values] = std::as_bytes(names.values()).data();
    data_[label_bytes] = std::as_bytes(names.bytes()).data();
    const bool both = h_.in_is_out == 0;
    const std::uint64_t weights = v.arcs * weight_bytes(v.weights);
    const std::array<std::uint64_t, sections> bytes{offsets,
                                                    targets,
                                                    both ? offsets : 0,
                                                    both ? targets : 0,
                                                    names.values().size_bytes(),
                                                    names.bytes().size_bytes(),
                                                    weights,
                                                    both ? weights : 0};

    std::uint64_t at = k_data_begin;
    for (std::size_t s = 0; s < sections; ++s) {
      h_.section[s] = {at, bytes[s]};
      at = round_up(at + bytes[s], k_align);
    }
    h_.block_bytes = k_block_bytes;
    h_.checksums.begin = at;
    h_.checksums.bytes = blocks() * 8;
    h_.file_bytes = at + h_.checksums.bytes;
  }

  std::uint64_t blocks() const { return divide_up(h_.checksums.begin - k_data_begin, k_block_bytes); }
  std::uint64_t block_begin(std::uint64_t b) const { return k_data_begin + b * k_block_bytes; }

  // Makes the targets in blocks [first, last) readable at data_.
  void bring(std::uint64_t first, std::uint64_t last) {
    bring(out_targets, out_, block_begin(first), block_begin(last));
    bring(in_targets, in_, block_begin(first), block_begin(last));
    bring(out_weights, out_, block_begin(first), block_begin(last));
    bring(in_weights, in_, block_begin(first), block_begin(last));
  }
  void bring(section s, remote_row_cache& rows, std::uint64_t begin, std::uint64_t end) {
    const extent& x = h_.section[s];
    const std::uint64_t from = std::max(begin, x.begin), to = std::min(end, x.begin + x.bytes);
    if (from >= to) return;
    const bool of_weights = s == out_weights || s == in_weights;
    const std::uint64_t bytes =
        of_weights ? weight_bytes(static_cast<weight_type>(h_.weight_form)) : sizeof(vertex_id);
    const std::uint64_t arc = (from - x.begin) / bytes, end_arc = divide_up(to - x.begin, bytes);
    data_[s] =
        of_weights ? rows.weights(arc, end_arc) : reinterpret_cast<const std::byte*>(rows.arcs(arc, end_arc));
    skipped_[s] = arc * bytes;
  }

  // Returns the bytes of a block: sections and the zeros between them, assembled in this core's memory.
  std::span<const std::byte> block(std::uint64_t b) {
    const std::uint64_t begin = block_begin(b), end = std::min(begin + k_block_bytes, h_.checksums.begin);
    auto& bytes = scratch_.here();
    bytes.assign(end - begin, std::byte{0});
    for (std::size_t s = 0; s < sections; ++s) {
      const extent& x = h_.section[s];
      const std::uint64_t from = std::max(begin, x.begin), to = std::min(end, x.begin + x.bytes);
      if (from < to)
        std::memcpy(bytes.data() + (from - begin), data_[s] + (from - x.begin - skipped_[s]), to - from);
    }
    return bytes;
  }

  std::vector<std::byte> first_page() const {
    std::vector<std::byte> page(k_data_begin);
    std::memcpy(page.data(), &h_, sizeof h_);
    return page;
  }

  void write_parallel(const progress_hook& progress) {
    file_.resize(h_.file_bytes);
    file_.write_at(0, first_page());
    file_.write_at(h_.checksums.begin, bytes_of(sums_.data(), h_.checksums.bytes));
    const std::uint64_t round = out_.in_place() ? 1024 : k_window_blocks;  // between reports
    for (std::uint64_t b = 0; b < blocks(); b += round) {
      report(progress, "writing", block_begin(b), h_.file_bytes);
      const std::uint64_t end = std::min(b + round, blocks());
      bring(b, end);
      local::forall_chunks(b, end, 8, [this](std::uint64_t from, std::uint64_t to) {
        for (; from < to; ++from) file_.write_at(block_begin(from), block(from));
      });
    }
  }

  void write_in_order() {
    file_.write(std::span<const std::byte>(first_page()));
    for (std::uint64_t b = 0; b < blocks(); ++b) {
      bring(b, b + 1);
      file_.write(block(b));
    }
    file_.write(bytes_of(sums_.data(), h_.checksums.bytes));
  }

  machine::output_file file_;
  header h_;
  remote_row_cache out_, in_;
  std::array<const std::byte*, sections> data_{};  // by section, starting with its first readable value
  std::array<std::uint64_t, sections> skipped_{};  // bytes
  std::vector<std::uint64_t> sums_;
  local::scoped_per_core<std::vector<std::byte>> scratch_;
};

}  // namespace

void write_native(const graph& g, const std::string& path, const progress_hook& progress) {
  require_clean_names(g.names(), path);
  std::make_unique<native_writer>(g, path)->write(progress);
}

}  // namespace gossamer::graph
