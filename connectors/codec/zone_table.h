// ZoneTable: the offsets of a time zone, by local time. It is read once from the system's tzdata;
// after that a lookup is two comparisons, or a binary search where the offset changes.
//
// A local time that a change skips, or that occurs twice, has the offset from before the change. So
// 02:30 in the hour that spring skips is 03:30, and 02:30 in the hour that autumn repeats is the
// first one.
//
// Thread safety: belongs to one thread, because it remembers where the last time was.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "windows/base/result.h"

namespace sash {

class ZoneTable {
 public:
  // Holds the years 1700 to 2200. The system's tables end in 2037 (Debian 12); after that the last
  // offset stays. The message of an error names the remedy, without repeating the name.
  static Result<ZoneTable> Load(const std::string& name);

  struct Offset {
    std::chrono::seconds from_utc{};
    bool doubtful = false;  // the local time was skipped, or occurred twice
  };
  // `local`: the local time, read as if it were UTC.
  Offset At(std::chrono::sys_seconds local) {
    if (local < changes_[last_].begin || local >= changes_[last_ + 1].begin) Find(local);
    const Change& change = changes_[last_];
    return {change.offset, local >= change.doubtful};
  }

 private:
  // From this local time on the offset is in force, until the next change; from `doubtful` on, the
  // local time is one that the next change skips or repeats.
  struct Change {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds doubtful;
    std::chrono::seconds offset{};
  };

  void Find(std::chrono::sys_seconds local);

  std::vector<Change> changes_;  // ascending; the first begins before, the last after all times
  std::size_t last_ = 0;
};

}  // namespace sash
