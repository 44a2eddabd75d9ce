// How the source of exported slices reads (configuration: source.export).
#pragma once

#include <optional>
#include <string>

#include "windows/ingest/replay_span.h"
#include "windows/ingest/source_end.h"

namespace sash {

struct SliceSourceSpec {
  std::string path{};  // the folder of the slices
  SourceEnd at_end = SourceEnd::kExit;
  // Only the slices that lie in it are read. Not a key of the configuration.
  std::optional<ReplaySpan> span{};
};

}  // namespace sash
