// The live view of a window as an advance that a job can run on.
//
// Thread safety: any thread may call it, while the engine works.
#pragma once

#include "windows/base/clock.h"
#include "windows/jobs/advance.h"
#include "windows/slide/window_engine.h"

namespace sash {

// How far each partition had been read at the cut of a live window.
std::map<TopicPartition, std::int64_t> OffsetsOfCut(const WindowEngine& engine,
                                                    const LiveWindow& live);

// A copy of the live view at the newest cut, with the provenance of a result that is not final
// (Provenance::cut). Null: the window has no live view, or none yet. O(edges + ids); by events,
// also the events in open slices.
AdvancePtr LiveAdvance(const WindowEngine& engine, const WindowStatus& window, const Clock& clock);

}  // namespace sash
