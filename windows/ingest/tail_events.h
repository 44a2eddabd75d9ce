// TailEvents: events of open slices in the order in which they are added, as readers see them.
//
// An event takes 16 bytes. If one of them has a weight other than 1, is not an add, has a type, or
// does not pass every filter, each takes 32 more.
//
// Thread safety: like a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/ingest/partition_log.h"
#include "windows/ingest/tail_event.h"

namespace sash {

class TailEvents {
 public:
  void Add(const TailEvent& event);
  // Adds of weight 1, without a type, which pass every filter, from the log of this partition that
  // has this first offset.
  void AddPlain(std::span<const PartitionLog::Edge> edges, PartitionIndex partition,
                std::int64_t log_offset);
  void Reserve(std::size_t events) { edges_.reserve(events); }

  std::size_t size() const { return edges_.size(); }
  std::span<const PartitionLog::Edge> edges() const { return edges_; }
  Operation OperationAt(std::size_t i) const {
    return more_.empty() ? Operation::kAdd : more_[i].operation;
  }
  TailEvent At(std::size_t i) const;

  std::size_t bytes() const;

 private:
  struct More {
    Weight weight{};
    FilterBits passes = kPassesAll;
    TypeNumber type = kNoType;
    Operation operation = Operation::kAdd;
  };
  static_assert(sizeof(More) == 32);
  // The log of the events from the `end` of the span before on, up to this `end`.
  struct LogSpan {
    std::size_t end = 0;
    PartitionIndex partition = 0;
    std::int64_t offset = 0;
  };
  void NoteLog(PartitionIndex partition, std::int64_t offset);

  std::vector<PartitionLog::Edge> edges_;
  std::vector<More> more_;  // of each event; empty: all are plain
  std::vector<LogSpan> logs_;
};

}  // namespace sash
