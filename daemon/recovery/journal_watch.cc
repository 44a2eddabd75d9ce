#include "daemon/recovery/journal_watch.h"

#include "daemon/log/log_events.h"

namespace sash {

void JournalWatch::Look(const Journal& journal, const std::optional<std::string>& of_states) {
  const MutexLock lock(mutex_);
  if (journal.failure() && !failure_) {
    log_.Log(process_events::kJournalFailed,
             "journal: nothing is recorded until the next state: " + *journal.failure());
  } else if (of_states && !failure_) {
    log_.Log(process_events::kJournalFailed, "journal: not all states are saved: " + *of_states);
  }
  failure_ = journal.failure() ? journal.failure() : of_states;
  figures_ = journal.figures();
}

std::optional<std::string> JournalWatch::not_ready() const {
  const MutexLock lock(mutex_);
  if (!failure_) return std::nullopt;
  return "journal: " + *failure_;
}

JournalFigures JournalWatch::figures() const {
  const MutexLock lock(mutex_);
  return figures_;
}

}  // namespace sash
