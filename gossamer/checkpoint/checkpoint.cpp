#include "gossamer/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/files/work_folder.hpp"
#include "gossamer/io/checksum.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/program_digest.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {
namespace checkpoints {

/// The state of a checkpoint in a process.
struct process_share {
  std::string folder;
  std::string text;  // of the manifest
  manifest found;
  std::optional<machine::output_file> part;
  std::uint64_t bytes = 0;  // in the part
};

namespace {

constexpr std::size_t k_block_bytes = std::size_t{1} << 20;
constexpr unsigned k_shares_of_time = 20;  // writing takes at most one of so many

using process_shares = per_process<process_share>;

constexpr std::string_view k_moment =
    "moment-";  // followed by 16 digits: a file by which processes check that they see one folder

constexpr std::string_view k_differs = "inputs, options or program";  // between jobs

std::string manifest_path(const std::string& folder) { return folder + "/manifest"; }

std::string job_path(const std::string& folder) { return folder + "/job"; }

/// Returns a duration in whole nanoseconds, at most 2^63 of them: no job lives that long.
std::uint64_t nanoseconds_of(double seconds) {
  constexpr double k_most = 0x1p63;
  return static_cast<std::uint64_t>(std::min(seconds * 1e9, k_most));
}

/// Returns the generation of a part, or 0 if the file is none: "7-process-2.part".
std::uint64_t generation_of(const std::string& name) {
  constexpr std::string_view k_middle = "-process-", k_end = ".part";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t digits =
      static_cast<std::size_t>(std::ranges::find_if_not(name, is_digit) - name.begin());
  if (digits == 0 || digits > 18 || name.compare(digits, k_middle.size(), k_middle) != 0) return 0;
  const std::string_view rest = std::string_view(name).substr(digits + k_middle.size());
  if (!rest.ends_with(k_end) || rest.size() == k_end.size()) return 0;
  if (!std::ranges::all_of(rest.substr(0, rest.size() - k_end.size()), is_digit)) return 0;
  return std::stoull(name.substr(0, digits));
}

bool is_moment(const std::string& name) {
  return name.starts_with(k_moment) && name.size() == k_moment.size() + 16;
}

/// Returns the generation of the part that an unfinished file was to become: a killed process leaves one where files need names.
std::uint64_t generation_of_unfinished(const std::string& name) {
  constexpr std::string_view k_end = ".part";
  const auto end = name.find(".part.tmp-");
  return name.starts_with('.') && end != name.npos ? generation_of(name.substr(1, end - 1 + k_end.size()))
                                                   : 0;
}

/// Removes the parts of all other generations, unfinished ones, too, and files of a moment.
void remove_left_over(const std::string& folder, std::uint64_t but) {
  std::error_code none_there;
  std::vector<std::string> old;
  for (const auto& file : std::filesystem::directory_iterator(folder, none_there)) {
    const std::string name = file.path().filename().string();
    const std::uint64_t generation = std::max(generation_of(name), generation_of_unfinished(name));
    if ((generation != 0 && generation != but) || is_moment(name)) old.push_back(file.path().string());
  }
  for (const std::string& path : old) machine::remove_file(path);
}

/// Does the same after a failure that is about to be reported: what stays is removed by the next save.
void try_to_remove_left_over(const std::string& folder, std::uint64_t but) {
  try {
    remove_left_over(folder, but);
  } catch (const std::exception&) {}
}

/// Checks that all processes see one folder, not a local one on each node: they look for a file that process
/// 0 has just made. If this start is killed, the next one removes it. By the main fiber.
void require_one_folder(process_shares all) {
  if (processes() == 1) return;
  const std::uint64_t moment = hash64(machine::now_ns() ^ machine::process_id());
  const auto path_in = [moment](const std::string& folder) {
    return fmt::format("{}/{}{:016x}", folder, k_moment, moment);
  };
  const std::string path = path_in(all.here().folder);
  machine::scratch_file::named(path).sync();
  try {
    on_all_processes([all, path_in] {
      const process_share& mine = all.here();
      if (!std::filesystem::exists(path_in(mine.folder)))
        throw error(fmt::format("{}: expected a folder that all processes see, {} does not see that of {}",
                                mine.folder, fabric::process_name(process()), fabric::process_name(0)));
    });
  } catch (...) {
    machine::remove_file(path);
    throw;
  }
  machine::remove_file(path);
}

/// Returns the distribution of an array in one form, however it was requested.
distribution distribution_of(const memory::layout& where) {
  if (where.contiguous()) {
    std::vector<std::uint64_t> bounds;
    for (core_id c = 0; c <= cores(); ++c) bounds.push_back(where.owned_begin(c));
    return by_boundaries(std::move(bounds));
  }
  const distribution in_turn = block_cyclic(where.run_end(0, ~std::uint64_t{0}));
  return memory::layout(in_turn, where.size(), cores()) == where ? in_turn : hashed(in_turn.block_elements);
}

// --- writing ------------------------------------------------------------------------------------

/// Computes the offset of each core's data: behind that of the items before, core by core. On the first core
/// of a process.
void place_data(core_shares shares, process_share& mine) {
  for (core_id c = 0; c < local::cores(); ++c) {
    core_share& share = shares.at(first_core(process()) + c);
    share.at = mine.bytes;
    mine.bytes += share.data.size();
  }
}

/// Writes this core's data, block by block.
void write_data(core_share& mine, machine::output_file& part, std::uint64_t element_bytes) {
  const std::uint64_t each = std::max<std::uint64_t>(1, k_block_bytes / element_bytes) * element_bytes;
  for (std::uint64_t first = 0; first < mine.data.size(); first += each) {
    const auto block = mine.data.subspan(first, std::min<std::uint64_t>(each, mine.data.size() - first));
    part.write_at(mine.at + first, block);
    mine.blocks.push_back({process(), here(), first, mine.at + first, block.size(), io::checksum(block)});
  }
}

/// Writes an item to the parts, and returns where its blocks are.
std::vector<stored_block> write_item(const kept_item& item, core_shares shares, process_shares all) {
  on_all_cores([shares] {
    shares.here().buffer.clear();
    shares.here().blocks.clear();
  });
  if (item.kind == item_kind::array) {
    on_all_cores([shares, array = item.array.array, bytes = item.element_bytes] {
      const memory::layout& where = array->where;
      shares.here().data = {array->data + where.owned_begin(here()) * bytes,
                            where.owned_size(here()) * bytes};
    });
  } else {
    item.collect(shares);
    on_all_cores([shares] { shares.here().data = shares.here().buffer; });
  }
  on_all_processes([shares, all] { place_data(shares, all.here()); });
  on_all_cores([shares, all, bytes = item.element_bytes] {
    write_data(shares.here(), *all.here().part, bytes);
    shares.here().data = {};
    shares.here().buffer = {};
  });
  std::vector<stored_block> blocks;
  for (const auto& of_core : collect_spans<stored_block>(
           shares, [](core_share& s) { return std::span<const stored_block>(s.blocks); }))
    blocks.insert(blocks.end(), of_core.begin(), of_core.end());
  return blocks;
}

/// Flushes the part of this process to the disk, and gives it its name.
void finish_part(process_share& mine, std::uint64_t generation) {
  mine.part->commit();
  mine.part.reset();
  machine::scratch_file::named(part_name(mine.folder, generation, process())).sync();
}

/// Flushes the manifest to the disk, then replaces the previous one, and sets `is_replaced`. The parts are on
/// the disk already.
void write_manifest(const std::string& folder, const std::string& text, bool& is_replaced) {
  machine::sync_folder(folder);
  const std::string path = manifest_path(folder), made = path + ".new";
  {
    machine::scratch_file file = machine::scratch_file::named(made);
    file.shorten(0);
    file.append(std::as_bytes(std::span(text)));
    file.sync();
  }
  machine::rename_file(made, path);
  is_replaced = true;
  machine::sync_folder(folder);
}

// --- reading ------------------------------------------------------------------------------------

/// Reads blocks of parts, one part after another.
class part_reader {
 public:
  part_reader(const std::string& folder, std::uint64_t generation)
      : folder_(folder), generation_(generation) {}

