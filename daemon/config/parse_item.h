// A job or a window by itself, as JSON: what an API takes while the process runs. Keys, values and
// messages are those of the configuration; references (${env:..}) are text.
//
// Thread safety: free functions over values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/parse_config.h"

namespace sash {

template <typename Spec>
struct ParsedItem {
  Spec spec;                          // only meaningful when nothing is wrong
  std::optional<std::string> broken;  // why it is no JSON object at all
  std::vector<ConfigError> errors;    // of single keys

  bool ok() const { return !broken && errors.empty(); }
};

// `windows`: those that a job can name. `name`: of an item that need not have one of its own, and
// must not have another.
ParsedItem<JobSpec> ParseJob(std::string_view json, KeyKind keys,
                             const std::vector<std::string>& windows,
                             const std::optional<std::string>& name = std::nullopt);
ParsedItem<WindowSpec> ParseWindow(std::string_view json, bool removals,
                                   const std::optional<std::string>& name = std::nullopt);

}  // namespace sash
