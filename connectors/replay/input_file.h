// InputFile: a file, pipe or standard input whose Read() can be interrupted.
//
// Thread safety: Read() belongs to one thread; any thread may call Interrupt().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "windows/base/result.h"

namespace sash {

class InputFile {
 public:
  enum class Outcome : std::uint8_t { kBytes, kNothingYet, kEnd, kInterrupted, kFailed };

  struct Reading {
    Outcome outcome = Outcome::kNothingYet;
    std::size_t bytes = 0;  // set for kBytes
    std::string why;        // set for kFailed
  };

  // "-" is standard input. Does not wait for a writer of a named pipe. A regular file that is
  // neither text (foreign_format.h) nor compressed in a way that is read (expander.h) is an error.
  static Result<std::unique_ptr<InputFile>> Open(const std::string& path);

  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Reads the available bytes, up to the size of `room`. Waits up to `patience` for the first byte;
  // a negative `patience` waits without limit.
  Reading Read(std::span<char> room, std::chrono::milliseconds patience);

  // A waiting Read() and every later Read() return kInterrupted.
  void Interrupt();

 private:
  InputFile(int input, int wake, bool owned) : input_(input), wake_(wake), owned_(owned) {}

  const int input_;
  const int wake_;  // an eventfd, readable once interrupted
  const bool owned_;
};

}  // namespace sash