  /// Returns a block, which is valid until the next call. Throws if it differs from what was written.
  std::span<const std::byte> read(const stored_block& b, const std::string& item) {
    if (!is_open_ || process_ != b.process) {
      file_ = machine::mapped_file(part_name(folder_, generation_, b.process));
      process_ = b.process;
      is_open_ = true;
    }
    const auto all = file_.bytes();
    if (b.bytes > all.size() || b.at > all.size() - b.bytes)
      throw error(fmt::format("{}: expected {} bytes of \"{}\" from byte {} on, found the end at {}",
                              file_.path(), b.bytes, item, b.at, all.size()));
    const auto block = all.subspan(b.at, b.bytes);
    if (io::checksum(block) != b.sum)
      throw error(fmt::format("{}: expected what was written of \"{}\" from byte {} on, found other bytes",
                              file_.path(), item, b.at));
    return block;
  }
  /// Frees the memory of a block that has been read.
  void forget(const stored_block& b) const { file_.discard(b.at, b.bytes); }

 private:
  const std::string& folder_;
  std::uint64_t generation_;
  machine::mapped_file file_;
  std::uint64_t process_ = 0;
  bool is_open_ = false;
};

/// Puts the elements of a block to their present places.
void put_elements(const memory::array_state& to, const memory::side& all, const memory::layout& before,
                  const stored_block& b, std::span<const std::byte> bytes) {
  const std::uint64_t each = all.element_bytes, end = b.first / each + bytes.size() / each;
  for (std::uint64_t k = b.first / each; k < end;) {
    const std::uint64_t run = before.run_end(k, end) - k;
    memory::side target = all;
    target.index = before.index(static_cast<unsigned>(b.core), k);
    target.shape = {1, run, run};
    const memory::side source{.owner = here(),
                              .at = const_cast<std::byte*>(bytes.data()) + (k * each - b.first),  // only read
                              .shape = {1, run, run},
                              .element_bytes = all.element_bytes};
    GOSSAMER_ASSERT(target.index + run <= to.where.size());
    memory::transfer("checkpoint::restore", target, source, memory::ending::counted);
    k += run;
  }
}

/// Reads this core's share of an array: the blocks whose first element it owns.
void read_array(const memory::side& all, const process_share& mine, std::size_t number) {
  const stored_item& item = mine.found.items[number];
  const memory::array_state& to = *all.array;
  const memory::layout before(item.where, item.elements, static_cast<unsigned>(mine.found.cores));
  const bool is_same = mine.found.cores == cores() && before == to.where;
  part_reader parts(mine.folder, mine.found.generation);
  for (const stored_block& b : item.blocks) {
    const std::uint64_t first = b.first / all.element_bytes;
    const std::uint64_t owner =
        is_same ? b.core : to.where.owner(before.index(static_cast<unsigned>(b.core), first));
    if (owner != here()) continue;
    const auto bytes = parts.read(b, item.name);
    if (is_same)
      std::memcpy(to.data + (to.where.owned_begin(here())) * all.element_bytes + b.first, bytes.data(),
                  bytes.size());
    else
      put_elements(to, all, before, b, bytes);
    parts.forget(b);
  }
}

/// Reads the records that this core receives: those of the cores at its share of them.
void read_records(core_share& share, const process_share& mine, std::size_t number) {
  share.buffer.clear();
  const stored_item& item = mine.found.items[number];
  part_reader parts(mine.folder, mine.found.generation);
  for (const stored_block& b : item.blocks) {
    if (b.core * cores() / mine.found.cores != here()) continue;
    const auto bytes = parts.read(b, item.name);
    share.buffer.insert(share.buffer.end(), bytes.begin(), bytes.end());
  }
}

void read_item(const kept_item& item, std::size_t number, core_shares shares, process_shares all) {
  switch (item.kind) {
    case item_kind::value: {
      const std::string& value = all.here().found.items[number].value;
      std::memcpy(item.value.data(), value.data(), value.size());
      break;
    }
    case item_kind::array:
      on_all_cores([all, array = item.array, number] { read_array(array, all.here(), number); });
      break;
    case item_kind::records:
      on_all_cores([shares, all, number] { read_records(shares.here(), all.here(), number); });
      item.deliver(shares);
      on_all_cores([shares] { shares.here().buffer = {}; });
      break;
  }
}

}  // namespace
}  // namespace checkpoints

