// Claims about states without events: whatever is in the file, reading it ends with a state or with
// a reason; what was read is written again as it was; an engine that goes on from one that fits
// takes what the stream says next.
#pragma once

#include <string_view>

#include "windows/ingest/vertex_dictionary.h"

namespace sash::fuzz {

// `text`: the sections of such a file.
void CheckRewindState(std::string_view text, KeyKind kind);

}  // namespace sash::fuzz
