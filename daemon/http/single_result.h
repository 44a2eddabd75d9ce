// The answer with one result, in the format that the request chooses.
//
// Thread safety: pure functions, for any thread.
#pragma once

#include "connectors/sinks/result_json.h"
#include "daemon/http/api_surroundings.h"
#include "daemon/http/http_message.h"
#include "daemon/http/large_answer.h"
#include "windows/base/result.h"

namespace sash {

// How results are listed for clients: an incomplete list is always marked as such.
Listing AnswerListing();

// What ?top= and ?offset= ask for: without `top` as many rows as the job lists, without `offset`
// from the first one. An error is for the client.
Result<Listing> RequestedListing(const HttpRequest& request);

// JSON, CSV or JSON Lines. Costs O(vertices * log(offset + top)) if the result holds fewer rows
// than are asked for, and for that time their memory.
HttpResponse SingleResult(const ApiSurroundings& around, const LargeAnswers& answers,
                          const HttpRequest& request, const CompletedRun& run,
                          const Listing& listing);

}  // namespace sash
