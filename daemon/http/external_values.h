// Reads the answer of a worker: {"scores": ...} or {"sets": ...}, each a list in the order of the
// ids of the frozen snapshot, or an object by key; {"rows": ...} (external_rows.h); or
// {"error": "why"}.
//
// Thread safety: free functions.
#pragma once

#include <string>

#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/external_answer.h"
#include "windows/jobs/work_desk.h"

namespace sash {

struct WorkerReport {
  ExternalAnswer answer{};
  std::string error{};  // the worker says that it failed; empty: it has an answer
};

// The error says, for the worker, what is wrong.
Result<WorkerReport> ReadWorkerReport(const std::string& body, const ExternalWork& work,
                                      const VertexDictionary& keys);

}  // namespace sash
