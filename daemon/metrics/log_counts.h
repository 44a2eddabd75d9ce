// How often one kind of event was logged.
#pragma once

#include <cstdint>
#include <string>

namespace sash {

struct LogCounts {
  std::string event;            // its id
  std::uint64_t lines = 0;      // at least as severe as the level
  std::uint64_t held_back = 0;  // of these
};

}  // namespace sash
