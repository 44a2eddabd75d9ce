// Live windows over HTTP: ?view=live of a request, the window that it names, and what the answer
// says about it.
//
// Thread safety: pure functions, for any thread. A LiveView that an answer makes may index the
// newest events, and counts of a whole window read the lists of every vertex that these touch:
// routes move to the lane of large answers when the request has `view` (Route::large_with).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "daemon/http/http_message.h"
#include "windows/slide/window_engine.h"

namespace sash {

// The parameters that name a window other than the newest published one: WithPast(), and `view`.
const std::vector<std::string>& ViewParameters();
std::vector<std::string> WithView(std::vector<std::string> parameters);

// Whether the request has `view`.
bool NamesView(const HttpRequest& request);

struct ChosenLive {
  LiveWindowPtr live{};  // null: see `refusal`
  std::optional<HttpResponse> refusal{};
};

// The live window at the newest cut. Refusals: 400 for another word than `live`, or together with
// `snapshot` or `at`; 422 if the window is not live; 404 before its first event; 503 while
// published windows are rebuilt after a restart.
ChosenLive LiveWindowOf(const WindowStatus& window, const HttpRequest& request);

// Writes the members `snapshot` to `behind`: what the live window is, and its cut.
void WriteAboutLive(const WindowEngine& engine, const WindowSpec& spec, const LiveWindow& live,
                    JsonText& json);

}  // namespace sash