struct checkpoint_folder::state {
  std::string path;
  machine::scratch_file job;  // open, so that no other start takes the folder
};

struct checkpoint::state {
  explicit state(const checkpoint_options& o) : options(o) {}

  /// Locks the folder. Throws if it has the work of another job.
  void open(const std::string& description);
  /// Reads the manifest on all processes. Throws if it is that of another job.
  void read_manifest();
  /// Throws if the added objects differ from the contents of the checkpoint.
  void check_items() const;
  void write(std::uint64_t generation);

  checkpoint_options options;
  checkpoint_folder folder;
  std::uint64_t job = 0;  // the checksum of its description
  scoped_per_process<checkpoints::process_share> processes_have;
  scoped_per_core<checkpoints::core_share> cores_have;
  std::vector<std::pair<std::string, checkpoints::kept_item>> items;
  std::uint64_t generation = 0;  // the last one on the disk
  bool is_replaced = false;  // whether the last save() has replaced the manifest
  std::uint64_t last_ns = machine::now_ns();  // when the last one was written
  std::uint64_t cost_ns = 0;  // duration of writing it
};

checkpoint::checkpoint(const checkpoint_options& options, const std::string& job) {
  if (options.folder.empty()) return;
  if (!(options.seconds >= 0))
    throw error(fmt::format("checkpoint: expected 0 seconds or more from one to the next, found {}",
                            options.seconds));
  state_ = std::make_unique<state>(options);
  state_->open(fmt::format("checkpoint of a job, form 1\nprogram {:016x}\n{}\n",
                           machine::digest_of_self("").program, job));
  state_->read_manifest();
  checkpoints::remove_left_over(options.folder, state_->generation);
}

