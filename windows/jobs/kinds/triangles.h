#pragma once

#include "windows/jobs/kind.h"

namespace sash {

struct TrianglesParameters {
  static constexpr std::string_view kKernel = "triangles";
};

JobTraits TraitsOf(const TrianglesParameters& parameters);
KernelRun RunKernel(const TrianglesParameters& parameters, const RunSetting& setting);
ResultTable Describe(const TrianglesParameters& parameters, const RunResult& result);

}  // namespace sash
