// How the replay source reads (configuration: source.replay).
#pragma once

#include <cstdint>
#include <string>

namespace sash {

enum class ReplayPace : std::uint8_t { kFull, kEventTime };

struct ReplaySpec {
  std::string path;  // "-" is standard input
  ReplayPace pace = ReplayPace::kFull;
};

}  // namespace sash
