// FileRecords: the records of a file, a pipe or standard input. It finds the rows, reads the header
// that names columns, decodes the rows, and words why a row is refused.
//
// Thread safety: belongs to one thread; any thread may call Interrupt().
//
// Invariants
//   (1) It keeps at most a block and a row.
//   (2) A row with a stray quote costs one row (row_splitter.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/row_splitter.h"
#include "connectors/replay/expanded_file.h"
#include "connectors/replay/input_file.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"

namespace sash {

// Whether the first row names the columns.
bool HasHeader(const FormatSpec& format);

// Finds the rows of a text of this format; nothing is fed to it yet.
RowSplitter SplitterOf(const FormatSpec& format);

class FileRecords {
 public:
  static constexpr std::size_t kBlockBytes = 256 << 10;

  // `format` must outlive the object. The error names the file.
  static Result<std::unique_ptr<FileRecords>> Open(const std::string& path,
                                                   const FormatSpec& format);

  // Reads a block, as ExpandedFile::Read(). If it fails, the reason names the file; a file in a
  // foreign format (foreign_format.h) fails too.
  InputFile::Reading Read(std::chrono::milliseconds patience);
  bool has_ended() const { return has_ended_; }

  // Makes the decoder, with the first row as header if columns are named. Makes none, and returns
  // no error, if that row has not been read yet; or if the file is empty and `may_be_empty`.
  Status TakeHeader(bool may_be_empty);
  bool is_ready() const { return decoder_ != nullptr; }

  // The row that names the columns, once is_ready().
  const std::string& header() const { return header_; }
  // Makes the decoder again, after the format has changed. Returns the one before, whose counts are
  // no longer in counts().
  Result<std::unique_ptr<Decoder>> RemakeDecoder();

  // These need is_ready().
  // As RowSplitter::Next().
  std::optional<Row> Next() { return rows_.Next(); }
  // Appends the event of `row`, the last of Next(), to `batch`, or returns why it is refused.
  std::optional<Refused> Decode(const Row& row, const RecordPlace& place, EventBatch& batch) {
    if (row.too_large) return TooLarge();
    return decoder_->Decode(row.text, place, batch);
  }
  // Completes `refused`, the verdict on the last row, for a dead letter: the line, and what a stray
  // quote may have to do with it. Such a row is cut to its first line, in `row` too.
  void Explain(Row& row, Refused& refused);
  // As RowSplitter::CutToFirstLine().
  Row CutToFirstLine() { return rows_.CutToFirstLine(); }
  Decoder& decoder() { return *decoder_; }

  // A waiting Read() and every later Read() return kInterrupted.
  void Interrupt() { input_->Interrupt(); }

  // For messages: "standard input", "a.csv".
  std::string Name() const;
  // 0 until the decoder is made.
  DecodeCounts counts() const { return decoder_ == nullptr ? DecodeCounts{} : decoder_->counts(); }
  // Empty until then.
  std::vector<MappingCount> mapping_counts() const {
    return decoder_ == nullptr ? std::vector<MappingCount>{} : decoder_->mapping_counts();
  }

 private:
  FileRecords(std::string path, const FormatSpec& format, std::unique_ptr<ExpandedFile> input);

  static Refused TooLarge();
  std::optional<std::string> WhyForeign(std::string_view block);

  const std::string path_;
  const FormatSpec& format_;
  const std::unique_ptr<ExpandedFile> input_;
  RowSplitter rows_;
  std::unique_ptr<Decoder> decoder_;  // null until the header has been read
  std::string header_;
  std::string head_;  // the first bytes of the text
  std::vector<char> block_;
  bool has_ended_ = false;
};

}  // namespace sash
