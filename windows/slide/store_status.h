// StoreStatus: one store and what it holds.
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
  std::vector<std::string> windows;  // that share it
  MemoryUse memory;                  // shared, of each window's own, and of views
};

}  // namespace sash
