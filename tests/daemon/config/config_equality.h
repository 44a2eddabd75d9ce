// Equality of configurations: key by key, as their rows compare, and of kernels' parameters value
// by value: a test must notice a value that printing forgets.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/parse_config.h"

namespace sash {

// The values of all rows, behind the name of the kernel.
inline auto ParameterValues(const JobSpec& job) {
  using Value = std::variant<bool, int, double, TraversalDirection, StrengthDirection, PathMeasure,
                             HitsRanking, ExternalAnswers, std::vector<VertexKey>>;
  std::vector<std::pair<std::string, Value>> values = {{std::string(KernelOf(job.parameters)), 0}};
  VisitParameters(job.parameters, [&](const Parameter& parameter, const ConstParameterValue& at) {
    std::visit([&](const auto* value) { values.emplace_back(parameter.name, *value); }, at);
  });
  return values;
}

inline bool SameParameters(const JobSpec& a, const JobSpec& b) {
  const auto* plugin = std::get_if<PluginParameters>(&a.parameters);
  const auto* other = std::get_if<PluginParameters>(&b.parameters);
  if (plugin != nullptr && other != nullptr) {
    return plugin->file == other->file && plugin->isolate == other->isolate &&
           plugin->given == other->given;
  }
  return ParameterValues(a) == ParameterValues(b);
}

inline bool Same(const Config& a, const Config& b) {
  return SameConfig(a, b) && std::ranges::equal(a.jobs, b.jobs, SameParameters);
}

}  // namespace sash
