#include "gossamer/machine/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer::machine {

shared_library::shared_library(std::string path)
    : path_(std::move(path)), handle_(::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* said = ::dlerror();
  std::string_view reason = said != nullptr ? said : "unknown reason";
  if (reason.starts_with(path_ + ": ")) reason.remove_prefix(path_.size() + 2);
  throw error(fmt::format("cannot load {}: {}", path_, reason));
}

shared_library::shared_library(shared_library&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)), kept_(other.kept_) {}

shared_library::~shared_library() {
  if (handle_ != nullptr && !kept_) ::dlclose(handle_);
}

void* shared_library::find(const char* symbol) const noexcept { return ::dlsym(handle_, symbol); }

std::string code_folder() {
  Dl_info found = {};
  if (::dladdr(reinterpret_cast<const void*>(&code_folder), &found) == 0 || found.dli_fname == nullptr)
    return {};
  std::error_code unknown;
  const auto file = std::filesystem::canonical(found.dli_fname, unknown);
  return unknown ? std::string() : file.parent_path().string();
}

}  // namespace gossamer::machine
