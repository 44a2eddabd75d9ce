// Terminal: the whole screen while it lives, and everything as it was afterwards.
//
// Thread safety: one in a process, used by the thread that made it. Signals are blocked meanwhile,
// and read from a descriptor.
// Invariants:
// (1) However its scope is left, the cursor, the screen and the mode of input are as before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sash {

bool HasTerminal();  // standard output is one

class Terminal {
 public:
  enum class Input : std::uint8_t {
    kNothing,
    kQuit,    // q, Ctrl-C, a signal that ends
    kRedraw,  // its size has changed, or it was left for a while
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

  // The first line is set off. False: nobody sees it any more.
  bool Draw(const std::vector<std::string>& lines);

 private:
  struct Parts;

  void Enter();
  void Leave();

  std::unique_ptr<Parts> parts_;
};

}  // namespace sash
