// Outbox: messages that wait on disk until their receiver has acknowledged them. It is a folder of
// files to which lines are appended: <key>\t<value>, both JSON, and a seal (outbox_line.h).
// Messages that are appended together are one line with several such pairs, so a torn line loses
// all of them or none.
//
// Thread safety: every member may be called from any thread. Flush() holds the lock while it syncs.
//
// Invariants
//   (1) A message leaves the outbox only when it is acknowledged. Messages that were not
//       acknowledged when the process ended are given out again after a restart. Acknowledged
//       messages may be given out again too.
//   (2) Messages are given out in the order in which they were appended; returned messages come
//       first. Messages that were appended together and not acknowledged are given out together
//       after a restart, too.
//   (3) The outbox contains at most limit_bytes, including messages that could not be written yet.
//       Append() refuses a message that does not fit; it never drops older messages for it.
//   (4) A file is deleted once all of its messages are acknowledged. The newest file is emptied
//       instead.
//   (5) Every file is locked while the outbox is open, so no other process uses it.
//   (6) A replay has its own files (replay-*) in the folder. It neither sends nor deletes messages
//       of a live process, and a live process leaves those of a replay alone.
//   (7) A line whose bytes differ from those that were written at its place is never given out. It
//       is reported (TakeNotes) and kept in the file `damaged` of the folder.
//   (8) A file that another process has moved away or deleted is created again with the same
//       content. After a file that another process has cut, the next file begins; only the messages
//       that were cut off are lost, and their number is reported.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/outbox_entries.h"
#include "connectors/sinks/outbox_file.h"
#include "connectors/sinks/outbox_folder.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class Outbox {
 public:
  static constexpr std::uint64_t kFileBytes = 8 << 20;    // then a new file begins; or limit / 4
  static constexpr std::size_t kBacklogBytes = 64 << 20;  // in memory, while the disk is full

  struct Message {
    std::uint64_t id = 0;
    std::string key;
    std::string value;
    bool more = false;  // the next message was appended together with this one
  };
  // An event on the files of the outbox.
  struct Note {
    enum class Kind : std::uint8_t { kDamaged, kMadeAgain, kCut };  // a line; a file
    Kind kind = Kind::kDamaged;
    std::string text;
    std::uint64_t lost = 0;  // kCut: messages; kDamaged: lines
  };
  struct Pair {
    std::string_view key;
    std::string_view value;
  };

  // Creates the folder, but not its parent folder. A replay deletes the messages of earlier
  // replays. Every key begins with `head`. Refuses a folder with files that this class did not
  // write; the error names the line.
  static Result<std::unique_ptr<Outbox>> Open(const OutboxSpec& spec, bool replay,
                                              std::string_view head,
                                              std::uint64_t file_bytes = kFileBytes);

  // Keys and values must not contain a tab or a line break. If the messages do not fit within the
  // limit, returns false and adds none of them.
  [[nodiscard]] bool Append(std::span<const Pair> together) {
    return AppendWithin(limit_bytes_, together);
  }
  // The same, for messages that must not take the room that others need: within half of the limit.
  [[nodiscard]] bool AppendToHalf(std::span<const Pair> together) {
    return AppendWithin(limit_bytes_ / 2, together);
  }
  [[nodiscard]] bool Append(std::string_view key, std::string_view value) {
    const Pair alone{key, value};
    return Append({&alone, 1});
  }

  // Makes all appended messages durable, except acknowledged ones.
  Status Flush();

  // The next message that is not given out. An error when its file cannot be read at the moment.
  Result<std::optional<Message>> Next();
  bool has_next() const;

  void Acknowledge(std::uint64_t id);
  void Return(std::uint64_t id);  // this message will be given out again
  void ReturnAll();               // returns all messages that are given out

  std::vector<Note> TakeNotes();

  std::uint64_t waiting() const { return waiting_; }  // messages in the outbox (1)
  std::uint64_t bytes() const { return bytes_; }      // of the files

 private:
  struct File {
    OutboxFile lines;
    std::uint64_t entries = 0;  // not acknowledged, or after one that is not
  };
  struct ReadLine {
    std::string text;
    std::uint64_t file = 0;  // 0: none
    std::uint64_t begin = 0;
  };

  Outbox(const OutboxSpec& spec, bool replay, std::string_view head, std::uint64_t file_bytes);

  bool AppendWithin(std::uint64_t limit_bytes, std::span<const Pair> together);
  Status ReadFolder() SASH_REQUIRES(mutex_);
  Status OpenFile(std::uint64_t number, bool discard) SASH_REQUIRES(mutex_);
  void Enter(std::uint64_t file, const OutboxFile::Line& line) SASH_REQUIRES(mutex_);
  void NoteDamage(const std::string& where, std::string_view line) SASH_REQUIRES(mutex_);
  void DropLine(std::uint64_t id) SASH_REQUIRES(mutex_);
  Status SyncNewest() SASH_REQUIRES(mutex_);
  Status LeaveIfCut(std::uint64_t number) SASH_REQUIRES(mutex_);
  void MoveKept(std::uint64_t from) SASH_REQUIRES(mutex_);
  Status KeepPlaces() SASH_REQUIRES(mutex_);
  void BeginNextIfLarge() SASH_REQUIRES(mutex_);
  Result<std::string> TextOf(const OutboxEntry& entry) SASH_REQUIRES(mutex_);
  void LetGo() SASH_REQUIRES(mutex_);
  void Count() SASH_REQUIRES(mutex_);

  const OutboxFolder folder_;
  const bool replay_;
  const std::string head_;
  const std::uint64_t limit_bytes_;
  const std::uint64_t file_bytes_;

  std::atomic<std::uint64_t> waiting_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;

  mutable Mutex mutex_;
  std::map<std::uint64_t, File> files_ SASH_GUARDED_BY(mutex_);  // never empty; the newest grows
  OutboxEntries entries_ SASH_GUARDED_BY(mutex_);
  std::vector<Note> notes_ SASH_GUARDED_BY(mutex_);
  ReadLine last_read_ SASH_GUARDED_BY(mutex_);  // serves the other messages of its line
};

}  // namespace sash
