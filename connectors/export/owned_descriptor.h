// OwnedDescriptor: closes a file descriptor; and the errors of system calls.
//
// Thread safety: plain values.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "windows/base/result.h"

namespace sash {

class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number) : number_(number) {}
  OwnedDescriptor(OwnedDescriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(OwnedDescriptor&&) = delete;
  ~OwnedDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

// `what` was attempted; the reason is errno.
inline Error SystemFailure(const std::string& what, int number = errno) {
  const ErrorCode code = number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return {code, what + ": " + std::generic_category().message(number)};
}

}  // namespace sash
