// The chunks of each process: every record once, in chunks that begin with a record, whatever the number of
// processes.
#include "gossamer/files/input_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/compressed.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using files::input_files;

/// The parts of all processes, concatenated: all of them are in this process.
struct dealt {
  std::map<std::uint32_t, std::string> by_chunks, by_ranges;  // by file
  std::vector<std::uint32_t> order;  // the files of the chunks
  std::vector<unsigned> here;  // by file: number of processes that have it
  bool has_quotes = false;
};
dealt found;

void take_here(const input_files& files, unsigned of) {
  if (of != process()) return;
  found.has_quotes = files.has_quotes();
  for (const files::file_chunk& p : files.chunks()) {
    const std::string_view records = files.records_of(p);
    EXPECT_TRUE(files.rule().whole(records) == records.size() || files[p.file].text().ends_with(records))
        << records;
    found.by_chunks[p.file] += records;
    found.order.push_back(p.file);
  }
  found.here.resize(files.size());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    found.by_ranges[i] += files.records_of(i);
    found.here[i] += files.is_here(i) ? 1 : 0;
  }
}

dealt deal(const std::vector<std::string>& paths, const io::record_rule& rule, bool in_order) {
  found = {};
  struct state {
    input_files all;
  };
  const scoped_per_process<state> states;
  files::open_files(states.handle(), &state::all, paths, files::file_contents::text);
  files::divide_files(states.handle(), &state::all, rule, in_order);
  for (unsigned p = 0; p < processes(); ++p)
    on_all_processes([states = states.handle(), p] { take_here(states.here().all, p); });
  return found;
}

template <class Job>
void on_topologies(Job job) {
  run(job_options{.cores = 3}, job);
  for (const char* cluster : {"processes=2 cores=2 seed=1", "processes=5 cores=1 seed=2"}) {
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    run(o, job);
  }
}

std::string quoted_lines(std::uint64_t seed, unsigned records) {
  xoshiro256 random(seed);
  std::string text;
  for (unsigned i = 0; i < records; ++i) {
    std::string field;
    for (std::uint64_t n = bounded(random, 60); n > 0; --n) field += "ab,\n"[bounded(random, 4)];
    text += "\"" + field + "\"\n";
  }
  return text;
}

TEST(InputFiles, EveryRecordIsDealtOnce) {
  const test::temporary_folder folder;
  const std::vector<std::string> texts{quoted_lines(1, 4000), "", "\"one\n", quoted_lines(2, 100),
                                       "\"" + std::string(100'000, '\n') + "\"\n" + quoted_lines(3, 2000)};
  std::vector<std::string> paths;
  for (const std::string& text : texts)
    paths.push_back(folder.plant("f" + std::to_string(paths.size()), text));
  on_topologies([&] {
    for (const io::record_rule& rule :
         {io::record_rule{io::cut_at::lines}, io::record_rule{io::cut_at::blanks},
          io::record_rule{io::cut_at::records}, io::record_rule{.bytes = 13}})
      for (const bool in_order : {false, true}) {
        const dealt all = deal(paths, rule, in_order);
        EXPECT_TRUE(std::ranges::is_sorted(all.order));
        EXPECT_EQ(all.has_quotes, rule.has_quotes());
        for (std::uint32_t i = 0; i < texts.size(); ++i) {
          const auto chunks = all.by_chunks.find(i);
          EXPECT_TRUE((chunks == all.by_chunks.end() ? "" : chunks->second) == texts[i]) << i;
          EXPECT_TRUE(all.by_ranges.at(i) == texts[i]) << i;
        }
      }
  });
}

TEST(InputFiles, ACompressedFileBelongsToOneProcess) {
  const test::temporary_folder folder;
  const std::string text = "some\nlines\n";
  const std::vector<std::string> paths{folder.plant("a", test::gzipped(text)), folder.plant("b", text),
                                       folder.plant("c", test::zstandard(text))};
  on_topologies([&] {
    const dealt all = deal(paths, {io::cut_at::records}, true);
    EXPECT_EQ(all.here, (std::vector<unsigned>{1, 1, 1}));
    EXPECT_EQ(all.by_chunks, (std::map<std::uint32_t, std::string>{{1, text}}));
    EXPECT_TRUE(all.has_quotes);  // there may be some
    EXPECT_FALSE(deal({paths[1]}, {io::cut_at::records}, true).has_quotes);
  });
}

TEST(InputFiles, WhatCannotBeReadIsRefused) {
  const test::temporary_folder folder;
  const std::string text = folder.plant("text", "a\n"), old = folder.plant("old", "a\rb\r");
  const auto error_of = [&](const std::vector<std::string>& paths, io::cut_at where) {
    try {
      deal(paths, {where}, false);
    } catch (const error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  on_topologies([&] {
    EXPECT_EQ(error_of({text, "-", "-"}, io::cut_at::lines), "-: standard input can be read once only");
    EXPECT_EQ(error_of({text, ""}, io::cut_at::lines), "expected the name of a file, found an empty one");
    EXPECT_EQ(error_of({text, "/nowhere"}, io::cut_at::lines),
              "cannot read /nowhere: No such file or directory");
    EXPECT_EQ(error_of({old}, io::cut_at::blanks), "");
    EXPECT_TRUE(error_of({old}, io::cut_at::lines).starts_with(old + ": lines end with carriage returns"));
  });
}

}  // namespace
}  // namespace gossamer
