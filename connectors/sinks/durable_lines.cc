#include "connectors/sinks/durable_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sash {

void DurableLines::Add(std::string line, std::size_t header_bytes) {
  const std::uint64_t begin = end() + dropped_bytes_;
  kept_bytes_ += line.size();
  lines_.push_back({begin, std::move(line), header_bytes});
}

Result<std::string_view> DurableLines::TextToWrite(const Line& line) {
  const std::string_view text = line.text;
  const std::string_view header = text.substr(0, line.header_bytes);
  // The file may be longer while it is to be cut before the next append.
  const bool is_new = file_.regular() ? durable_size_ + in_file_bytes_ == 0 : header_ != header;
  if (is_new) {
    header_ = header;
    return text;
  }
  if (header_ == header) return text.substr(header.size());
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: its columns are not those of the results now; move it away, and a "
                           "new file begins",
                           file_.path())};
}

void DurableLines::ForgetOldest() {
  kept_bytes_ -= lines_.front().text.size();
  lines_.pop_front();
}

bool DurableLines::DropOldest() {
  if (lines_.empty() || in_file_ > 0) return false;
  dropped_bytes_ += lines_.front().text.size();
  ForgetOldest();
  return true;
}

Status DurableLines::Write() {
  while (in_file_ < lines_.size()) {
    const Result<std::string_view> text = TextToWrite(lines_[in_file_]);
    if (!text) return text.error();
    if (Status written = file_.Append(text.value()); !written) return written;
    ++written_;
    if (file_.regular()) {
      in_file_bytes_ += text.value().size();
      ++in_file_;
    } else {
      ForgetOldest();
    }
  }
  return Ok{};
}

Status DurableLines::Sync() {
  Status written = Write();
  if (in_file_ > 0 || !file_.regular()) {
    if (Status synced = file_.Sync(); !synced) {
      static_cast<void>(file_.CutTo(durable_size_));  // if it fails: before the next append
      written_ -= in_file_;
      in_file_ = 0;
      in_file_bytes_ = 0;
      return synced;
    }
    for (; in_file_ > 0; --in_file_) ForgetOldest();
    durable_size_ = std::max(file_.size(), durable_size_ + in_file_bytes_);
    in_file_bytes_ = 0;
  }
  return written;
}

AppendFile DurableLines::TakeFile(std::uint64_t size) {
  static_cast<void>(file_.CutTo(size));  // if it fails, the lines after `size` exist twice
  return std::move(file_);
}

Status DurableLines::Clear() {
  lines_.clear();
  in_file_ = 0;
  in_file_bytes_ = 0;
  kept_bytes_ = 0;
  durable_size_ = 0;
  dropped_bytes_ = 0;
  if (!file_.regular()) return Ok{};
  return file_.CutTo(0);
}

const std::string* DurableLines::At(std::uint64_t offset) const {
  const std::uint64_t begin = offset + dropped_bytes_;
  const auto found = std::ranges::lower_bound(lines_, begin, {}, &Line::begin);
  return found != lines_.end() && found->begin == begin ? &found->text : nullptr;
}

}  // namespace sash
