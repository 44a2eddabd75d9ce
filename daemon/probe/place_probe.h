// Place probe: whether the configured files and folders can be written, without writing anything.
//
// Thread safety: belongs to one thread; it asks the file system.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// An existing file, or one that can be created; also standard output and similar.
void ProbeFilePlace(const std::string& where, const std::string& path, Findings& findings);

// An existing folder, or one that can be created in its parent. `need`: how much it may come to
// hold; 0: unknown.
void ProbeFolderPlace(const std::string& where, const std::string& path, std::uint64_t need,
                      Findings& findings);

// State, sinks, outboxes and dead letters.
void ProbePlaces(const Config& config, Findings& findings);

}  // namespace sash
