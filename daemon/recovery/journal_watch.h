// JournalWatch: what threads other than the engine thread may know of its journal.
//
// Thread safety: Look() belongs to the engine thread, the rest to any.
#pragma once

#include <optional>
#include <string>

#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/durable/journal.h"

namespace sash {

class JournalWatch {
 public:
  // `log` outlives it.
  explicit JournalWatch(EventLog& log) : log_(log) {}

  // Called after a round. Logs it when the journal can no longer be written, or when a state in
  // which it begins could not be saved or is gone (`of_states`).
  void Look(const Journal& journal, const std::optional<std::string>& of_states = {});

  std::optional<std::string> not_ready() const;
  JournalFigures figures() const;

 private:
  EventLog& log_;
  mutable Mutex mutex_;
  std::optional<std::string> failure_ SASH_GUARDED_BY(mutex_);
  JournalFigures figures_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
