// Folder: the files of a checkpoint, as the rest of the room sees them. PosixFolder is the real
// one; tests have others that fail, and that forget what was not synced.
//
// Errors name the file and what the system said; their code is kUnavailable, kNotFound for a file
// that is not there, kCorruption where something else than a file is in its place.
//
// Thread safety: a file belongs to one thread at a time. PosixFolder's functions may be called by
// several threads that name different files; other folders say what they allow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// A file that is being written; its end closes it.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual Status Append(std::string_view bytes) = 0;
  virtual Status Sync() = 0;  // what was appended is durable
};

class Folder {
 public:
  virtual ~Folder() = default;

  virtual const std::string& path() const = 0;
  virtual Result<std::unique_ptr<FileWriter>> Create(const std::string& name) = 0;  // or empties
  virtual Result<std::string> Read(const std::string& name) const = 0;

  // Reads as far as `wanted` asks for, so that no memory is taken for what nobody has looked at: it
  // is given what has been read, at first nothing, and the size of the file, and says how many
  // bytes from the beginning on it wants to see. The end is when it wants no more than it has been
  // given, or an error of its own.
  using Wanted = std::function<Result<std::uint64_t>(std::string_view read, std::uint64_t bytes)>;
  virtual Result<std::string> ReadWanted(const std::string& name, const Wanted& wanted) const = 0;
  virtual Result<std::vector<std::string>> List() const = 0;                  // names, ordered
  virtual Status Rename(const std::string& from, const std::string& to) = 0;  // replaces
  virtual Status Remove(const std::string& name) = 0;
  virtual Status Sync() = 0;  // the names in it are durable
};

}  // namespace sash
