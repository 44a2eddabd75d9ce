#include "windows/ingest/tail_events.h"

#include <algorithm>

#include "windows/base/allocated_bytes.h"

namespace sash {

// The log of the newest events.
void TailEvents::NoteLog(PartitionIndex partition, std::int64_t offset) {
  if (logs_.empty() || logs_.back().partition != partition || logs_.back().offset != offset) {
    logs_.push_back({.partition = partition, .offset = offset});
  }
  logs_.back().end = edges_.size();
}

void TailEvents::Add(const TailEvent& event) {
  const bool is_plain = event.operation == Operation::kAdd && event.weight == Weight() &&
                        event.type == kNoType && event.passes == kPassesAll;
  if (!is_plain || !more_.empty()) {
    more_.resize(edges_.size());
    more_.push_back({event.weight, event.passes, event.type, event.operation});
  }
  edges_.push_back({event.time, event.source, event.target});
  NoteLog(event.partition, event.log_offset);
}

void TailEvents::AddPlain(std::span<const PartitionLog::Edge> edges, PartitionIndex partition,
                          std::int64_t log_offset) {
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  if (!more_.empty()) more_.resize(edges_.size());
  NoteLog(partition, log_offset);
}

TailEvent TailEvents::At(std::size_t i) const {
  const auto log = std::ranges::upper_bound(logs_, i, {}, &LogSpan::end);
  TailEvent event{.time = edges_[i].time,
                  .source = edges_[i].source,
                  .target = edges_[i].target,
                  .log_offset = log->offset,
                  .partition = log->partition};
  if (!more_.empty()) {
    event.weight = more_[i].weight;
    event.passes = more_[i].passes;
    event.type = more_[i].type;
    event.operation = more_[i].operation;
  }
  return event;
}

std::size_t TailEvents::bytes() const {
  return AllocatedBytes(edges_) + AllocatedBytes(more_) + AllocatedBytes(logs_);
}

}  // namespace sash
