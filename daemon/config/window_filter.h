// Which edges are in a window (keys `types` and `where`), compared with what its source can give.
//
// Thread safety: pure functions.
#pragma once

#include "daemon/config/config.h"
#include "daemon/config/yaml_section.h"

namespace sash {

// Reports types that no mapping of the source gives, and a filter that cannot read the records of
// a mapping that gives edges of the window's types. Reports `by`, too, if the source has edges by
// event time only.
void CheckWindowFilter(const Section& window, const WindowSpec& spec, const SourceConfig& source);

}  // namespace sash
