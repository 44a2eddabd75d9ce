// A run of a job on an earlier window, for the client that asks for it with `snapshot` or `at`, and
// with `deliver` for the sinks of the job, too.
//
// Thread safety: any thread. The answer costs the window (ReadWindowOf()) and the run, in one
// thread; and the delivery, which waits for other results that are delivered.
#pragma once

#include <optional>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/http_message.h"
#include "daemon/http/large_answer.h"

namespace sash {

struct ChosenRun {
  std::optional<CompletedRun> run{};  // none: see `refusal`
  std::optional<HttpResponse> refusal{};
};

// Runs the job on the window that the request names. Refusals, beside those of ReadWindowOf(): 409
// for a live job, an external job or a plug-in, 422 (`not_comparable`) if the job compares windows
// and the earlier one cannot be read, and 422 (`too_long`) if the run does not end in time.
ChosenRun RunOnNamedWindow(const ApiSurroundings& around, const JobSpec& job,
                           const HttpRequest& request);

// POST /api/v1/jobs/{job}/trigger with such a window: the result, as
// /api/v1/jobs/{job}/results/{snapshot} answers it, with `past`. With deliver=true its first member
// is `delivered`: what each sink did. Refusals, beside those above: 406 for another format than
// JSON, 409 (`not_delivered`) if no sink takes the result, 503 (`not_delivered`) if one fails.
HttpResponse PastRun(const ApiSurroundings& around, const LargeAnswers& answers,
                     const HttpRequest& request);

}  // namespace sash
