#include "gossamer/io/delimited_cuts.hpp"

#include <bit>

#include "gossamer/base/assert.hpp"
#include "gossamer/io/internal/delimiter_masks.hpp"

namespace gossamer::io {

std::uint64_t count_quotes(std::string_view text) {
  std::uint64_t count = 0;
  std::size_t at = 0;
  for (; text.size() - at >= k_block_bytes; at += k_block_bytes)
    count += static_cast<unsigned>(std::popcount(vector_block(text.data() + at).equal('"')));
  for (; at < text.size(); ++at) count += text[at] == '"';
  return count;
}

std::size_t next_record(std::string_view text, std::size_t from) {
  const std::size_t end = text.find('\n', from);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::size_t first_record_after(std::string_view chunk, bool in_quotes) {
  quote_parity parity(in_quotes);
  std::size_t at = 0;
  for (; chunk.size() - at >= k_block_bytes; at += k_block_bytes) {
    const vector_block block(chunk.data() + at);
    const std::uint64_t ends = block.equal('\n') & ~parity.inside(block.equal('"'));
    if (ends != 0) return at + static_cast<unsigned>(std::countr_zero(ends)) + 1;
  }
  bool inside = parity.in_quotes();
  for (; at < chunk.size(); ++at) {
    if (chunk[at] == '"') inside = !inside;
    if (chunk[at] == '\n' && !inside) return at + 1;
  }
  return chunk.size();
}

std::size_t record_start(std::string_view text, std::size_t at, bool in_quotes, bool quotes) {
  GOSSAMER_ASSERT(at <= text.size());
  if (at == 0 || (text[at - 1] == '\n' && !in_quotes)) return at;
  return quotes ? at + first_record_after(text.substr(at), in_quotes) : next_record(text, at);
}

std::size_t whole_records(std::string_view text, bool quotes) {
  if (!quotes) return text.rfind('\n') + 1;  // npos + 1 is 0
  bool inside = count_quotes(text) % 2 != 0;
  for (std::size_t at = text.size(); at > 0; --at) {
    if (text[at - 1] == '"') inside = !inside;
    if (text[at - 1] == '\n' && !inside) return at;
  }
  return 0;
}

}  // namespace gossamer::io
