#include "connectors/replay/file_sequence.h"

#include <utility>

#include "connectors/replay/replay_files.h"
#include "windows/base/check.h"

namespace sash {

Status FileSequence::Open(const std::vector<std::string>& paths) {
  SASH_CHECK(file_ == nullptr);
  Result<std::vector<std::string>> found = FilesOf(paths);
  if (!found.ok()) return std::move(found).error();
  paths_ = std::move(found).value();
  return OpenFile();
}

Result<bool> FileSequence::OpenNext() {
  if (place_ + 1 == paths_.size()) return false;
  ++place_;
  if (Status opened = OpenFile(); !opened.ok()) return std::move(opened).error();
  return true;
}

Status FileSequence::OpenFile() {
  auto opened = FileRecords::Open(paths_[place_], format_);
  if (!opened.ok()) return std::move(opened).error();
  if (file_ != nullptr) NoteBefore(*file_);
  std::unique_ptr<FileRecords> next = std::move(opened).value();
  const MutexLock lock(mutex_);
  file_.swap(next);
  return Ok{};
}

Status FileSequence::RemakeDecoder() {
  const Result<std::unique_ptr<Decoder>> before = file_->RemakeDecoder();
  if (!before.ok()) return before.error();
  NoteBefore(*before.value());
  return Ok{};
}

void FileSequence::Interrupt() {
  const MutexLock lock(mutex_);
  file_->Interrupt();
}

DecodeCounts FileSequence::counts() const {
  DecodeCounts counts = before_;
  counts += file_->counts();
  return counts;
}

std::vector<MappingCount> FileSequence::mapping_counts() const {
  std::vector<MappingCount> counts = mapped_before_;
  AddCounts(file_->mapping_counts(), counts);
  return counts;
}

}  // namespace sash
