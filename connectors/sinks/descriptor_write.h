// Writing to a descriptor of a file, pipe or socket.
//
// Thread safety: any thread.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <string_view>

namespace sash {

// Prevents SIGPIPE in this thread when a write goes to a pipe without a reader.
class SigpipeHeld {
 public:
  SigpipeHeld();
  SigpipeHeld(const SigpipeHeld&) = delete;
  SigpipeHeld& operator=(const SigpipeHeld&) = delete;
  ~SigpipeHeld();

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

// Writes until everything is written or an error occurs (errno). Returns the bytes written.
std::size_t WriteUntilError(int descriptor, std::string_view text);

// Writes everything to a stream, which may take nothing for an unlimited time: EAGAIN when it took
// nothing for `patience`. The descriptor may be blocking and shared with other processes.
std::size_t WriteWhileTaken(int descriptor, std::string_view text,
                            std::chrono::milliseconds patience);

}  // namespace sash
