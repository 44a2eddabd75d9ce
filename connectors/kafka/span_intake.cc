#include "connectors/kafka/span_intake.h"

#include "windows/ingest/axis_position.h"

namespace sash {

void SpanIntake::Take(const Before& before, EventBatch& batch) {
  if (batch.events().size() > before.events) {
    const EdgeEvent& event = batch.events().back();
    if (guard_.Passes(event.time)) {
      if (!Keeps(event)) batch.DropLast(before.text_bytes);
      return;
    }
    guard_.held().AddCopy(batch, batch.events().size() - 1, keys_);
    batch.DropLast(before.text_bytes);
    Settle(false, batch);
  } else if (batch.marks().size() > before.marks) {
    const Mark mark = batch.marks().back();
    if (guard_.waiting()) {
      guard_.held().AddMark(mark.kind, mark.partition, mark.offset);
      batch.DropLastMark();
    } else if (!newest_) {
      batch.DropLastMark();
    }
  }
}

void SpanIntake::Settle(bool at_end, EventBatch& batch) {
  while (guard_.waiting() && !passed()) {
    const OutlierGuard::Verdict verdict = guard_.Judge(at_end);
    if (verdict == OutlierGuard::Verdict::kUndecided) return;
    EventBatch decided;  // one event, and the marks after it
    guard_.Pop(verdict, decided);
    if (Keeps(decided.events().front())) batch.AddCopy(decided, 0, keys_);
    if (!newest_) continue;
    for (const Mark& mark : decided.marks()) batch.AddMark(mark.kind, mark.partition, mark.offset);
  }
}

// Whether the windows of the span count the event. An accepted event in the span may become the
// newest one.
bool SpanIntake::Keeps(const EdgeEvent& event) {
  const bool kept =
      event.ahead ? newest_.has_value() : event.time >= span_.from || IsLateInSpan(event.time);
  if (!kept) ++left_out_;
  if (kept && !event.ahead && (!newest_ || *newest_ < event.time)) newest_ = event.time;
  return kept;
}

bool SpanIntake::IsLateInSpan(EventTime time) const {
  if (!newest_ || span_.pane == Duration(0)) return false;
  return IsLate(time, *newest_ - disorder_, span_.pane.count());
}

}  // namespace sash
