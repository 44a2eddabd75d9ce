// Memory that lies in a file, for windows that are larger than memory. Pages that are not used for
// a while leave the memory and are read again when needed; the operating system decides, page by
// page.
//
// The file has no name: it is gone with the process, however the process ends. Nothing in it
// outlives a restart. Its disk blocks are reserved before they are used, so a full disk shows here
// and not at a write: memory that does not fit any more comes from the heap, and the log says so,
// once.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//   (1) Freed memory is handed out again; the file does not shrink.
//   (2) The file lives until the process ends: views of windows may be released very late.
#pragma once

#include <memory_resource>
#include <string>

#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

// Creates the file in `folder`, which is created if missing. Returns an error with the reason;
// always an error without jemalloc. `log` must outlive every use of the memory. The result has no
// owner: (2).
Result<std::pmr::memory_resource*> MakeEdgeFile(const std::string& folder, EventLog& log);

}  // namespace sash
