// ReadPartitions: the partitions that are being read, sorted by topic and number.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) A partition is caught up from its end until its next record, an error of its own, or the
//       loss of its broker. The batch gets a mark for each change that no record shows.
//   (2) A place is the position of a partition in this list. It changes only in Insert() and
//       Erase().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "connectors/kafka/read_partition.h"
#include "connectors/kafka/read_round.h"
#include "connectors/kafka/ready_state.h"

namespace sash {

class ReadPartitions {
 public:
  using Iterator = std::vector<ReadPartition>::iterator;

  ReadPartitions(ReadRound& round, ReadyState& ready) : round_(round), ready_(ready) {}

  Iterator begin() { return partitions_.begin(); }
  Iterator end() { return partitions_.end(); }
  auto begin() const { return partitions_.begin(); }
  auto end() const { return partitions_.end(); }
  std::size_t size() const { return partitions_.size(); }
  ReadPartition& operator[](std::size_t place) { return partitions_[place]; }
  const ReadPartition& operator[](std::size_t place) const { return partitions_[place]; }
  std::size_t PlaceOf(const ReadPartition& partition) const {
    return static_cast<std::size_t>(&partition - partitions_.data());
  }
  ReadPartition* Find(std::string_view topic, std::int32_t partition);

  // A partition that joins the running stream and is read from `begin`; it ends at `end` now. It
  // begins as caught up, so the windows wait for it no longer than for a silent partition.
  ReadPartition Joining(const TopicPartition& pair, PartitionIndex index, std::int64_t begin,
                        std::int64_t end, SteadyTime now) const;

  void Clear() { partitions_.clear(); }
  void Append(ReadPartition partition);  // it comes after all others
  void Insert(ReadPartition partition);
  Iterator Erase(Iterator partition) { return partitions_.erase(partition); }

  void MarkBehind(ReadPartition& partition);
  // The partition, or the whole consumer, had failed and delivers again.
  void Recover(ReadPartition& partition);
  void NoteConsumerFailed() { consumer_failed_ = true; }
  bool consumer_failed() const { return consumer_failed_; }

  // The least newest event time. A partition that joins starts with it: so it does not count as
  // slower than the slowest one, and no partition is paused for it.
  std::optional<EventTime> LeastNewest() const;

  // Whether the engine has been told that everything is read.
  bool all_caught_up() const { return all_caught_up_; }
  void NoteAllCaughtUp(bool caught_up) { all_caught_up_ = caught_up; }

 private:
  ReadRound& round_;
  ReadyState& ready_;
  std::vector<ReadPartition> partitions_;
  bool consumer_failed_ = false;
  bool all_caught_up_ = false;
};

// The ReadyState subject of errors that concern no single partition.
inline constexpr const char* kConsumerSubject = "consumer";

}  // namespace sash
