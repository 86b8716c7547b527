#pragma once
// A shared library loaded while the program runs, by path. Its symbols stay its own (RTLD_LOCAL): two plugins
// over two MPIs never meet. It stays loaded until its object is destroyed, or for good: a caller that cannot promise that
// nothing of it is left (MPI, which has threads) keeps it.

#include <string>
#include <vector>

namespace gossamer::machine {

class shared_library {
 public:
  /// Loads it, all symbols bound at once. Throws gossamer::error with the loader's reason, one line.
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

/// Returns the folder of the file that holds this code: the program, or the shared library that it became
/// part of. Empty where that is not known.
std::string code_folder();

/// Returns the folders in which the loader looks for libraries of the file that holds this code: those that it was linked with
/// (-rpath), and those of the system. Empty where that is not known.
std::vector<std::string> library_folders();

}  // namespace gossamer::machine
