// Journal: the rounds since a state was taken, in files beside it: that of a checkpoint, or one
// without events (RewindJournal). What clocks and arrival decide is decided again as it was, when
// the engine goes on from the state.
//
// A round is noted before the engine does it, and with the kernel before anybody hears of an
// advance of it. So it outlives the process; not a loss of power, after which the decisions since
// the state may be others.
//
// Thread safety: none; one thread at a time. It uses no file of a checkpoint, so that others may
// write these in the same folder meanwhile.
//
// Invariants
//   (1) After a failure nothing is noted until the next Turn(); what was noted before is sound.
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

// What is to be done again from the state with a number.
struct JournalledRounds {
  struct Part {
    std::uint64_t file = 0;
    std::uint64_t rounds = 0;
  };

  std::deque<RoundOutline> rounds;  // partitions as in `partitions`
  std::vector<TopicPartition> partitions;
  std::optional<Moment> begun;  // when the first life began, in the time of the rounds
  bool continues = false;       // that life was the one that the state is of
  std::vector<Part> parts;      // whose rounds these are, in their order
  std::uint64_t newest = 0;     // number of a file or state
  std::string remark;           // why some file is not read, the newest such; empty when all are
};
Result<JournalledRounds> ReadJournal(const Folder& folder, std::uint64_t state);

// Behind which offset of each partition the rounds have had nothing; of those that they have
// records of.
std::map<TopicPartition, std::int64_t> ReachedOffsets(const JournalledRounds& rounds);

// What a journal has done in this life.
struct JournalFigures {
  std::uint64_t rounds = 0;    // noted
  std::uint64_t bytes = 0;     // handed to the kernel
  std::uint64_t failures = 0;  // after which nothing was noted until the next state
};

class Journal {
 public:
  explicit Journal(Folder& folder) : folder_(folder) {}

  // The engine goes on from this state, which these rounds follow.
  void Resume(std::uint64_t state, const JournalledRounds& rounds);

  // This life begins, which is with the kernel then: after `done` of the rounds that it resumes,
  // which ended `shift` later than they say. `partitions` are those that rounds name; more come
  // with RoundOutline::named.
  void Begin(std::uint64_t done, Duration shift, const Moment& now,
             std::vector<TopicPartition> partitions);

  // A state was taken: the rounds from here on follow it. Returns its number.
  std::uint64_t Turn(const Moment& now);

  void Note(const RoundOutline& round);
  // A round that perhaps changes nothing: it is noted by Keep(), by the next Write(), or not at
  // all, when Drop() comes before them.
  void Hold(const RoundOutline& round);
  void Keep();
  void Drop() { held_.reset(); }
  // Hands what was noted to the kernel.
  void Write();

  // Nobody goes on from an older state than this one any more: what was before is deleted.
  void Collect(std::uint64_t state);

  // The file whose rounds go before those of this life.
  std::uint64_t follows() const { return head_.after; }
  // Why nothing is noted now.
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
  JournalHead head_;                           // of the file at work
  std::uint64_t noted_ = 0;                    // rounds in it
  std::unique_ptr<FileWriter> file_;
  std::string waiting_;  // for Write()
  std::optional<RoundOutline> held_;
  std::optional<std::string> failure_;
  JournalFigures figures_;
};

}  // namespace sash