void checkpoint::state::open(const std::string& description) {
  folder.state_ = std::make_shared<checkpoint_folder::state>(
      options.folder, files::begin_work(options.folder, "", description, checkpoints::k_differs));
  job = io::checksum(std::as_bytes(std::span(description)));
}

void checkpoint::state::read_manifest() {
  const checkpoints::process_shares all = processes_have.handle();
  checkpoints::process_share& mine = all.here();
  mine.folder = options.folder;
  const std::string path = checkpoints::manifest_path(options.folder);
  if (std::filesystem::exists(path)) {
    mine.text = machine::mapped_file(path).text();
    if (mine.text.empty()) throw error(fmt::format("{}: expected a checkpoint, found an empty file", path));
  }
  share_text(all, &checkpoints::process_share::folder);
  share_text(all, &checkpoints::process_share::text);
  checkpoints::require_one_folder(all);
  on_all_processes([all] {
    checkpoints::process_share& own = all.here();
    if (!own.text.empty())
      own.found = checkpoints::manifest_in(std::as_bytes(std::span(own.text)),
                                           checkpoints::manifest_path(own.folder));
    own.text = {};
  });
  generation = mine.found.generation;
  if (generation == 0 || mine.found.job == job) return;
  machine::remove_file(checkpoints::job_path(options.folder));  // it was lost: this start has made another
  files::refuse_work(options.folder, checkpoints::k_differs);
}

checkpoint_folder checkpoint::folder() const { return state_ ? state_->folder : checkpoint_folder(); }

checkpoint::checkpoint() = default;
checkpoint::~checkpoint() = default;
checkpoint::checkpoint(checkpoint&&) noexcept = default;
checkpoint& checkpoint::operator=(checkpoint&&) noexcept = default;

std::optional<std::uint64_t> checkpoint::elements_of(const std::string& name) const {
  if (!state_) return std::nullopt;
  for (const checkpoints::stored_item& item : state_->processes_have.here().found.items)
    if (item.name == name) return item.elements;
  return std::nullopt;
}

void checkpoint::add(const std::string& name, checkpoints::kept_item item) {
  for (const auto& [other, _] : state_->items)
    GOSSAMER_ASSERT(other != name, "checkpoint::add: two things have one name");
  state_->items.emplace_back(name, std::move(item));
}

