// LetterTrail: which letters are in the file of dead letters, and which are in files that were
// moved away, so that a restart does not write them again. It is kept on disk (FileTrail).
//
// Thread safety: none; the owner serialises.
#pragma once

#include <deque>
#include <optional>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/held_letters.h"
#include "windows/base/result.h"

namespace sash {

class LetterTrail {
 public:
  // Letters in the file, and letters in moved files, whose names are kept.
  static constexpr std::size_t kMost = 10'000;

  // Keeps nothing on disk, for replays and streams.
  LetterTrail() = default;
  explicit LetterTrail(FileTrail trail);

  // The file that the previous process wrote last; none: unknown.
  std::optional<FileMark> last_file() const;
  // The letters in files that were moved away.
  const std::deque<LetterIdentity>& moved() const { return moved_; }

  // The letter is in the file.
  void Note(LetterIdentity letter);
  // The file was moved away, with its letters.
  void NoteMoved();
  // The file, with its letters, is gone or was cut.
  void NoteGone() { newest_.clear(); }

  // Writes to disk that letters go to `file` now.
  Status Keep(const FileMark& file);

 private:
  std::optional<FileTrail> trail_;
  std::deque<LetterIdentity> newest_;  // in the file
  std::deque<LetterIdentity> moved_;
};

}  // namespace sash
