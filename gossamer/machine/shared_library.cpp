#include "gossamer/machine/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <new>
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

std::vector<std::string> library_folders() {
  Dl_info found = {};
  link_map* mine = nullptr;  // a handle of the loader
  Dl_serinfo size = {};
  if (::dladdr1(reinterpret_cast<const void*>(&code_folder), &found, reinterpret_cast<void**>(&mine),
                RTLD_DL_LINKMAP) == 0 ||
      mine == nullptr || ::dlinfo(mine, RTLD_DI_SERINFOSIZE, &size) != 0)
    return {};
  const auto memory = std::make_unique<std::byte[]>(size.dls_size);
  auto* const all = new (memory.get()) Dl_serinfo(size);  // its list goes on behind it
  if (::dlinfo(mine, RTLD_DI_SERINFO, all) != 0) return {};
  std::vector<std::string> folders;
  for (unsigned k = 0; k < all->dls_cnt; ++k) folders.emplace_back((&all->dls_serpath[0])[k].dls_name);
  return folders;
}

}  // namespace gossamer::machine
