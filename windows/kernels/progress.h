#pragma once

#include <functional>

namespace sash {

// Called by a kernel after every iteration; false asks it to stop. Kernels have no clock: deadlines
// and cancellation are decided by whoever gives this. `residual` is 0 where a kernel has none.
using KernelProgress = std::function<bool(int iteration, double residual)>;

}  // namespace sash
