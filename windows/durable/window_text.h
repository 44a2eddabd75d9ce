// The state of a window as bytes, without its history and its filter, and what must hold of it.
//
// Thread safety: pure functions.
#pragma once

#include "windows/durable/byte_text.h"
#include "windows/slide/engine_state.h"

namespace sash {

void PutWindow(const WindowState& window, ByteWriter& writer);
WindowState GetWindow(WindowAxis axis, ByteReader& reader);

// Whether the window of a lane fits the panes of the lane and the slices that it retains.
bool IsSound(const WindowState& window, const LaneState& lane);
bool HasSoundOffset(const WindowSpec& spec, const LaneState& lane);

}  // namespace sash
