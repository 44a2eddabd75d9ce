#include "connectors/sinks/written_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/line_identity.h"
#include "connectors/sinks/log_events.h"
#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_checksum.h"
#include "connectors/sinks/result_json.h"

namespace sash {
namespace {

constexpr std::string_view kLineHead = R"({"schema":1,"job":)";
constexpr std::size_t kPrefix = 64 << 10;
constexpr std::size_t kLongestRow = 64 << 20;

// Joins rows to results.
class RowJoiner {
 public:
  // A row that begins at `offset`. Returns the result that is complete with it.
  std::optional<ResultIdentity> Add(RowName row, std::uint64_t offset) {
    if (row.row == 1) {
      open_ = Open{row.result, row.rows, offset};
    } else if (!open_ || open_->result != row.result || open_->rows != row.rows ||
               open_->newest + 1 != row.row) {
      open_.reset();
      return std::nullopt;
    }
    open_->newest = row.row;
    if (row.row != row.rows) return std::nullopt;
    open_.reset();
    return std::move(row.result);
  }
  // A row that cannot be read.
  void Break() { open_.reset(); }

  std::optional<std::uint64_t> unfinished() const {
    return open_ ? std::optional(open_->begin) : std::nullopt;
  }

 private:
  struct Open {
    ResultIdentity result;
    std::uint64_t rows = 0;
    std::uint64_t begin = 0;
    std::uint64_t newest = 0;
  };
  std::optional<Open> open_;
};

class ResultFileReader {
 public:
  ResultFileReader(const AppendFile& file, ResultLines lines) : file_(file), lines_(lines) {}

  Result<WrittenResults> Read() {
    const Status read = ReadLines(file_, [&](std::string_view line) {
      ++number_;
      const std::uint64_t begin = std::exchange(offset_, offset_ + line.size() + 1);
      return lines_ == ResultLines::kCsvRows ? AddCsvLine(line, begin) : AddJsonLine(line, begin);
    });
    if (!read) return read.error();
    // Rows behind it would be cut off with it. A kill leaves none there, but damage can.
    if (is_quoted_ && hides_row_) return NotOurs("a row whose quotes do not end");
    written_.unfinished = rows_.unfinished();
    if (is_quoted_ && !written_.unfinished) written_.unfinished = record_begin_;
    return std::move(written_);
  }

 private:
  Error NotOurs(std::string_view found) const {
    return {ErrorCode::kCorruption,
            fmt::format("{}:{}: {}, so nothing is appended to this file; move it away or name "
                        "another",
                        file_.path(), number_, found)};
  }

  Status AddJsonLine(std::string_view line, std::uint64_t begin) {
    if (CheckResult(line) == ResultChecksum::kWrong) {
      written_.damaged.push_back(number_);
      rows_.Break();
      return Ok{};
    }
    LineIdentity identity = IdentityOfLine(line.substr(0, kPrefix));
    const auto& schema = identity.schema;
    if (!identity.result) {
      return NotOurs(schema && *schema != kResultSchema
                         ? fmt::format("a result of schema {}", *schema)
                         : "not a result");
    }
    if (identity.row.has_value() != (lines_ == ResultLines::kRows)) {
      return NotOurs(identity.row ? "a row of a result, and this sink writes whole results"
                                  : "a whole result, and this sink writes rows");
    }
    if (identity.row) {
      return AddRow({*std::move(identity.result), *identity.row, identity.rows}, begin);
    }
    const bool is_known = identity.is_final || !identity.result->cut.empty();
    if (!identity.is_test && is_known) written_.held.Add(*identity.result);
    return Ok{};
  }

  // A line may be a part of a row, because a quoted cell can have line ends.
  Status AddCsvLine(std::string_view line, std::uint64_t begin) {
    if (record_.empty()) {
      record_begin_ = begin;
      hides_row_ = false;
    } else if (NameOfCsvRow(line, written_.header)) {
      hides_row_ = true;
    }
    record_.append(line).push_back('\n');
    if (std::ranges::count(line, '"') % 2 != 0) is_quoted_ = !is_quoted_;
    if (is_quoted_ && record_.size() > kLongestRow) return NotOurs("not a row of a result");
    if (is_quoted_) return Ok{};
    const std::string record = std::exchange(record_, {});
    if (written_.header.empty()) {
      if (!IsNamedHeader(record)) return NotOurs("not the header of rows of results");
      written_.header = record;
      return Ok{};
    }
    std::optional<RowName> row = NameOfCsvRow(record, written_.header);
    if (!row) return NotOurs("not a row of a result");
    return AddRow(*std::move(row), record_begin_);
  }

  Status AddRow(RowName row, std::uint64_t begin) {
    if (row.row == 0 || row.row > row.rows) return NotOurs("not a row of a result");
    if (const auto result = rows_.Add(std::move(row), begin)) written_.held.Add(*result);
    return Ok{};
  }

  const AppendFile& file_;
  const ResultLines lines_;
  std::uint64_t number_ = 0;
  std::uint64_t offset_ = 0;
  RowJoiner rows_;
  std::string record_;  // of CSV, as far as it was read
  std::uint64_t record_begin_ = 0;
  bool is_quoted_ = false;  // the record goes on in the next line
  bool hides_row_ = false;  // one of its lines looks like a row
  WrittenResults written_;
};

}  // namespace

ResultLines LinesOf(const FileSinkSpec& spec) {
  if (spec.content != SinkContent::kRows) return ResultLines::kWhole;
  return spec.format == RowFormat::kCsv ? ResultLines::kCsvRows : ResultLines::kRows;
}

Result<WrittenResults> TakeOver(AppendFile& file, ResultLines lines, EventLog& log) {
  Result<WrittenResults> written = ResultFileReader(file, lines).Read();
  if (!written) return written;
  for (const std::uint64_t line : written.value().damaged) {
    log.Log(sink_events::kLineDamaged,
            fmt::format("file sink: {}:{}: is damaged: its checksum is wrong; the result does not "
                        "count as written",
                        file.path(), line),
            {{"path", file.path()}, {"line", line}});
  }
  Status ready = CutTornLine(file, HeadOfTornLine(lines, written.value()));
  const std::optional<std::uint64_t> unfinished = written.value().unfinished;
  if (ready.ok() && unfinished) ready = file.CutTo(*unfinished);
  // Results that count as written must be durable, because they are never written again.
  if (ready.ok()) ready = file.Sync();
  if (!ready) return std::move(ready).error();
  if (file.size() == 0) written.value().header.clear();
  return written;
}

std::string_view HeadOfTornLine(ResultLines lines, const WrittenResults& written) {
  if (lines != ResultLines::kCsvRows) return kLineHead;
  return written.header.empty() ? kNamedRowsHeader : "";
}

bool BeginsLikeResults(std::string_view line) {
  return IdentityOfLine(line).result || IsNamedHeader(line);
}

}  // namespace sash
