// Everything that can be known to be wrong with a configuration before anything runs.
#pragma once

#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// Parses the file, lets librdkafka judge the options that are passed through to it, reads the
// certificate and the key of the server, compares all files that are named (named_files.h), and
// makes what the start makes without looking at anything outside. Every command that runs a
// configuration calls this first, so what is refused here is refused by --check as by the start.
ParsedConfig LoadAndCheckConfig(const std::string& path);

}  // namespace sash
