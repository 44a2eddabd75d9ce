// How the replay source reads (configuration: source.replay).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/outlier_guard.h"
#include "windows/ingest/source_end.h"

namespace sash {

enum class ReplayPace : std::uint8_t { kFull, kEventTime };
struct ReplaySpec {
  std::vector<std::string> paths{};  // files and patterns (replay_files.h); or "-" alone
  ReplayPace pace = ReplayPace::kFull;
  SourceEnd at_end = SourceEnd::kExit;
  // OutlierGuard: if an event is further ahead of the earlier events than this, later events decide
  // whether its time is right.
  Duration ahead_limit = OutlierGuard::kNone;
};

}  // namespace sash
