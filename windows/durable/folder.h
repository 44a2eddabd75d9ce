// Folder: the interface to the files of a checkpoint. PosixFolder is the real one. Tests have
// folders that fail, and folders that lose everything that was not synced.
//
// Errors name the file and the reason from the system. Codes: kUnavailable; kNotFound for a missing
// file; kCorruption when something other than a regular file is in its place.
//
// Thread safety: a file belongs to one thread at a time. Several threads may call PosixFolder's
// functions for different files; other folders document what they allow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

// A file that is being written. The destructor closes it. Append() and Sync() fail if another
// process has moved or deleted the file meanwhile: nothing would find the bytes after a restart.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual Status Append(std::string_view bytes) = 0;
  virtual Status Sync() = 0;  // makes all appended bytes durable
};

class Folder {
 public:
  virtual ~Folder() = default;

  virtual const std::string& path() const = 0;
  virtual Result<std::unique_ptr<FileWriter>> Create(const std::string& name) = 0;  // or empties it
  virtual Result<std::string> Read(const std::string& name) const = 0;

  // Reads the beginning of a file, as far as `wanted` asks for, so that no memory is used for bytes
  // that are not needed. `wanted` gets the bytes read so far (at first none) and the size of the
  // file. It returns how many bytes from the beginning it wants. Reading ends when it wants no more
  // than it has, or returns an error.
  using Wanted = std::function<Result<std::uint64_t>(std::string_view read, std::uint64_t bytes)>;
  virtual Result<std::string> ReadWanted(const std::string& name, const Wanted& wanted) const = 0;
  virtual Result<std::uint64_t> Size(const std::string& name) const = 0;      // of a file, in bytes
  virtual Result<std::vector<std::string>> List() const = 0;                  // names, sorted
  virtual Status Rename(const std::string& from, const std::string& to) = 0;  // replaces
  virtual Status Remove(const std::string& name) = 0;
  virtual Status Sync() = 0;  // makes the names in the folder durable
};

}  // namespace sash
