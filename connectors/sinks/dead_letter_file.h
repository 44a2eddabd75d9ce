// DeadLetterFile: the refused records, one JSON line each, in a file of bounded size.
//
// At its limit the older half is rotated out: the newer half is copied to a file beside it
// (<path>.rotating), which is renamed over it.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) The file holds whole lines and at most limit_bytes.
//   (2) Refuse() never fails. Lines are buffered; while the file cannot be written the buffer is
//       bounded, and what does not fit is counted as lost.
//   (3) Every refused record counts by reason, whatever becomes of its line.
//   (4) A letter that the file holds at the start, or that a file which was moved away holds, is
//       not written again: the newest 10,000 of those, or all while that file is in the folder.
//   (5) A file that does not begin like one of dead letters is refused and left as it was.
//   (6) When the file is moved away, deleted or replaced, a new one is begun with what is not known
//       to have been in the old one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/held_letters.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

// Of the file that a rotation at the limit makes.
inline constexpr std::string_view kRotatingEnding = ".rotating";

class DeadLetterFile final : public RefusalSink {
 public:
  // Of a record's key and value; the rest is cut off. What could be decoded at all is whole.
  static constexpr std::size_t kPayloadBytes = 1 << 20;

  // Cuts a torn last line and goes on behind the others. A replay empties the file. `log` outlives
  // it.
  static Result<std::unique_ptr<DeadLetterFile>> Open(const DeadLetterSpec& spec, bool replay,
                                                      EventLog& log);

  ~DeadLetterFile() override;

  void Refuse(const RefusedRecord& record) override;

  // Whether its letter is not written, since it was before (4).
  bool Repeats(const RefusedRecord& record) const;

  // Writes what is buffered. An error is no reason to stop: it is tried again at the next call.
  Status Flush();

  // Whether the file could be written at last, when that has changed since the previous call.
  std::optional<Status> TakeChange();

  std::uint64_t Count(RefusalReason reason) const {
    return counts_[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
  }
  std::uint64_t rotated() const { return rotated_; }    // records that left at the limit
  std::uint64_t lost() const { return lost_; }          // records that never reached the file
  std::uint64_t repeated() const { return repeated_; }  // letters that were there already

 private:
  DeadLetterFile(const DeadLetterSpec& spec, AppendFile file, EventLog& log);

  std::string LineOf(const RefusedRecord& record) const;
  Status Resume() SASH_REQUIRES(mutex_);
  void ResumeFromMoved(const FileMark& last) SASH_REQUIRES(mutex_);
  bool IsThere() const SASH_REQUIRES(mutex_);
  Status FollowFile() SASH_REQUIRES(mutex_);
  void KeepTrail() SASH_REQUIRES(mutex_);
  void Note(LetterIdentity letter) SASH_REQUIRES(mutex_);
  Status WriteBuffer() SASH_REQUIRES(mutex_);
  Status TryWriteBuffer() SASH_REQUIRES(mutex_);
  Status RotateOut() SASH_REQUIRES(mutex_);
  Status CopyTo(AppendFile& newer, std::uint64_t from) SASH_REQUIRES(mutex_);
  Result<std::uint64_t> CountLines(std::uint64_t until) SASH_REQUIRES(mutex_);
  Result<std::uint64_t> LineBeginAfter(std::uint64_t from) SASH_REQUIRES(mutex_);
  void LoseBuffer() SASH_REQUIRES(mutex_);

  const std::string path_;  // links resolved: renaming onto it must not replace a link
  const std::uint64_t limit_bytes_;
  const std::size_t flush_bytes_;   // buffered, then written
  const std::size_t buffer_bytes_;  // buffered at most, while the file cannot be written

  std::array<std::atomic<std::uint64_t>, kRefusalReasons> counts_{};
  std::atomic<std::uint64_t> rotated_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
  std::atomic<std::uint64_t> repeated_ = 0;
  EventLog& log_;
  HeldLetters held_;  // not changed once it is open

  Mutex mutex_;  // held while writing: at most a rotation, which copies half the limit
  AppendFile file_ SASH_GUARDED_BY(mutex_);
  std::string buffer_ SASH_GUARDED_BY(mutex_);
  std::uint64_t size_ SASH_GUARDED_BY(mutex_) = 0;  // of the file, as it was written last
  std::vector<LetterIdentity> buffered_letters_ SASH_GUARDED_BY(mutex_);  // in buffer_
  std::deque<LetterIdentity> newest_ SASH_GUARDED_BY(mutex_);             // of the file
  std::deque<LetterIdentity> moved_ SASH_GUARDED_BY(mutex_);  // of files that were moved away
  std::optional<FileTrail> trail_ SASH_GUARDED_BY(mutex_);    // none in replays, and of streams
  std::optional<Error> failure_ SASH_GUARDED_BY(mutex_);
  bool changed_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
