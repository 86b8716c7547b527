#pragma once
// A file descriptor, closed by its destructor.

#include <unistd.h>

#include <utility>

namespace gossamer::machine {

class file_descriptor {
 public:
  explicit file_descriptor(int number = -1) noexcept : number_(number) {}
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file_descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool is_open() const noexcept { return number_ >= 0; }
  int get() const noexcept { return number_; }
  int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace gossamer::machine
