// OutboxFolder: the names of an outbox's files. <number>.jsonl, or replay-<number>.jsonl for a
// replay; `damaged` holds lines that were found damaged.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

class OutboxFolder {
 public:
  OutboxFolder(std::string path, bool replay) : path_(std::move(path)), replay_(replay) {}

  // The numbers of the files that are there, ascending. Creates the folder, but not its parent
  // folder.
  Result<std::vector<std::uint64_t>> Numbers() const;

  std::string PathOf(std::uint64_t number) const;

  // Keeps the line in the file `damaged`, as far as the disk takes it, so that a person can inspect
  // it.
  void KeepDamaged(std::string_view line) const;

 private:
  const std::string path_;
  const bool replay_;
};

}  // namespace sash
