#include "gossamer/mapreduce/internal/spilling/work_log.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>

#include "gossamer/base/error.hpp"
#include "gossamer/files/work_folder.hpp"
#include "gossamer/io/checksum.hpp"

namespace gossamer::mapreduce {
namespace {

/// Precedes each record. The log begins with one of no bytes, with the job in `sum`.
struct record_head {
  std::uint64_t mark, words, sum;
};
constexpr std::uint64_t k_record_mark = 0x64726f6365726267, k_log_mark = 0x2d676f6c2d73676f;
constexpr std::size_t k_block_words = 6;

constexpr std::size_t k_fixed_words = 9;

constexpr std::size_t words_for(std::size_t bytes) {
  return bytes / sizeof(std::uint64_t) + (bytes % sizeof(std::uint64_t) != 0 ? 1 : 0);
}

std::vector<std::uint64_t> words_of(const work_record& r) {
  const skipped_rows::summary& skipped = r.skipped.all();
  const std::string_view first = r.skipped.first();
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(r.what),
                                   r.emitted,
                                   r.done.size(),
                                   r.blocks.size(),
                                   skipped.rows,
                                   skipped.file,
                                   skipped.block_begin,
                                   skipped.at,
                                   first.size()};
  words.resize(words.size() + words_for(first.size()));
  std::memcpy(words.data() + k_fixed_words, first.data(), first.size());
  words.insert(words.end(), r.done.begin(), r.done.end());
  for (const listed_block& b : r.blocks)
    words.insert(words.end(), {b.list, b.block.pairs, b.block.place.at, b.block.place.stored,
                               b.block.place.raw, b.block.place.sum});
  return words;
}

/// Returns false if the words are no record: their checksum was right, so another program wrote them.
bool read_record(std::span<const std::uint64_t> words, work_record& r) {
  if (words.size() < k_fixed_words || words[0] > 1) return false;
  const std::uint64_t done = words[2], blocks = words[3], first_bytes = words[8],
                      text = words_for(first_bytes);
  if (done > words.size() || blocks > words.size() || text > words.size() ||
      k_fixed_words + text + done + blocks * k_block_words != words.size())
    return false;
  r.what = static_cast<work_record::kind>(words[0]);
  r.emitted = words[1];
  r.skipped.add({words[4], words[5], words[6], words[7]},
                {reinterpret_cast<const char*>(words.data() + k_fixed_words), first_bytes});
  words = words.subspan(k_fixed_words + text);
  r.done.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(done));
  words = words.subspan(done);
  for (; !words.empty(); words = words.subspan(k_block_words))
    r.blocks.push_back({words[0], {{words[2], words[3], words[4], words[5]}, words[1]}});
  return true;
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

std::string work_prefix(const std::string& folder, const std::string& part) {
  return folder + "/" + (part.empty() ? "" : part + "-");
}

std::string work_file(const std::string& prefix, core_id core, const char* what) {
  return fmt::format("{}core-{}.{}", prefix, core, what);
}

work_log::work_log(const std::string& prefix, core_id core, std::uint64_t job,
                   const machine::scratch_file& pairs, const machine::scratch_file& result)
    : file_(machine::scratch_file::named(work_file(prefix, core, "log"))) {
  const record_head begin{k_log_mark, 0, job};
  if (file_.bytes() < sizeof begin) {
    file_.shorten(0);
    file_.append(bytes_of(begin));
    file_.sync();
  }
  record_head head;
  file_.read(0, std::as_writable_bytes(std::span(&head, 1)));
  if (head.mark != k_log_mark || head.sum != job)
    throw error(fmt::format("{}: expected work of this job, found that of another: give another folder",
                            work_file(prefix, core, "log")));
  std::uint64_t at = sizeof begin;
  bool all_whole = true;
  io::block_codec codec;
  while (file_.bytes() - at >= sizeof head) {
    file_.read(at, std::as_writable_bytes(std::span(&head, 1)));
    const std::uint64_t left = (file_.bytes() - at - sizeof head) / sizeof(std::uint64_t);
    if (head.mark != k_record_mark || head.words > left) break;
    std::vector<std::uint64_t> words(head.words);
    file_.read(at + sizeof head, std::as_writable_bytes(std::span(words)));
    work_record r;
    if (io::checksum(std::as_bytes(std::span(words))) != head.sum || !read_record(words, r)) break;
    at += sizeof head + words.size() * sizeof words[0];
    bool whole = true;
    for (std::size_t b = 0; whole && b < r.blocks.size(); ++b)
      whole = codec.is_whole(r.what == work_record::kind::tasks ? pairs : result, r.blocks[b].block.place);
    all_whole &= whole;
    if (whole) found_.push_back(std::move(r));
  }
  file_.shorten(at);
  if (all_whole) return;
  // Dropped records are removed for good: their work goes into another record.
  file_.shorten(sizeof begin);
  for (const work_record& r : found_) add(r);
}

void work_log::add(const work_record& record) {
  const std::vector<std::uint64_t> words = words_of(record);
  const auto payload = std::as_bytes(std::span(words));
  const record_head head{k_record_mark, words.size(), io::checksum(payload)};
  std::vector<std::byte> bytes(sizeof head + payload.size());
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, payload.data(), payload.size());
  file_.append(bytes);
  file_.sync();
}

void begin_work(const std::string& folder, const std::string& part, const std::string& job) {
  (void)files::begin_work(folder, part.empty() ? "" : part + "-", job, "inputs, options, cores or program");
}

void remove_work(const std::string& prefix, core_id core) {
  for (const char* what : {"log", "pairs", "result"}) machine::remove_file(work_file(prefix, core, what));
  if (core == 0) machine::remove_file(prefix + "job");
}

}  // namespace gossamer::mapreduce
