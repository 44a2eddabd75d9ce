// Heap report: which code allocated the memory in use, according to jemalloc.
//
// Thread safety: every function may be called from any thread; allocations wait for a moment
// meanwhile.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// The memory in use by the code that allocated it, for jeprof and pprof ("heap_v2"). kUnavailable:
// profiling is off; the message says how to turn it on.
Result<std::string> HeapProfile();

// jemalloc's own statistics, for a person. kUnavailable: the allocator is not jemalloc.
Result<std::string> AllocatorReport();

}  // namespace sash
