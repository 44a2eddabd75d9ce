#include "windows/slide/event_judge.h"

#include <algorithm>

namespace sash {

bool EventJudge::IsLateSomewhere(const EdgeEvent& event) const {
  return std::ranges::any_of(lanes_, [&](const Lane& lane) { return IsLate(lane, event); });
}

EventJudge::Verdicts EventJudge::Judge(const EventBatch& batch, std::span<const EdgeEvent> edges) {
  Verdicts verdicts;
  for (const EdgeEvent& edge : edges) {
    if (edge.filtered) {
      if (!IsAhead(edge)) verdicts.passed = std::max(verdicts.passed, std::optional(edge.time));
      continue;
    }
    if (IsAhead(edge)) {
      EngineStats::Count(around_.stats.ahead);
      ++verdicts.ahead;
      continue;
    }
    if (!TypeOf(batch, edge)) {
      ++verdicts.of_types;
      continue;
    }
    if (IsLateSomewhere(edge)) {
      CountLate(edge);
      ++verdicts.late;
    } else {
      verdicts.on_time = true;
      verdicts.newest = std::max(verdicts.newest, std::optional(edge.time));
    }
  }
  verdicts.newest = std::max(verdicts.newest, verdicts.passed);
  return verdicts;
}

void EventJudge::CountLate(const EdgeEvent& event) {
  EngineStats::Count(around_.stats.late);
  const EventTime passed = watermark_.Passed(event.partition).value_or(EventTime::min());
  const EventTime reached = std::max(passed, watermark_.Current().value_or(passed));
  around_.stats.lateness.Note(reached, event.time);
}

}  // namespace sash
