// Everything that can be known to be wrong with a configuration before anything runs.
#pragma once

#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// Parses the file, and lets librdkafka judge the options that are passed through to it.
ParsedConfig LoadAndCheckConfig(const std::string& path);

}  // namespace sash
