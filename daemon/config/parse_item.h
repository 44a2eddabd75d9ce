// Parses a single job, alert or window from JSON, for the API of a running process. Keys, values
// and messages are those of the configuration; references (${env:..}) are plain text here.
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
  Spec spec;                          // only valid without errors
  std::optional<std::string> broken;  // why the body is not a JSON object
  std::vector<ConfigError> errors;    // of single keys

  bool ok() const { return !broken && errors.empty(); }
};

// `windows`: the windows that a job can name. `name`: if given, the item may omit its name but must
// not have a different one.
ParsedItem<JobSpec> ParseJob(std::string_view json, KeyKind keys,
                             const std::vector<std::string>& windows,
                             const std::optional<std::string>& name = std::nullopt);
// Why an external job cannot run on its window: no export writes it. The text completes
// "window ...".
std::optional<std::string> WhyWithoutSnapshots(const JobSpec& job,
                                               const std::vector<ExportSpec>& exports);
// An alert on a job of `config`, for the receivers of `config`.
ParsedItem<AlertSpec> ParseAlert(std::string_view json, const Config& config,
                                 const std::optional<std::string>& name = std::nullopt);
// `source`: the filter of the window reads its records.
ParsedItem<WindowSpec> ParseWindow(std::string_view json, bool removals, const SourceConfig& source,
                                   const std::optional<std::string>& name = std::nullopt);

}  // namespace sash
