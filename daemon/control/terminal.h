// Terminal: takes the whole screen while it lives, and restores everything afterwards.
//
// Thread safety: one per process, used by the thread that made it. Meanwhile signals are blocked
// and read from a descriptor.
// Invariants:
// (1) However its scope ends, the cursor, the screen and the input mode are restored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sash {

bool HasTerminal();  // standard output is a terminal

class Terminal {
 public:
  enum class Input : std::uint8_t {
    kNothing,
    kQuit,    // q, Ctrl-C, a signal that ends
    kRedraw,  // its size has changed, or the process was suspended
  };

  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Readable when Read() has something.
  std::vector<int> descriptors() const;
  Input Read();

  std::size_t width() const;
  std::size_t height() const;

  // The first line is highlighted. False: the terminal is gone.
  bool Draw(const std::vector<std::string>& lines);

 private:
  struct Parts;

  void Enter();
  void Leave();

  std::unique_ptr<Parts> parts_;
};

}  // namespace sash