void checkpoint::state::check_items() const {
  const checkpoints::manifest& found = processes_have.here().found;
  const auto refuse = [&](const std::string& expected, const std::string& there) {
    throw error(fmt::format("{}: expected {}, found {}", checkpoints::manifest_path(options.folder), expected,
                            there));
  };
  if (found.items.size() != items.size())
    refuse(fmt::format("{} things", items.size()), std::to_string(found.items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& [name, item] = items[i];
    const checkpoints::stored_item& there = found.items[i];
    if (there.name != name) refuse(fmt::format("\"{}\"", name), fmt::format("\"{}\"", there.name));
    if (there.kind != item.kind) refuse(fmt::format("another kind of \"{}\"", name), "this one");
    if (there.element_bytes != item.element_bytes)
      refuse(fmt::format("elements of {} bytes in \"{}\"", item.element_bytes, name),
             std::to_string(there.element_bytes));
    if (item.kind == checkpoints::item_kind::value && there.value.size() != item.value.size())
      refuse(fmt::format("{} bytes of \"{}\"", item.value.size(), name), std::to_string(there.value.size()));
    if (item.kind == checkpoints::item_kind::array && there.elements != item.array.array->where.size())
      refuse(fmt::format("{} elements of \"{}\"", item.array.array->where.size(), name),
             std::to_string(there.elements));
  }
}

bool checkpoint::restore() {
  if (!state_ || state_->generation == 0) return false;
  GOSSAMER_ASSERT(state_->processes_have.here().found.generation == state_->generation,
                  "checkpoint::restore: comes before the first save()");
  state_->check_items();
  for (std::size_t i = 0; i < state_->items.size(); ++i)
    checkpoints::read_item(state_->items[i].second, i, state_->cores_have.handle(),
                           state_->processes_have.handle());
  state_->last_ns = machine::now_ns();
  return true;
}

bool checkpoint::is_due() const {
  if (!state_) return false;
  if (state_->options.seconds == 0) return true;
  const std::uint64_t waits = std::max(checkpoints::nanoseconds_of(state_->options.seconds),
                                       state_->cost_ns * (checkpoints::k_shares_of_time - 1));
  return machine::now_ns() - state_->last_ns >= waits;
}

void checkpoint::state::write(std::uint64_t next) {
  const checkpoints::process_shares all = processes_have.handle();
  on_all_processes([all, next] {
    checkpoints::process_share& mine = all.here();
    mine.bytes = 0;
    mine.part.emplace(checkpoints::part_name(mine.folder, next, process()));
  });
  checkpoints::manifest written{.generation = next, .job = job, .cores = cores(), .processes = processes()};
  for (const auto& [name, item] : items) {
    checkpoints::stored_item& stored =
        written.items.emplace_back(checkpoints::stored_item{name, item.kind, item.element_bytes});
    if (item.kind == checkpoints::item_kind::value) {
      stored.value.assign(reinterpret_cast<const char*>(item.value.data()), item.value.size());
      continue;
    }
    if (item.kind == checkpoints::item_kind::array) {
      stored.elements = item.array.array->where.size();
      stored.where = checkpoints::distribution_of(item.array.array->where);
    }
    stored.blocks = checkpoints::write_item(item, cores_have.handle(), all);
  }
  on_all_processes([all, next] { checkpoints::finish_part(all.here(), next); });
  checkpoints::write_manifest(options.folder, checkpoints::text_of(written), is_replaced);
}

void checkpoint::save() {
  if (!state_) return;
  GOSSAMER_ASSERT(state_->folder.state_->job.is_open(), "checkpoint::save: comes after forget()");
  const std::uint64_t start = machine::now_ns();
  state_->is_replaced = false;
  try {
    state_->write(state_->generation + 1);
  } catch (...) {
    const checkpoints::process_shares all = state_->processes_have.handle();
    on_all_processes([all] { all.here().part.reset(); });
    if (state_->is_replaced)
      ++state_->generation;
    else
      checkpoints::try_to_remove_left_over(state_->options.folder, state_->generation);
    throw;
  }
  checkpoints::remove_left_over(state_->options.folder, ++state_->generation);
  state_->last_ns = machine::now_ns();
  state_->cost_ns = state_->last_ns - start;
}

void checkpoint_folder::forget() {
  if (!state_ || !state_->job.is_open()) return;
  machine::remove_file(checkpoints::manifest_path(state_->path));
  machine::remove_file(checkpoints::manifest_path(state_->path) + ".new");
  checkpoints::remove_left_over(state_->path, 0);
  machine::remove_file(checkpoints::job_path(state_->path));
  state_->job.close();  // last: another start takes the folder from here on
}

}  // namespace gossamer
