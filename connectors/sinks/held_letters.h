// HeldLetters: the dead letters that a file already contains, so that none is written twice when
// records are read again after a restart.
//
// A letter is identified by a hash of its line without `detail`, which may differ from run to run.
// The partition and offset alone do not identify it: a topic that was deleted and created again
// has another record there, and that is another letter. Memory: eight bytes per letter.
//
// Thread safety: none; once nothing more is added, any thread may call Holds().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

using LetterIdentity = std::uint64_t;

// The identity of a line, with or without its line end.
LetterIdentity IdentityOfLetter(std::string_view line);

// Whether a line, or its first 64 KiB, is a dead letter.
bool IsLetterLine(std::string_view line);

class HeldLetters {
 public:
  static constexpr std::size_t kMost = 4 << 20;  // at least this number of a file's newest is kept

  // Adds the letters in the whole lines of the file, in their order.
  Status Read(const AppendFile& file);
  void Add(LetterIdentity letter) { letters_.push_back(letter); }

  // Call it before Holds().
  void Sort();
  bool Holds(LetterIdentity letter) const;

  const std::vector<LetterIdentity>& letters() const { return letters_; }

 private:
  std::vector<LetterIdentity> letters_;
};

}  // namespace sash
