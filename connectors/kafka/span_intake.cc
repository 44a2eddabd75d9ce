#include "connectors/kafka/span_intake.h"

#include "windows/ingest/axis_position.h"

namespace sash {

void SpanIntake::Take(const Before& before, EventBatch& batch) {
  TakeMarks(before, batch);
  if (batch.events().size() > before.events) {
    const std::size_t end = batch.events().size();
    const bool passes = guard_.Passes(batch.NewestOf(before.events, end));
    if (passes && end == before.events + 1 && Keeps(batch.events().back())) {
      return NoteKept(batch.events().back());
    }
    EventBatch record;
    EventBatch& into = passes ? record : guard_.held();
    for (std::size_t i = before.events; i < end; ++i) into.AddCopy(batch, i, keys_);
    batch.DropAfter(before.events, before.text_bytes);
    if (passes) return Keep(record, batch);
    Settle(false, batch);
  }
}

// The marks come before the events of their record.
void SpanIntake::TakeMarks(const Before& before, EventBatch& batch) {
  const bool waits = guard_.waiting();
  if (!waits && newest_) return;
  while (batch.marks().size() > before.marks) {
    const Mark mark = batch.marks().back();
    if (waits) guard_.held().AddMark(mark.kind, mark.partition, mark.offset);
    batch.DropLastMark();
  }
}

void SpanIntake::Settle(bool at_end, EventBatch& batch) {
  while (guard_.waiting() && !passed()) {
    const OutlierGuard::Verdict verdict = guard_.Judge(at_end);
    if (verdict == OutlierGuard::Verdict::kUndecided) return;
    EventBatch decided;  // one record, and the marks after it
    guard_.Pop(verdict, decided);
    Keep(decided, batch);
    if (!newest_) continue;
    for (const Mark& mark : decided.marks()) batch.AddMark(mark.kind, mark.partition, mark.offset);
  }
}

// Adds to `batch` the events of a record that the windows of the span count.
void SpanIntake::Keep(const EventBatch& record, EventBatch& batch) {
  const std::size_t first = batch.events().size();
  for (std::size_t i = 0; i < record.events().size(); ++i) {
    if (Keeps(record.events()[i])) {
      batch.AddCopy(record, i, keys_);
    } else {
      ++left_out_;
    }
  }
  for (std::size_t i = first; i < batch.events().size(); ++i) NoteKept(batch.events()[i]);
}

// An accepted event in the span may become the newest one.
void SpanIntake::NoteKept(const EdgeEvent& event) {
  if (!event.ahead && (!newest_ || *newest_ < event.time)) newest_ = event.time;
}

// Whether the windows of the span count the event, which is judged by the records before its own.
bool SpanIntake::Keeps(const EdgeEvent& event) const {
  return event.ahead ? newest_.has_value() : event.time >= span_.from || IsLateInSpan(event.time);
}

bool SpanIntake::IsLateInSpan(EventTime time) const {
  if (!newest_ || span_.pane == Duration(0)) return false;
  return IsLate(time, *newest_ - disorder_, span_.pane.count());
}

}  // namespace sash
