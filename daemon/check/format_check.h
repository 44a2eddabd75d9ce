// Whether records can be decoded as the configuration says: its mappings, and the filters over
// them.
//
// Thread safety: pure functions.
#pragma once

#include "daemon/config/parse_config.h"

namespace sash {

// Reports formats from which the start could not create a decoder.
void AddFormat(ParsedConfig& parsed);

}  // namespace sash
