#pragma once
// A shared library loaded by path while the program runs. Its symbols are local (RTLD_LOCAL): two plugins
// over two MPIs do not conflict. Destroying the object unloads it. A caller that cannot be sure that none of
// its code is still in use (MPI has threads) keeps it loaded.

#include <string>
#include <vector>

namespace gossamer::machine {

class shared_library {
 public:
  /// Loads it and binds all symbols at once. Throws gossamer::error with the loader's reason, one line.
  explicit shared_library(std::string path);

  shared_library(shared_library&& other) noexcept;
  shared_library& operator=(shared_library&&) = delete;
  ~shared_library();

  /// Keeps it loaded until the program ends.
  void keep() noexcept { kept_ = true; }

  const std::string& path() const noexcept { return path_; }

  /// Returns the address of a symbol, or null.
  void* find(const char* symbol) const noexcept;

 private:
  std::string path_;
  void* handle_;
  bool kept_ = false;
};

/// Returns the folder of the file that contains this code: the program, or a shared library. Empty if
/// unknown.
std::string code_folder();

/// Returns the folders in which the loader searches libraries for that file: those that it was linked with
/// (-rpath), and those of the system. Empty if unknown.
std::vector<std::string> library_folders();

}  // namespace gossamer::machine
