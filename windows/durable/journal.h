// Journal: the rounds since a state was taken, in files beside that state. The state is a
// checkpoint, or a state without events (RewindJournal). When an engine continues from the state,
// the journal lets it repeat all decisions that clocks and arrival made.
//
// A round is noted before the engine does it. It is handed to the operating system before any
// advance of that round leaves the engine. So it survives the end of the process, but not a loss of
// power; after that, decisions since the state may differ.
//
// Thread safety: none; one thread at a time. It does not use the files of checkpoints, so another
// thread may write those in the same folder.
//
// Invariants
//   (1) After a failure nothing is noted until the next Turn(). What was noted before stays
//       readable.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"
#include "windows/durable/journal_file.h"
#include "windows/slide/round_outline.h"

namespace sash {

// The rounds that must be repeated after a given state.
struct JournalledRounds {
  struct Part {
    std::uint64_t file = 0;
    std::uint64_t rounds = 0;
  };

  std::deque<RoundOutline> rounds;  // Item::partition is an index of `partitions`
  std::vector<TopicPartition> partitions;
  std::optional<Moment> begun;  // when the first of the files began, in the time of the rounds
  bool continues = false;       // the run that took the state wrote that file
  std::vector<Part> parts;      // the files of these rounds, in order
  std::uint64_t newest = 0;     // highest number of a file or state
  std::string remark;           // why the newest unreadable file was skipped; empty: none was
};
Result<JournalledRounds> ReadJournal(const Folder& folder, std::uint64_t state);

// For each partition that has records in the rounds: the offset after the last of them.
std::map<TopicPartition, std::int64_t> ReachedOffsets(const JournalledRounds& rounds);

// Counts of this run of the process.
struct JournalFigures {
  std::uint64_t rounds = 0;    // noted
  std::uint64_t bytes = 0;     // handed to the operating system
  std::uint64_t failures = 0;  // each stopped noting until the next state
};

class Journal {
 public:
  explicit Journal(Folder& folder) : folder_(folder) {}

  // The engine continues from this state; `rounds` follow it.
  void Resume(std::uint64_t state, const JournalledRounds& rounds);

  // Starts the file of this run, and hands its head to the operating system. The file follows the
  // first `done` of the resumed rounds. They ended `shift` later, in the time of this run, than
  // they say. `partitions`: all that rounds can name now; later ones come with RoundOutline::named.
  void Begin(std::uint64_t done, Duration shift, const Moment& now,
             std::vector<TopicPartition> partitions);

  // A state was taken: starts a new file for the rounds that follow it. Returns its number.
  std::uint64_t Turn(const Moment& now);

  void Note(const RoundOutline& round);
  // Holds a round that may change nothing. Keep() or the next Write() notes it; Drop() before them
  // discards it.
  void Hold(const RoundOutline& round);
  void Keep();
  void Drop() { held_.reset(); }
  // Hands all noted rounds to the operating system.
  void Write();

  // No restart will need a state older than this one: deletes the files before it.
  void Collect(std::uint64_t state);

  // The number of the file whose rounds precede those of this run.
  std::uint64_t follows() const { return head_.after; }
  // Why nothing is noted now; nothing when rounds are noted.
  const std::optional<std::string>& failure() const { return failure_; }
  const JournalFigures& figures() const { return figures_; }

 private:
  void Open();
  void Append(std::string_view bytes);
  void NoteFailure(const Status& status);

  Folder& folder_;
  std::uint64_t state_ = 0;                    // of Resume()
  std::vector<JournalledRounds::Part> parts_;  // of Resume()
  std::uint64_t newest_ = 0;                   // number of a file
  JournalHead head_;                           // of the current file
  std::uint64_t noted_ = 0;                    // rounds in it
  std::unique_ptr<FileWriter> file_;
  std::string waiting_;  // for Write()
  std::optional<RoundOutline> held_;
  std::optional<std::string> failure_;
  JournalFigures figures_;
};

}  // namespace sash
