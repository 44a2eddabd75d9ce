// SourceEnd: what the process does when a finite source has been read and its last windows are
// published.
#pragma once

#include <cstdint>

namespace sash {

enum class SourceEnd : std::uint8_t {
  kExit,
  kStay,  // the process goes on to answer requests until it is stopped
};

}  // namespace sash
