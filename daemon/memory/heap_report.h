// Heap report: who allocated what is in use, as jemalloc knows it.
//
// Thread safety: every function may be called from any thread; what allocates meanwhile waits, a
// moment.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// What is in use by who allocated it, for jeprof and pprof ("heap_v2"). kUnavailable: nobody has
// been counting; the message says how to have it.
Result<std::string> HeapProfile();

// jemalloc's own account of itself, for a person. kUnavailable: this is no jemalloc.
Result<std::string> AllocatorReport();

}  // namespace sash
