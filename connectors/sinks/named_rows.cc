#include "connectors/sinks/named_rows.h"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/time_text.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

constexpr std::string_view kCounted = "job,window,window_end,accepted,row,rows,";
constexpr std::string_view kTimed = "job,window,window_end,row,rows,";

// The members before `row`, with a comma at the end.
std::string NameBeforeRow(const RunResult& result) {
  const Provenance& from = result.provenance;
  JsonText json;
  json.BeginObject().Key("schema").Integer(kResultSchema).Key("job").Text(result.job);
  json.Key("window").Text(from.window).Key("window_end").Text(TimeText(from.window_end));
  if (from.accepted) json.Key("accepted").Unsigned(*from.accepted);
  if (result.past) json.Key("past").Bool(true);
  json.Key("row");
  return std::move(json).Take();
}

std::string_view TakeCell(std::string_view& row) {
  const std::size_t comma = row.find(',');
  const std::string_view cell = row.substr(0, comma);
  row.remove_prefix(comma == std::string_view::npos ? row.size() : comma + 1);
  return cell;
}

std::optional<std::uint64_t> NumberIn(std::string_view cell) {
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || rest != cell.data() + cell.size()) return std::nullopt;
  return number;
}

}  // namespace

bool HasRows(const JobParameters& parameters) {
  return TraitsOfJob(parameters).rows != JobTraits::Rows::kNone;
}

RowList NamedRows(const CompletedRun& run, VerticesWritten vertices, const VertexDictionary& keys) {
  const RunResult& result = *run.result;
  const ResultTable table = DescribeResult(result);
  if (table.lists.empty()) return {};
  const RowSupply supply{.listing = {.vertices = vertices}, .run = &run, .keys = &keys};
  RowList rows = JoinedRowsOf(table, supply, ListColumns::kAllThatAJobHas).list;
  std::vector<std::string> columns = {"job", "window", "window_end"};
  if (result.provenance.accepted) columns.emplace_back("accepted");
  columns.insert(columns.end(), {"row", "rows"});
  columns.insert(columns.end(), rows.columns.begin(), rows.columns.end());
  return {.columns = std::move(columns),
          .rows = rows.rows,
          .write = [rows, head = NameBeforeRow(result)](std::size_t i, JsonText& to) {
            const std::string row = RowText(rows, i);
            to.Raw(head + std::to_string(i + 1) + ",\"rows\":" + std::to_string(rows.rows) + "," +
                   row.substr(1));
          }};
}

bool IsNamedHeader(std::string_view header) {
  return header.starts_with(kTimed) || header.starts_with(kCounted);
}

std::optional<RowName> NameOfCsvRow(std::string_view row, std::string_view header) {
  RowName name;
  ResultIdentity& result = name.result;
  result.origin.job = TakeCell(row);
  result.origin.window = TakeCell(row);
  result.origin.counted = header.starts_with(kCounted);
  const std::optional<EventTime> end = ParseTimeText(TakeCell(row));
  if (!end) return std::nullopt;
  result.position = end->time_since_epoch().count();
  if (result.origin.counted) {
    const std::optional<std::uint64_t> accepted = NumberIn(TakeCell(row));
    if (!accepted) return std::nullopt;
    result.position = static_cast<std::int64_t>(*accepted);
  }
  const std::optional<std::uint64_t> place = NumberIn(TakeCell(row));
  const std::optional<std::uint64_t> rows = NumberIn(TakeCell(row));
  if (!place || !rows) return std::nullopt;
  name.row = *place;
  name.rows = *rows;
  return name;
}

}  // namespace sash
