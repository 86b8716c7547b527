#pragma once
// The bytes of small native files, for corpora: written by the real writer, read back.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::test {

inline std::string native_bytes(const std::string& source) {
  std::string folder = (std::filesystem::temp_directory_path() / "gossamer-fuzz-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return "";
  const std::string path = folder + "/g.gsg";
  job_options options;
  options.cores = 1;
  run(options, [&] { graph::write(graph::load(source), path); });
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove_all(folder);
  return bytes;
}

inline std::string native_text(const std::string& text) {
  std::string name = (std::filesystem::temp_directory_path() / "gossamer-fuzz-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return "";
  std::ofstream(name + "/g.txt") << text;
  std::string bytes = native_bytes(name + "/g.txt");
  std::filesystem::remove_all(name);
  return bytes;
}

}  // namespace gossamer::test
