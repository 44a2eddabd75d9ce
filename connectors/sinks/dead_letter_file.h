// DeadLetterFile: the refused records, one JSON line each, in a file of bounded size.
//
// At the size limit the older half is dropped (letter_rotation.h).
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) The file contains only whole lines, and at most limit_bytes.
//   (2) Refuse() never fails. Lines are buffered. While the file cannot be written, the buffer is
//       bounded, and lines that do not fit are counted as lost.
//   (3) Every refused record is counted by reason, even if its line is lost.
//   (4) A letter is not written again if the file contains it at the start, or if a file that was
//       moved away contains it: the newest 10,000 letters of such files, or all letters while the
//       moved file is still in the folder.
//   (5) A file that does not begin with a dead letter is refused and left unchanged.
//   (6) When the file is moved away, deleted or replaced, a new file is begun. It gets the letters
//       that are not known to be in the old file.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/held_letters.h"
#include "connectors/sinks/letter_trail.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

class DeadLetterFile final : public RefusalSink {
 public:
  // The most bytes of a record's key and value that are kept. Records small enough to be decoded
  // fit completely.
  static constexpr std::size_t kPayloadBytes = 1 << 20;

  // Cuts a torn last line and appends after the last whole line. A replay empties the file. `log`
  // must outlive the object.
  static Result<std::unique_ptr<DeadLetterFile>> Open(const DeadLetterSpec& spec, bool replay,
                                                      EventLog& log);

  ~DeadLetterFile() override;

  void Refuse(const RefusedRecord& record) override;

  // Whether Refuse() would not write its letter because it was already written (4).
  bool Repeats(const RefusedRecord& record) const;

  // Writes the buffered lines. After an error the next call tries again, so callers can go on.
  Status Flush();

  // The status of the last write. No value if writing has not begun to fail, or to succeed again,
  // since the previous call.
  std::optional<Status> TakeChange();

  std::uint64_t Count(RefusalReason reason) const {
    return counts_[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
  }
  std::uint64_t rotated() const { return rotated_; }    // records dropped at the size limit
  std::uint64_t lost() const { return lost_; }          // records that never reached the file
  std::uint64_t repeated() const { return repeated_; }  // letters that were already written

 private:
  DeadLetterFile(const DeadLetterSpec& spec, AppendFile file, EventLog& log);

  std::string LineOf(const RefusedRecord& record) const;
  Status Resume() SASH_REQUIRES(mutex_);
  void ResumeFromMoved(const FileMark& last) SASH_REQUIRES(mutex_);
  bool IsThere() const SASH_REQUIRES(mutex_);
  Status FollowFile() SASH_REQUIRES(mutex_);
  void KeepTrail() SASH_REQUIRES(mutex_);
  Status WriteBuffer() SASH_REQUIRES(mutex_);
  Status TryWriteBuffer() SASH_REQUIRES(mutex_);
  Status RotateOut() SASH_REQUIRES(mutex_);
  void LoseBuffer() SASH_REQUIRES(mutex_);

  const std::string path_;  // with links resolved: a rotation must not replace a link
  const std::uint64_t limit_bytes_;
  const std::size_t flush_bytes_;   // a buffer of this size is written
  const std::size_t buffer_bytes_;  // limit of the buffer while the file cannot be written

  std::array<std::atomic<std::uint64_t>, kRefusalReasons> counts_{};
  std::atomic<std::uint64_t> rotated_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
  std::atomic<std::uint64_t> repeated_ = 0;
  EventLog& log_;
  HeldLetters held_;  // not changed after Open()

  Mutex mutex_;  // held while writing: at most a rotation, which copies half the limit
  AppendFile file_ SASH_GUARDED_BY(mutex_);
  std::string buffer_ SASH_GUARDED_BY(mutex_);
  std::uint64_t size_ SASH_GUARDED_BY(mutex_) = 0;  // of the file, after the last write
  std::vector<LetterIdentity> buffered_letters_ SASH_GUARDED_BY(mutex_);  // in buffer_
  LetterTrail trail_ SASH_GUARDED_BY(mutex_);
  std::optional<Error> failure_ SASH_GUARDED_BY(mutex_);
  bool changed_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
