// The rows of a diff in CSV or JSON Lines: those that entered, those that left, and those that
// changed. The first member of a row is its `change`.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "daemon/http/large_answer.h"
#include "daemon/http/list_format.h"
#include "windows/jobs/run_result.h"

namespace sash {

// `diff` is what DiffJson() says of the result `now`.
HttpResponse DiffRows(std::string_view diff, const RunResult& now, ListFormat format,
                      const LargeAnswers& answers);

}  // namespace sash
