// The kernel `window`: the shape of the window itself.
#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct ShapeParameters {
  static constexpr std::string_view kKernel = "window";
};

JobTraits TraitsOf(const ShapeParameters& parameters);
KernelRun RunKernel(const ShapeParameters& parameters, const RunSetting& setting);
ResultTable Describe(const ShapeParameters& parameters, const RunResult& result);

}  // namespace sash
