// Everything that can be known to be wrong with a configuration before anything runs.
#pragma once

#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// Parses the file, lets librdkafka judge the options that are passed through to it, and reads the
// certificate and the key of the server.
ParsedConfig LoadAndCheckConfig(const std::string& path);

}  // namespace sash
