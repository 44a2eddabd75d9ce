// The earlier windows that can be read again (WindowHistory) as bytes, without their edges.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "windows/durable/byte_text.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/window_history.h"

namespace sash {

void PutHistory(const std::vector<WindowHistory::Past>& history, ByteWriter& writer);

// The history of `window`, the state of a historian of `lane`. Refuses entries that are not in the
// order of their ends and numbers, and those of which the historian does not hold every slice.
std::vector<WindowHistory::Past> GetHistory(const LaneState& lane, const WindowState& window,
                                            ByteReader& reader);

}  // namespace sash
