#include "connectors/replay/file_records.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/foreign_format.h"
#include "connectors/codec/line_judge.h"
#include "connectors/replay/replay_files.h"

namespace sash {
namespace {

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// In a header of several lines: the number, from 1, of the first line that is a row by itself.
// Nothing when there is no such line.
std::optional<std::size_t> RowInHeader(std::string_view header, LineJudge& judge) {
  std::size_t line = 1;
  for (std::size_t end; (end = header.find('\n')) != std::string_view::npos; ++line) {
    const bool is_row = line > 1 && judge.IsRow(WithoutReturn(header.substr(0, end)));
    if (is_row) return line;
    header.remove_prefix(end + 1);
  }
  // The last line of a real header ends with names. They pass as a row if the mapping accepts any
  // text, so the last line counts only if it does not.
  if (line > 1 && judge.DecidesByOneLine() && judge.IsRow(header)) return line;
  return std::nullopt;
}

std::string_view Hint(RowCut cut) {
  switch (cut) {
    case RowCut::kLineBreak:
      return " on its line, as a mapped field must; check for a stray quote (`multiline: true` "
             "allows line breaks in mapped fields, `quote: none` gives quotes no meaning)";
    case RowCut::kRowsInside:
      return " on its line, and later lines of it are rows by themselves; check for a stray quote "
             "(`multiline: true` allows such lines in fields, `quote: none` gives quotes no "
             "meaning)";
    case RowCut::kNone:
      break;
  }
  return "";
}

}  // namespace

bool HasHeader(const FormatSpec& format) {
  const auto* csv = std::get_if<CsvMapping>(&format.mapping);
  return csv != nullptr && NamesColumns(*csv);
}

RowSplitter SplitterOf(const FormatSpec& format) {
  const auto* csv = std::get_if<CsvMapping>(&format.mapping);
  if (csv == nullptr) return RowSplitter(RowSyntax::kLines);
  // Between blanks, a quoted field does not contain line breaks.
  const RowSyntax syntax = csv->delimiter == kBlanks ? RowSyntax::kLines
                           : csv->quotes             ? RowSyntax::kCsv
                                                     : RowSyntax::kUnquotedRows;
  RowSplitter rows(syntax, csv->delimiter);
  rows.SkipLines(csv->skip_rows);
  rows.set_comment(csv->comment);
  return rows;
}

Result<std::unique_ptr<FileRecords>> FileRecords::Open(const std::string& path,
                                                       const FormatSpec& format) {
  auto input = ExpandedFile::Open(path);
  if (!input.ok()) return std::move(input).error().Within(NameOf({path}));
  return std::unique_ptr<FileRecords>(new FileRecords(path, format, std::move(input).value()));
}

FileRecords::FileRecords(std::string path, const FormatSpec& format,
                         std::unique_ptr<ExpandedFile> input)
    : path_(std::move(path)),
      format_(format),
      input_(std::move(input)),
      rows_(SplitterOf(format)),
      block_(kBlockBytes) {}

std::string FileRecords::Name() const { return NameOf({path_}); }

InputFile::Reading FileRecords::Read(std::chrono::milliseconds patience) {
  using Outcome = InputFile::Outcome;
  InputFile::Reading reading = input_->Read(block_, patience);
  if (reading.outcome == Outcome::kBytes) {
    const std::string_view block(block_.data(), reading.bytes);
    if (const auto why = WhyForeign(block)) {
      const bool expanded = input_->compression() != Compression::kNone;
      reading.outcome = Outcome::kFailed;
      reading.why = fmt::format("{}: {}{}", Name(), expanded ? "expanded, " : "", *why);
    } else {
      rows_.Feed(block);
    }
  } else if (reading.outcome == Outcome::kEnd) {
    rows_.Finish();
    has_ended_ = true;
  } else if (reading.outcome == Outcome::kFailed) {
    reading.why = fmt::format("{}: reading failed: {}", Name(), reading.why);
  }
  return reading;
}

// Checks the first bytes of the text, of which `block` is the next part: a pipe may deliver them
// one by one. Line ends are checked in the first part.
std::optional<std::string> FileRecords::WhyForeign(std::string_view block) {
  if (head_.size() == kForeignHeadBytes) return std::nullopt;
  const bool is_first = head_.empty();
  head_ += block.substr(0, kForeignHeadBytes - head_.size());
  const auto why = WhyForeignFile(head_);
  return why || !is_first ? why : WhyForeignLines(block);
}

Status FileRecords::TakeHeader(bool may_be_empty) {
  Row header;
  if (HasHeader(format_)) {
    const std::optional<Row> row = rows_.Next();
    if (!row && (!has_ended_ || may_be_empty)) return Ok{};
    if (row) header = *row;
    if (header.too_large) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}: line {}: the header row has more than {} bytes", Name(),
                               header.line, kMaxRecordBytes)};
    }
  }
  auto made = MakeDecoder(format_, header.text);
  if (!made.ok()) {
    return std::move(made).error().Within(fmt::format("{}: line {}", Name(), header.line));
  }
  LineJudge* const judge = made.value()->line_judge();
  if (judge != nullptr && header.several_lines) {
    if (const auto line = RowInHeader(header.text, *judge)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}: line {}: a quoted field of the header row spans several lines, "
                               "and line {} is a row by itself; check for a stray quote "
                               "(`multiline: true` allows such lines in fields)",
                               Name(), header.line, header.line + *line - 1)};
    }
  }
  rows_.set_line_judge(judge);
  decoder_ = std::move(made).value();
  header_ = header.text;
  return Ok{};
}

Result<std::unique_ptr<Decoder>> FileRecords::RemakeDecoder() {
  auto made = MakeDecoder(format_, header_);
  if (!made.ok()) return std::move(made).error().Within(Name());
  rows_.set_line_judge(made.value()->line_judge());
  return std::exchange(decoder_, std::move(made).value());
}

Refused FileRecords::TooLarge() {
  return {RefusalReason::kTooLarge,
          fmt::format("the line has more than {} bytes", kMaxRecordBytes)};
}

void FileRecords::Explain(Row& row, Refused& refused) {
  if (row.several_lines && refused.reason == RefusalReason::kInvalidSyntax) {
    // Stray quotes on two lines turned the rows between them into a field.
    row = rows_.CutToFirstLine();
    refused.detail += ", because its quoted fields span several lines; check for a stray quote";
  }
  refused.detail = fmt::format("line {}: {}{}", row.line, refused.detail, Hint(row.cut));
}

}  // namespace sash
