#include "gossamer/checkpoint/internal/manifest.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "gossamer/base/error.hpp"
#include "gossamer/io/checksum.hpp"

namespace gossamer::checkpoints {
namespace {

struct manifest_head {
  static constexpr std::uint64_t k_mark = 0x6b636568632d7367;  // "gs-check"
  static constexpr std::uint64_t k_form = 2;
  std::uint64_t mark, form, bytes, sum;
};

class manifest_writer {
 public:
  void word(std::uint64_t x) { bytes_.append(reinterpret_cast<const char*>(&x), sizeof x); }
  void text(std::string_view x) {
    word(x.size());
    bytes_.append(x);
    bytes_.append((8 - x.size() % 8) % 8, '\0');
  }
  void words(const std::vector<std::uint64_t>& all) {
    word(all.size());
    for (const std::uint64_t x : all) word(x);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class manifest_reader {
 public:
  manifest_reader(std::span<const std::byte> bytes, const std::string& path) : left_(bytes), path_(path) {}

  std::uint64_t word() {
    std::uint64_t x = 0;
    std::memcpy(&x, take(sizeof x).data(), sizeof x);
    return x;
  }
  std::string text() {
    const std::uint64_t n = word();
    if (n > left_.size()) refuse();
    const auto found = take(n);
    (void)take((8 - n % 8) % 8);
    return {reinterpret_cast<const char*>(found.data()), found.size()};
  }
  std::vector<std::uint64_t> words() {
    std::vector<std::uint64_t> all(count(sizeof(std::uint64_t)));
    for (std::uint64_t& x : all) x = word();
    return all;
  }
  /// Reads how many things follow, of so many bytes each at least.
  std::uint64_t count(std::uint64_t bytes_each) {
    const std::uint64_t n = word();
    if (n > left_.size() / bytes_each) refuse();
    return n;
  }
  bool is_at_end() const { return left_.empty(); }
  [[noreturn]] void refuse() const {
    throw error(fmt::format("{}: expected a checkpoint, found damaged bytes", path_));
  }

 private:
  std::span<const std::byte> take(std::uint64_t n) {
    if (n > left_.size()) refuse();
    const auto found = left_.first(n);
    left_ = left_.subspan(n);
    return found;
  }

  std::span<const std::byte> left_;
  const std::string& path_;
};

void put_item(manifest_writer& to, const stored_item& item) {
  to.text(item.name);
  to.word(static_cast<std::uint64_t>(item.kind));
  to.word(item.element_bytes);
  to.word(item.elements);
  to.word(static_cast<std::uint64_t>(item.where.how));
  to.word(item.where.block_elements);
  to.words(item.where.bounds);
  to.text(item.value);
  to.word(item.blocks.size());
  for (const stored_block& b : item.blocks)
    for (const std::uint64_t x : {b.process, b.core, b.first, b.at, b.bytes, b.sum}) to.word(x);
}

stored_item take_item(manifest_reader& from) {
  stored_item item;
  item.name = from.text();
  item.kind = static_cast<item_kind>(from.word());
  item.element_bytes = from.word();
  item.elements = from.word();
  item.where.how = static_cast<distribution::kind>(from.word());
  item.where.block_elements = from.word();
  item.where.bounds = from.words();
  item.value = from.text();
  item.blocks.resize(from.count(sizeof(stored_block)));
  for (stored_block& b : item.blocks)
    for (std::uint64_t* const x : {&b.process, &b.core, &b.first, &b.at, &b.bytes, &b.sum}) *x = from.word();
  return item;
}

}  // namespace

std::string text_of(const manifest& m) {
  manifest_writer to;
  for (const std::uint64_t x : {m.generation, m.job, m.cores, m.processes}) to.word(x);
  to.word(m.items.size());
  for (const stored_item& item : m.items) put_item(to, item);
  const std::string& rest = to.bytes();
  const manifest_head head{manifest_head::k_mark, manifest_head::k_form, rest.size(),
                           io::checksum(std::as_bytes(std::span(rest)))};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + rest;
}

manifest manifest_in(std::span<const std::byte> bytes, const std::string& path) {
  manifest_head head{};
  if (bytes.size() >= sizeof head) std::memcpy(&head, bytes.data(), sizeof head);
  if (head.mark != manifest_head::k_mark)
    throw error(fmt::format("{}: expected a checkpoint, found something else", path));
  if (head.form != manifest_head::k_form)
    throw error(fmt::format("{}: expected a checkpoint of form {}, found one of form {}", path,
                            manifest_head::k_form, head.form));
  bytes = bytes.subspan(sizeof head);
  manifest_reader from(bytes, path);
  if (head.bytes != bytes.size() || head.sum != io::checksum(bytes)) from.refuse();
  manifest m;
  for (std::uint64_t* const x : {&m.generation, &m.job, &m.cores, &m.processes}) *x = from.word();
  m.items.resize(from.count(sizeof(std::uint64_t)));
  for (stored_item& item : m.items) item = take_item(from);
  if (!from.is_at_end()) from.refuse();
  return m;
}

std::string part_name(const std::string& folder, std::uint64_t generation, std::uint64_t process) {
  return fmt::format("{}/{}-process-{}.part", folder, generation, process);
}

}  // namespace gossamer::checkpoints
