// The sections of a manifest with what newer versions know of open events, log by log: the filters
// that they pass, their ids, types and places. The sections of filters and ids also hold those of
// the windows and lanes. A section is missing when there is nothing of its kind.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "windows/base/result.h"
#include "windows/durable/numbered_log.h"
#include "windows/durable/sectioned_file.h"
#include "windows/slide/engine_state.h"

namespace sash {

void AddEventSections(const EngineState& state, std::vector<FileSection>& sections);
// `state` has the lanes, with their windows and open slices; `logs` are those of the open slices.
Status ReadEventSections(const SectionedFile& file, EngineState& state, OpenLogs& logs);

}  // namespace sash
