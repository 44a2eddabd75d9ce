// An open slice of a live window as history keeps closed ones: the slice that it would be if it
// closed at the cut.
//
// Thread safety: pure function, for any thread. Readers of one tail wait for each other.
#pragma once

#include <cstddef>
#include <memory>

#include "windows/store/archived_slice.h"
#include "windows/store/live_fold.h"

namespace sash {

// `parts.tails[place]`, whose slice is `pane` long, with the events that pass the window's filter.
// It has no id and no account. O(n log n) for the n events of the tail.
std::shared_ptr<const ArchivedSlice> ArchiveOpenSlice(const LiveParts& parts, std::size_t place,
                                                      Position pane);

}  // namespace sash
