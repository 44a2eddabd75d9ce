// Outbox: messages on disk that wait until somebody else holds them: a folder of files to which
// lines are appended, <key>\t<value>, both JSON, and a seal (outbox_line.h). What came together is
// one line, of one such pair after another, so that a line which is torn leaves none of it.
//
// Thread safety: every member may be called from any thread. Flush() holds the lock while it syncs.
//
// Invariants
//   (1) A message leaves the outbox when it is acknowledged, and not before; what was not
//       acknowledged when the process ended is given out again by the next one. So may be what was.
//   (2) Messages are given out in the order in which they came, those that were returned first.
//       What came together and was not acknowledged is given out together by the next process, too.
//   (3) The files hold at most limit_bytes, what could not be written yet included. Append()
//       refuses what does not fit; what is in there stays.
//   (4) A file is deleted once all of its messages are acknowledged. The newest one is emptied.
//   (5) Every file is locked while the outbox is open, so no other process uses them.
//   (6) A replay has files of its own (replay-*) in the folder: it neither sends nor deletes what a
//       live process left, nor the other way round.
//   (7) A line whose bytes are not those that were written there is never given out. It is noted,
//       and kept in the file `damaged` of the folder.
//   (8) A file that somebody has moved away or deleted is made again with what it held.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/durable_lines.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class Outbox {
 public:
  static constexpr std::uint64_t kFileBytes = 8 << 20;    // a new file after that, or limit / 4
  static constexpr std::size_t kBacklogBytes = 64 << 20;  // in memory, while the disk is full

  struct Message {
    std::uint64_t id = 0;
    std::string key;
    std::string value;
    bool more = false;  // the next one came together with it
  };
  // What happened to its files.
  struct Note {
    bool damaged = false;  // a line is lost; else a file is there again
    std::string text;
  };
  struct Pair {
    std::string_view key;
    std::string_view value;
  };

  // Creates the folder, but not the one around it. A replay deletes what replays before it left.
  // `head` is how every key begins. Refuses a folder with files that are not as this class writes
  // them, naming the line.
  static Result<std::unique_ptr<Outbox>> Open(const OutboxSpec& spec, bool replay,
                                              std::string_view head,
                                              std::uint64_t file_bytes = kFileBytes);

  // No text holds a tab or a line break. False, and nothing taken, beyond the limit.
  [[nodiscard]] bool Append(std::span<const Pair> together);
  [[nodiscard]] bool Append(std::string_view key, std::string_view value) {
    const Pair alone{key, value};
    return Append({&alone, 1});
  }

  // Makes everything appended durable, but for what has been acknowledged.
  Status Flush();

  // The next message that is not given out. An error when its file cannot be read, now.
  Result<std::optional<Message>> Next();
  bool has_next() const;

  void Acknowledge(std::uint64_t id);
  void Return(std::uint64_t id);  // to be given out again
  void ReturnAll();               // that are given out

  std::vector<Note> TakeNotes();

  std::uint64_t waiting() const { return waiting_; }  // messages (1)
  std::uint64_t bytes() const { return bytes_; }      // of the files

 private:
  enum class State : std::uint8_t { kHere, kGivenOut, kAcknowledged };

  struct Entry {
    std::uint64_t file = 0;
    std::uint64_t line = 0;    // its offset
    std::uint32_t begin = 0;   // in the line
    std::uint32_t length = 0;  // with the tab or line break behind it
    std::uint32_t whole = 0;   // the length of the line, with its end
    State state = State::kHere;
    bool more = false;
  };
  struct File {
    DurableLines lines;
    std::uint64_t entries = 0;  // not acknowledged, or behind one that is not
  };

  Outbox(const OutboxSpec& spec, bool replay, std::string_view head, std::uint64_t file_bytes);

  std::string NameOf(std::uint64_t number) const;
  std::string PathOf(std::uint64_t number) const { return folder_ + "/" + NameOf(number); }
  Status ReadFolder() SASH_REQUIRES(mutex_);
  Status OpenFile(std::uint64_t number, bool discard) SASH_REQUIRES(mutex_);
  std::optional<std::uint64_t> NumberOf(std::string_view name) const;  // of a file of ours
  // Of the messages in a line without end and seal; nothing when it is none of ours. `verified`:
  // its bytes are known to be what was written.
  std::optional<std::vector<std::uint32_t>> LengthsOf(std::string_view line, bool verified) const;
  void Enter(std::uint64_t file, std::uint64_t line, std::uint32_t whole,
             std::span<const std::uint32_t> lengths) SASH_REQUIRES(mutex_);
  Result<std::uint64_t> EnterLines(std::uint64_t number, const AppendFile& file)
      SASH_REQUIRES(mutex_);
  void NoteDamage(const std::string& where, std::string_view line) SASH_REQUIRES(mutex_);
  void DropLine(std::uint64_t id) SASH_REQUIRES(mutex_);
  Status KeepPlaces() SASH_REQUIRES(mutex_);
  Status MakeAgain(File& file) SASH_REQUIRES(mutex_);
  void BeginNextIfLarge() SASH_REQUIRES(mutex_);
  Result<std::string> TextOf(const Entry& entry) SASH_REQUIRES(mutex_);
  Result<bool> ReadLine(const Entry& entry) SASH_REQUIRES(mutex_);
  void LetGo() SASH_REQUIRES(mutex_);
  void Count() SASH_REQUIRES(mutex_);
  Entry* Find(std::uint64_t id) SASH_REQUIRES(mutex_);

  const std::string folder_;
  const bool replay_;
  const std::string head_;
  const std::uint64_t limit_bytes_;
  const std::uint64_t file_bytes_;

  std::atomic<std::uint64_t> waiting_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;

  mutable Mutex mutex_;
  std::map<std::uint64_t, File> files_ SASH_GUARDED_BY(mutex_);  // never empty; the newest grows
  std::deque<Entry> entries_ SASH_GUARDED_BY(mutex_);            // ids from first_id_ on
  std::vector<Note> notes_ SASH_GUARDED_BY(mutex_);
  // The line that was read and verified last.
  std::string line_ SASH_GUARDED_BY(mutex_);
  std::uint64_t line_file_ SASH_GUARDED_BY(mutex_) = 0;  // 0: none
  std::uint64_t line_at_ SASH_GUARDED_BY(mutex_) = 0;
  std::uint64_t first_id_ SASH_GUARDED_BY(mutex_) = 0;
  std::uint64_t next_id_ SASH_GUARDED_BY(mutex_) = 0;  // nothing before it is kHere
};

}  // namespace sash
