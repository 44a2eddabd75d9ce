// ExpandedFile: the text of a file, pipe or standard input that may be compressed (expander.h).
//
// Thread safety: like InputFile.
//
// Invariants
//   (1) Bytes of an input that is not compressed are read straight into the caller's room.
//   (2) It keeps a block of compressed bytes, and what the expander keeps.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/replay/expander.h"
#include "connectors/replay/input_file.h"
#include "windows/base/result.h"

namespace sash {

class ExpandedFile {
 public:
  static constexpr std::size_t kBlockBytes = 128 << 10;

  // As InputFile::Open().
  static Result<std::unique_ptr<ExpandedFile>> Open(const std::string& path);

  // As InputFile::Read(), for the text. It also returns kNothingYet when bytes came from which no
  // text follows yet. A stream that is corrupt or ends too early is kFailed; the reason names the
  // byte. `room` is at least kCompressionHeadBytes long.
  InputFile::Reading Read(std::span<char> room, std::chrono::milliseconds patience);

  void Interrupt() { file_->Interrupt(); }

  Compression compression() const { return compression_; }

 private:
  explicit ExpandedFile(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}

  InputFile::Reading Recognize(std::span<char> room, std::chrono::milliseconds patience);
  InputFile::Reading Expand(std::span<char> room, std::chrono::milliseconds patience);
  InputFile::Reading Broken(std::string_view state, std::string_view why) const;

  const std::unique_ptr<InputFile> file_;
  bool is_recognized_ = false;
  std::string head_;  // the first bytes, until they are enough to recognize the compression
  Compression compression_ = Compression::kNone;
  std::unique_ptr<Expander> expander_;  // null: the input is not compressed
  std::vector<char> block_;             // compressed bytes
  std::string_view left_;               // the part of block_ that is not expanded yet
  std::uint64_t consumed_ = 0;          // compressed bytes before left_
  std::string corruption_;              // what is wrong there; empty: nothing
};

}  // namespace sash
