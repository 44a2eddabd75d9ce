#include "windows/jobs/kinds/kinds.h"

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/result_table.h"

namespace sash {

std::string_view KernelOf(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return kind.kKernel; }, parameters);
}

JobTraits TraitsOfJob(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return TraitsOf(kind); }, parameters);
}

KernelRun RunKernelOf(const JobParameters& parameters, const RunSetting& setting) {
  return std::visit([&](const auto& kind) { return RunKernel(kind, setting); }, parameters);
}

ResultTable DescribeResult(const RunResult& result) {
  return std::visit([&](const auto& kind) { return Describe(kind, result); }, result.parameters);
}

}  // namespace sash
