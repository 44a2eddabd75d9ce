// The slices of a live window that can also be read again: what entered it, up to its cut.
//
// Thread safety: pure function, for any thread, while the engine works.
#pragma once

#include <optional>

#include "windows/slide/live_window.h"
#include "windows/slide/window_history.h"

namespace sash {

// The slices of the live window that overlap [begin, end) of its axis, oldest first: the closed
// ones from the history of the window, and the open ones as if they closed at the cut. Nothing if
// history has forgotten one. [begin, end) may extend beyond the live window; slices outside it are
// not returned, because the live window pins only the ids in it. Closed slices before the oldest
// window that can be read may be lacking. O(n log n) for the n events of the open slices.
std::optional<SliceArchive::Slices> LiveSlices(const WindowHistory& history, const LiveWindow& live,
                                               Position begin, Position end);

}  // namespace sash
