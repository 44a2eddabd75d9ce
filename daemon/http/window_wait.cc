#include "daemon/http/window_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/http/axis_text.h"
#include "daemon/http/wait_cause.h"
#include "daemon/http/wait_phrases.h"
#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

class Explainer {
 public:
  explicit Explainer(const WaitSurroundings& around) : around_(around) {
    const WindowStanding* const found = around.stream.Find(around.window.name);
    if (found != nullptr) {
      wait_.window = *found;
    } else {  // just added
      wait_.window.name = around.window.name;
      wait_.window.by = around.window.by;
    }
    Measure();
  }

  WindowWait Explain() {
    const WaitCause cause = FindCause(around_, wait_);
    wait_.reason = cause.reason;
    wait_.summary = fmt::format("{}{}.", Head(), cause.clause);
    return std::move(wait_);
  }

 private:
  bool by(WindowAxis axis) const { return wait_.window.by == axis; }

  // The values that do not depend on the reason.
  void Measure() {
    const std::optional<Position> end = wait_.window.next_end;
    std::optional<EventTime> due;
    if (end && by(WindowAxis::kEventTime)) {
      due = ToTime(*end);
      wait_.needed = *due + around_.policy.disorder;
      if (const auto watermark = around_.stream.watermark) {
        wait_.missing = TimeUntil(*watermark, *due);
      }
    } else if (end && by(WindowAxis::kProcessingTime)) {
      wait_.missing = std::max(Duration(0), Duration(*end - around_.stream.processing_time));
    } else if (end) {
      const Position missing = *end - static_cast<Position>(around_.stream.accepted);
      wait_.missing_events = static_cast<std::uint64_t>(std::max(Position{0}, missing));
    }
    wait_.partitions = GatherPartitions(around_.stream.partitions, around_.pairs, around_.source,
                                        around_.policy, due);
  }

  std::string Head() const {
    std::string head = fmt::format("Window '{}' ", wait_.window.name);
    if (wait_.window.rebuilt_until) {
      head += fmt::format("is being rebuilt after a restart, up to {}, and ",
                          PlaceText(wait_.window.by, *wait_.window.rebuilt_until));
    }
    if (wait_.reason == WaitReason::kEndOfSource) return head + "has no further result: ";
    if (!wait_.window.next_end) return head + "has no next result in sight: ";
    const std::string end = PlaceText(wait_.window.by, *wait_.window.next_end);
    if (wait_.missing_events) {
      return head + fmt::format("has its next result at {}, {} from now: ", end,
                                Counted(*wait_.missing_events, "event"));
    }
    if (by(WindowAxis::kProcessingTime)) {
      return head + fmt::format("has its next result when the clock reaches {}: ", end);
    }
    head += fmt::format("has its next result when the watermark reaches {}; ", end);
    const auto watermark = around_.stream.watermark;
    if (!watermark) return head + "there is no watermark yet: ";
    return head +
           fmt::format("it is at {}, {} short: ", TimeText(*watermark), AboutText(*wait_.missing));
  }

  const WaitSurroundings& around_;
  WindowWait wait_;
};

}  // namespace

WindowWait ExplainWait(const WaitSurroundings& around) { return Explainer(around).Explain(); }

}  // namespace sash
