#include "windows/jobs/kinds/kinds.h"

#include "windows/jobs/kernel_run.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

// `Kind` is a kind or a const kind.
template <typename Kind, typename OnParameter>
void VisitRows(Kind& kind, const OnParameter& on_parameter) {
  for (const auto& row : RowsOf(kind)) {
    std::visit([&](auto member) { on_parameter(row.parameter, &(kind.*member)); }, row.member);
  }
}

template <typename Kind>
concept ChecksWarmRuns = requires(const Kind& kind) {
  kind.check_every;
};

}  // namespace

void VisitParameters(JobParameters& parameters,
                     const std::function<void(const Parameter&, ParameterValue)>& on_parameter) {
  std::visit([&](auto& kind) { VisitRows(kind, on_parameter); }, parameters);
}

void VisitParameters(
    const JobParameters& parameters,
    const std::function<void(const Parameter&, ConstParameterValue)>& on_parameter) {
  std::visit([&](const auto& kind) { VisitRows(kind, on_parameter); }, parameters);
}

std::optional<ParameterFault> FaultOfParameters(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return FaultOf(kind); }, parameters);
}

bool EqualParameters(const JobParameters& a, const JobParameters& b) {
  if (a.index() != b.index()) return false;
  if (const auto* const plugin = std::get_if<PluginParameters>(&a)) {
    return EqualPlugins(*plugin, std::get<PluginParameters>(b));
  }
  std::vector<ConstParameterValue> values;
  VisitParameters(
      a, [&](const Parameter&, const ConstParameterValue& value) { values.push_back(value); });
  std::size_t place = 0;
  bool same = true;
  VisitParameters(b, [&](const Parameter&, const ConstParameterValue& value) {
    same =
        same &&
        std::visit([&](const auto* x) { return *x == *std::get<std::decay_t<decltype(x)>>(value); },
                   values[place]);
    ++place;
  });
  return same;
}

std::string_view KernelOf(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return kind.kKernel; }, parameters);
}

JobTraits TraitsOfJob(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return TraitsOf(kind); }, parameters);
}

bool HasScores(const JobParameters& parameters) {
  const JobTraits traits = TraitsOfJob(parameters);
  return traits.rows == JobTraits::Rows::kVertices && traits.has_scores;
}

bool HasVectors(const JobParameters& parameters) {
  const JobTraits traits = TraitsOfJob(parameters);
  return traits.rows == JobTraits::Rows::kVertices && traits.is_one_list;
}

bool HasDrift(const JobParameters& parameters) {
  return std::visit([](const auto& kind) { return ChecksWarmRuns<std::decay_t<decltype(kind)>>; },
                    parameters);
}

KernelRun RunKernelOf(const JobParameters& parameters, const RunSetting& setting) {
  return std::visit([&](const auto& kind) { return RunKernel(kind, setting); }, parameters);
}

ResultTable DescribeResult(const RunResult& result) {
  ResultTable table =
      std::visit([&](const auto& kind) { return Describe(kind, result); }, result.parameters);
  if (result.baseline && !table.lists.empty()) table.lists.front().compared = &result.compared;
  return table;
}

}  // namespace sash
