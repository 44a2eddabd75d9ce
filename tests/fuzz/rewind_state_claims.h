// Claims about states without events: whatever the file contains, reading it ends with a state or
// with a reason; a state that was read is written unchanged; an engine that continues from a
// matching state accepts the following events.
#pragma once

#include <string_view>

#include "windows/ingest/vertex_dictionary.h"

namespace sash::fuzz {

// `text`: the sections of such a file.
void CheckRewindState(std::string_view text, KeyKind kind);

}  // namespace sash::fuzz
