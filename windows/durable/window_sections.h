// The sections of a manifest with what newer versions know of each window, window by window: its
// offset, identity of edges, history, and whether it has only joined. A section is missing when
// every window has the default.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "windows/base/result.h"
#include "windows/durable/sectioned_file.h"
#include "windows/slide/engine_state.h"

namespace sash {

void AddWindowSections(const EngineState& state, std::vector<FileSection>& sections);
// `state` has the lanes and their windows.
Status ReadWindowSections(const SectionedFile& file, EngineState& state);

}  // namespace sash
