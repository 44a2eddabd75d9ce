// Finds every error of a configuration that can be found before anything runs.
//
// Thread safety: belongs to one thread. It reads files and changes nothing.
#pragma once

#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// Parses the file, lets librdkafka check the options that are passed through to it, reads the
// server's certificate and key, loads the plug-ins of jobs, compares all files that are named
// (named_files.h), and creates the objects that the start creates without external access. Every
// command that uses a configuration calls this first, so --check and the start refuse the same
// configurations.
ParsedConfig LoadAndCheckConfig(const std::string& path);

}  // namespace sash
