// What entered a window in a span of time: `from` and `to` of a request, and the slices that they
// name. With `view=live` these are the slices of the live window, open ones included.
//
// Thread safety: pure functions, for any thread. With `view=live` it costs O(n log n) for the n
// events of open slices.
#pragma once

#include <memory>
#include <optional>

#include "daemon/http/http_message.h"
#include "windows/base/clock.h"
#include "windows/slide/window_engine.h"

namespace sash {

struct EnteredTimes {
  EventTime from{};
  EventTime to{};
};

struct EnteredSpan {
  EnteredTimes span{};
  LiveWindowPtr live{};                // of view=live
  std::shared_ptr<const IdPin> ids{};  // of published slices
  SliceArchive::Slices slices{};       // oldest first
};

struct ChosenSpan {
  EnteredSpan entered{};
  std::optional<HttpResponse> refusal{};  // then there is no span
};

// The span that the request names, or that of the newest window, or of the earlier one that
// `snapshot` or `at` names; it ends with the window at the latest, and in the live window begins
// with it at the earliest. `window` is not by events. Refusals: 400 for parameters that are wrong,
// 404 before the first advance, 410 if history lacks slices of the span; of an earlier window those
// of DescribeWindowOf(); of view=live those of LiveWindowOf(), and 422 without a history.
ChosenSpan EnteredSpanOf(const WindowEngine& engine, const WindowStatus& window,
                         const HttpRequest& request);

}  // namespace sash
