// Progress for one of several sweeps that are one phase together.
//
// Thread safety: that of `progress`.
#pragma once

#include "windows/kernels/progress.h"

namespace sash {

// Can stop the sweep, but begins no phase. `progress` must outlive what is returned.
inline KernelProgress WithoutPhases(const KernelProgress& progress) {
  if (!progress) return {};
  return [&progress](int part, double residual) { return progress(part, residual); };
}

}  // namespace sash
