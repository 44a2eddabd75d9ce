// SliceShelf: which slices of an export exist, and which of them have to go.
//
// Thread safety: bytes() and the counts may be read from any thread; the rest belongs to one thread
// at a time.
//
// Invariants
//   (1) Slices that are older than `keep`, or for which there is no room, are removed as soon as no
//       process has locked them, the oldest first.
//   (2) The newest slice is never removed, so a restart knows how far the slices reach.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "connectors/export/export_spec.h"
#include "connectors/export/slices/slice_facts.h"
#include "connectors/export/slices/slice_folder.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class SliceShelf {
 public:
  // All arguments outlive the shelf.
  SliceShelf(const SliceFolder& folder, const ExportSpec& spec, EventLog& log)
      : folder_(folder), spec_(spec), log_(log) {}

  // Finds what earlier runs left, and removes what is not whole. `all`: removes every slice.
  // kInvalidArgument: the newest slice has other keys or another pane.
  Status Begin(KeyKind keys, Duration pane, bool all);

  // Removes slices, oldest first, until `bytes` more fit into the limit. False if they do not.
  bool MakeRoom(std::uint64_t bytes);

  // A slice was written: the newest one. Removes what is beyond `keep`.
  void Add(const SliceFacts& slice);

  std::uint64_t next_number() const { return kept_.empty() ? 1 : kept_.back().number + 1; }
  std::optional<EventTime> newest_end() const;
  std::vector<EventTime> Ends() const;  // of all slices, ascending

  std::uint64_t bytes() const { return bytes_; }  // in whole pages
  std::uint64_t slices() const { return count_; }
  std::uint64_t removed_early() const { return removed_early_; }  // before `keep` had passed

 private:
  struct Kept {
    std::uint64_t number = 0;
    EventTime end{};
    std::uint64_t bytes = 0;  // in whole pages
  };

  Status CheckFound(const SliceFacts& newest, KeyKind keys, Duration pane) const;
  void Keep(const SliceFacts& slice);
  bool RemoveOldest();

  const SliceFolder& folder_;
  const ExportSpec& spec_;
  EventLog& log_;
  std::deque<Kept> kept_;  // oldest first
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> removed_early_ = 0;
};

}  // namespace sash
