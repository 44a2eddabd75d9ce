#include "connectors/replay/expanded_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sash {

using Outcome = InputFile::Outcome;
using Reading = InputFile::Reading;

Result<std::unique_ptr<ExpandedFile>> ExpandedFile::Open(const std::string& path) {
  Result<std::unique_ptr<InputFile>> opened = InputFile::Open(path);
  if (!opened.ok()) return std::move(opened).error();
  return std::unique_ptr<ExpandedFile>(new ExpandedFile(std::move(opened).value()));
}

Reading ExpandedFile::Read(std::span<char> room, std::chrono::milliseconds patience) {
  if (!is_recognized_) return Recognize(room, patience);
  return expander_ == nullptr ? file_->Read(room, patience) : Expand(room, patience);
}

// Reads the first bytes. A pipe may deliver them one by one.
Reading ExpandedFile::Recognize(std::span<char> room, std::chrono::milliseconds patience) {
  std::ranges::copy(head_, room.begin());
  Reading reading = file_->Read(room.subspan(head_.size()), patience);
  if (reading.outcome != Outcome::kBytes && reading.outcome != Outcome::kEnd) return reading;
  const std::string_view bytes(room.data(), head_.size() + reading.bytes);
  const std::optional<Compression> found = CompressionOf(bytes);
  if (!found && reading.outcome == Outcome::kBytes) {
    head_ = bytes;
    return {Outcome::kNothingYet, 0, {}};
  }
  is_recognized_ = true;
  compression_ = found.value_or(Compression::kNone);
  expander_ = MakeExpander(compression_);
  if (expander_ == nullptr) {
    if (bytes.empty()) return reading;
    return {Outcome::kBytes, bytes.size(), {}};
  }
  block_.assign(bytes.begin(), bytes.end());
  left_ = {block_.data(), block_.size()};
  return Expand(room, patience);
}

Reading ExpandedFile::Expand(std::span<char> room, std::chrono::milliseconds patience) {
  if (!corruption_.empty()) return Broken("corrupt", corruption_);
  for (bool has_read = false;; has_read = true) {
    do {
      Expander::Step step = expander_->Expand(left_, room);
      left_.remove_prefix(step.consumed);
      consumed_ += step.consumed;
      if (!step.why.empty()) corruption_ = std::move(step.why);
      if (step.produced > 0) return {Outcome::kBytes, step.produced, {}};
      if (!corruption_.empty()) return Broken("corrupt", corruption_);
      if (step.consumed == 0) break;
    } while (!left_.empty());
    if (has_read) return {Outcome::kNothingYet, 0, {}};
    block_.resize(kBlockBytes);
    Reading reading = file_->Read(block_, patience);
    if (reading.outcome == Outcome::kEnd && !expander_->IsWhole()) {
      return Broken("cut off", "the file ends there; fetch it again");
    }
    if (reading.outcome != Outcome::kBytes) return reading;
    left_ = {block_.data(), reading.bytes};
  }
}

Reading ExpandedFile::Broken(std::string_view state, std::string_view why) const {
  return {Outcome::kFailed, 0,
          fmt::format("the {} data is {} at byte {}: {}",
                      compression_ == Compression::kGzip ? "gzip" : "zstd", state, consumed_, why)};
}

}  // namespace sash
