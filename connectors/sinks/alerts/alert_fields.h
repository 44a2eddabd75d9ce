// What the conditions and texts of an alert can name, which is known before there is a result.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "connectors/sinks/alerts/alert_spec.h"
#include "windows/base/result.h"
#include "windows/ingest/edge_event.h"
#include "windows/jobs/job_spec.h"

namespace sash {

// The names of the members of the rows that an alert on results of `job` looks at. An error when
// such results have no rows of this kind; it says what they have. Runs the job on an empty window.
// Some members are null in most rows or results: `types` without types, `error` without an error,
// `drift` without a comparison.
Result<std::vector<std::string>> AlertFields(AlertOn on, const JobSpec& job, KeyKind keys);

// What a text can name in addition: alert, job, window, window_end, subject.
const std::vector<std::string>& AlertTextFields();

}  // namespace sash
