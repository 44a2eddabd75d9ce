// HeldLetters: which dead letters a file already holds, so that none is written twice when records
// are read again after a restart.
//
// A letter is known by all of its line but `detail`, which may tell of the moment: the same place
// of a topic that was made anew has another record, and that is another letter. It costs eight
// bytes a letter.
//
// Thread safety: none; once nothing is added, Holds() may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

using LetterIdentity = std::uint64_t;

// Of a line with its end, or without.
LetterIdentity IdentityOfLetter(std::string_view line);

// Whether a line, or its first 64 KiB, is a dead letter.
bool IsLetterLine(std::string_view line);

class HeldLetters {
 public:
  static constexpr std::size_t kMost = 4 << 20;  // the newest of a file

  // Adds those in whole lines of the file; in their order.
  Status Read(const AppendFile& file);
  void Add(LetterIdentity letter) { letters_.push_back(letter); }

  // Before Holds().
  void Sort();
  bool Holds(LetterIdentity letter) const;

  const std::vector<LetterIdentity>& letters() const { return letters_; }

 private:
  std::vector<LetterIdentity> letters_;
};

}  // namespace sash
