// Memory that lies in a file, for windows that are larger than memory. What is not used for a
// while leaves the memory, and is read again when it is; the operating system decides, page by
// page.
//
// The file has no name: it is gone with the process, however that ends. Nothing in it outlives a
// restart. Its blocks on disk are reserved before they are used, so a full disk is met here and not
// at a write: what does not fit any more comes from the heap, and the log says so, once.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//   (1) What is given back is handed out again; the file does not shrink.
//   (2) It lives until the process ends: views of windows may be let go of very late.
#pragma once

#include <memory_resource>
#include <string>

#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

// In `folder`, which is made unless it is there. An error says what is wrong; without jemalloc
// there is no such file. `log` lives as long as anybody asks for memory. Nobody owns what is
// returned: (2).
Result<std::pmr::memory_resource*> MakeEdgeFile(const std::string& folder, EventLog& log);

}  // namespace sash
