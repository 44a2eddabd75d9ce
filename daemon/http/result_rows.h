// The rows of a result in CSV or JSON Lines: those of all its lists, one after the other. If each
// list has a root (bfs with `separate: true`), the first member of a row is its `root`.
//
// Thread safety: pure functions.
#pragma once

#include "connectors/sinks/result_json.h"
#include "daemon/http/large_answer.h"
#include "daemon/http/list_format.h"

namespace sash {

// 406 if the result has no list. The limits of `listing` hold for all rows together.
HttpResponse ResultRows(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys, ListFormat format,
                        const LargeAnswers& answers);

}  // namespace sash
