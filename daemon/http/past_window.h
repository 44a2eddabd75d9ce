// Earlier windows over HTTP: `snapshot` and `at` of a request, and the window that they name.
//
// Thread safety: pure functions, for any thread. ReadWindowOf() may make the window, which costs
// time in proportion to it: routes that call it move to the lane of large answers when the request
// has one of these parameters (Route::large_with).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/http/http_message.h"
#include "windows/jobs/advance.h"
#include "windows/slide/window_engine.h"

namespace sash {

// The parameters.
const std::vector<std::string>& PastParameters();
// `parameters` and these.
std::vector<std::string> WithPast(std::vector<std::string> parameters);

struct ChosenWindow {
  AdvancePtr advance;  // null: see `refusal`
  std::optional<HttpResponse> refusal{};
};

// The newest published window: that of the newest advance or, before the first advance after a
// restart, the newest one that history has. None: there is neither.
std::optional<Provenance> NewestPublished(const WindowStatus& window);

// 410: `wanted` of the window cannot be read, with the oldest one that can be.
HttpResponse GoneWindow(const WindowStatus& window, const std::string& wanted);

// Whether the request has one of them.
bool NamesWindow(const HttpRequest& request);

// The published window that the request names, or that of the newest advance. Refusals: 400 for
// parameters that are wrong, 404 before the first advance (unless the request names a window that
// history has from before a restart) and for a snapshot that is not there yet, 410 with the oldest
// readable window for one that cannot be read any more.
ChosenWindow ReadWindowOf(const WindowEngine& engine, const WindowStatus& window,
                          const HttpRequest& request);

// The same for the window of this number.
ChosenWindow ReadSnapshotOf(const WindowEngine& engine, const WindowStatus& window,
                            SnapshotId snapshot);

// The window that the request names without its edges: it costs nothing.
ChosenWindow DescribeWindowOf(const WindowStatus& window, const HttpRequest& request);

}  // namespace sash
