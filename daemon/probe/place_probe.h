// Place probe: whether the files and folders that the configuration names can be written, without
// writing anything.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// A file that is there, or that can be made; standard output and the like too.
void ProbeFilePlace(const std::string& where, const std::string& path, Findings& findings);

// A folder that is there, or that can be made in the one around it. `need`: how much it may come to
// hold; 0: nobody knows.
void ProbeFolderPlace(const std::string& where, const std::string& path, std::uint64_t need,
                      Findings& findings);

// State, sinks, outboxes and dead letters.
void ProbePlaces(const Config& config, Findings& findings);

}  // namespace sash
