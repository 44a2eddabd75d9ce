// FileSequence: the files of a replay, one after the other. Each file has its own header; with
// several files, an empty one needs none.
//
// Thread safety: belongs to one thread; any thread may call Interrupt() after Open().
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/replay/file_records.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class FileSequence {
 public:
  // `format` must outlive the object.
  explicit FileSequence(const FormatSpec& format) : format_(format) {}

  // Finds the files of `paths` (replay_files.h), and opens the first one. Call it once, before all
  // other functions.
  Status Open(const std::vector<std::string>& paths);
  // Opens the file after the current one. False: there is none.
  Result<bool> OpenNext();

  FileRecords& file() { return *file_; }
  bool has_several() const { return paths_.size() > 1; }
  // FileRecords::TakeHeader() of the current file.
  Status TakeHeader() { return file_->TakeHeader(has_several()); }
  // FileRecords::RemakeDecoder() of the current file.
  Status RemakeDecoder();

  // A waiting Read() of the current file, and every later one, return kInterrupted.
  void Interrupt();

  // The counts of all files so far.
  DecodeCounts counts() const;
  std::vector<MappingCount> mapping_counts() const;

 private:
  Status OpenFile();
  // The counts of a file, or of a decoder, that goes.
  template <typename Counted>
  void NoteBefore(const Counted& counted) {
    before_ += counted.counts();
    AddCounts(counted.mapping_counts(), mapped_before_);
  }

  const FormatSpec& format_;
  std::vector<std::string> paths_;
  std::size_t place_ = 0;                    // of the current file in paths_
  DecodeCounts before_;                      // of earlier files and decoders
  std::vector<MappingCount> mapped_before_;  // likewise
  Mutex mutex_;
  std::unique_ptr<FileRecords> file_;  // changes with mutex_, because Interrupt() uses it
};

}  // namespace sash
