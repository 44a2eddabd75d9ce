// ExportFile: a new file of a snapshot, written from its beginning to its end.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The file has mode 0640, did not exist before, and a link in its place is not followed.
//   (2) After an error nothing more is written; Finish() returns the first error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/export/owned_descriptor.h"
#include "windows/base/result.h"

namespace sash {

class ExportFile {
 public:
  // `folder`: the descriptor of the folder in which the file is created.
  static Result<ExportFile> Create(int folder, std::string_view name);

  // Callers gather bytes before: each call writes.
  void Append(std::string_view bytes);

  std::uint64_t bytes() const { return written_; }
  std::uint32_t checksum() const { return checksum_; }  // CRC-32C of all bytes
  // The first error; none so far.
  const std::optional<Error>& failure() const { return failure_; }

  // Makes the file durable.
  Status Finish();

 private:
  ExportFile(OwnedDescriptor file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  OwnedDescriptor file_;
  std::string name_;
  std::uint64_t written_ = 0;
  std::uint32_t checksum_ = 0;
  std::optional<Error> failure_;
};

// The ending of a file's name until the file is whole.
inline constexpr std::string_view kUnfinishedEnding = ".new";

// Writes a file as a whole: a reader sees the text, or what was there before. It is durable when
// this returns. A file that an earlier process left unfinished is replaced.
Status WriteWhole(int folder, const std::string& name, std::string_view text);

}  // namespace sash
