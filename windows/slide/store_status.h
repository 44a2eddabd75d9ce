// StoreStatus: one store, its windows and its memory.
//
// Thread safety: a plain value.
#pragma once

#include <string>
#include <vector>

#include "windows/slide/window_spec.h"
#include "windows/store/memory_use.h"

namespace sash {

struct StoreStatus {
  WindowAxis by = WindowAxis::kEventTime;
  StoreSpec spec;
  std::vector<std::string> windows;  // the windows that share it
  MemoryUse memory;                  // shared memory, each window's own memory, and views
};

}  // namespace sash
