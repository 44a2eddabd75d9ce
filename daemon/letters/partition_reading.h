// PartitionReading: how far a partition of a topic of dead letters is read.
//
// Thread safety: value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sash {

class PartitionReading {
 public:
  // Offsets that could not be read, both included, and why.
  struct Lost {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::string why;
  };

  PartitionReading(std::int64_t next, std::int64_t end) : next_(next), end_(end) {}

  std::int64_t next() const { return next_; }
  std::int64_t end() const { return end_; }
  bool is_done() const { return next_ >= end_; }

  // The batch at next() cannot be read now. It is requested again, or skipped.
  void NoteUnreadable(const std::string& why) { unreadable_ = why; }

  // The record at `offset` came, or the end of the partition: what lies before it since an
  // unreadable batch, up to end(), is lost.
  std::optional<Lost> Reach(std::int64_t offset);
  void Pass(std::int64_t offset) { next_ = offset + 1; }

  // Retention has deleted everything before `begin`.
  void BeginAt(std::int64_t begin);

 private:
  std::int64_t next_;
  std::int64_t end_;
  std::string unreadable_;  // empty: nothing is known to be
};

}  // namespace sash
