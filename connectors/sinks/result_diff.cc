#include "connectors/sinks/result_diff.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/result_members.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/check.h"
#include "windows/base/keyed_hash.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using Value = std::variant<double, std::int64_t>;

struct Row {
  const VertexKey* key = nullptr;
  std::uint64_t rank = 0;
  Value value;
  const ComparedRow* compared = nullptr;  // null: the job has no baseline
};

// The rows that a result lists, in one form for all kernels.
struct RankedList {
  std::string_view one = "vertex";   // the name of the ranked thing
  std::string_view value = "score";  // the name of the value it is ranked by
  std::vector<Row> rows;
};

Value ValueOf(const RankedVertex& row) { return row.score; }
Value ValueOf(const RatedVertex& row) { return row.score; }
Value ValueOf(const ReachedVertex& row) { return std::int64_t{row.depth}; }
Value ValueOf(const DistantVertex& row) { return row.distance; }
Value ValueOf(const CountedVertex& row) { return static_cast<std::int64_t>(row.count); }
Value ValueOf(const WeighedVertex& row) {
  if (row.weight.is_integer()) return row.weight.integer();
  return row.weight.AsDouble();
}

template <typename Rows>
RankedList ListOfRows(const ResultList& of, const Rows& rows) {
  RankedList list{.one = of.one, .value = of.value, .rows = {}};
  list.rows.reserve(rows.size());
  for (const auto& row : rows) list.rows.push_back({&row.key, row.rank, ValueOf(row)});
  if (of.compared == nullptr) return list;
  for (std::size_t i = 0; i < list.rows.size(); ++i) list.rows[i].compared = &(*of.compared)[i];
  return list;
}

// The list of a result that lists vertices or sets.
RankedList ListOf(const ResultTable& table) {
  const ResultList& list = table.lists.front();
  return std::visit(
      [&]<typename Row>(const std::vector<Row>* rows) {
        RankedList ranked;
        if constexpr (kIsOfVertex<Row>) {
          ranked = ListOfRows(list, *rows);
        }
        return ranked;
      },
      list.rows);
}

class HashOfVertexKey {
 public:
  std::size_t operator()(const VertexKey& key) const {
    if (const auto* text = std::get_if<std::string>(&key)) return hash_(std::string_view(*text));
    return hash_(static_cast<std::uint64_t>(std::get<std::int64_t>(key)));
  }

 private:
  KeyedHash hash_;
};
using RowsByKey = std::unordered_map<VertexKey, const Row*, HashOfVertexKey>;

RowsByKey ByKey(const RankedList& list) {
  RowsByKey rows;
  for (const Row& row : list.rows) rows.emplace(*row.key, &row);
  return rows;
}

class DiffWriter {
 public:
  DiffWriter(JsonText& json, const RankedList& names) : json_(json), names_(names) {}

  void Begin(const VertexKey& key) { json_.BeginObject().Key(names_.one).KeyValue(key); }
  void Now(const Row& row) {
    Write(row, "");
    if (row.compared != nullptr) WriteComparison(*row.compared, json_);
  }
  void Before(const Row& row) { Write(row, "_before"); }
  void End() { json_.EndObject(); }

 private:
  void Write(const Row& row, std::string_view suffix) {
    json_.Key(std::string("rank").append(suffix)).Unsigned(row.rank);
    json_.Key(std::string(names_.value).append(suffix));
    if (const auto* number = std::get_if<double>(&row.value)) {
      json_.Number(*number);
    } else {
      json_.Integer(std::get<std::int64_t>(row.value));
    }
  }

  JsonText& json_;
  const RankedList& names_;
};

// One list of a diff: counts all its rows and writes the first ones.
class CutList {
 public:
  CutList(std::string_view name, const DiffListing& listing, JsonText& json)
      : listing_(listing), json_(json) {
    json.Key(name).BeginArray();
  }
  bool TakesOneMore() {
    ++rows_;
    if (written_ == listing_.top || json_.text().size() >= listing_.most_bytes) return false;
    ++written_;
    return true;
  }
  void End() { json_.EndArray(); }
  std::uint64_t rows() const { return rows_; }
  bool is_cut() const { return written_ < rows_; }

 private:
  const DiffListing& listing_;
  JsonText& json_;
  std::uint64_t rows_ = 0;
  std::uint64_t written_ = 0;
};

void WriteChanges(const RankedList& now, const RankedList& before, const DiffListing& listing,
                  JsonText& json) {
  DiffWriter writer(json, now);
  const RowsByKey was = ByKey(before);
  const RowsByKey is = ByKey(now);
  CutList entered("entered", listing, json);
  for (const Row& row : now.rows) {
    if (was.contains(*row.key) || !entered.TakesOneMore()) continue;
    writer.Begin(*row.key);
    writer.Now(row);
    writer.End();
  }
  entered.End();
  CutList left("left", listing, json);
  for (const Row& row : before.rows) {
    if (is.contains(*row.key) || !left.TakesOneMore()) continue;
    writer.Begin(*row.key);
    writer.Before(row);
    writer.End();
  }
  left.End();
  CutList changed("changed", listing, json);
  for (const Row& row : now.rows) {
    const auto found = was.find(*row.key);
    if (found == was.end()) continue;
    const Row& old = *found->second;
    if ((old.rank == row.rank && old.value == row.value) || !changed.TakesOneMore()) continue;
    writer.Begin(*row.key);
    writer.Now(row);
    writer.Before(old);
    writer.End();
  }
  changed.End();
  if (!entered.is_cut() && !left.is_cut() && !changed.is_cut()) return;
  json.Key("truncated").Bool(true).Key("rows").BeginObject();
  json.Key("entered").Unsigned(entered.rows()).Key("left").Unsigned(left.rows());
  json.Key("changed").Unsigned(changed.rows()).EndObject();
}

}  // namespace

bool HasDiffs(const JobParameters& parameters) { return HasVectors(parameters); }

std::size_t ListedRows(const RunResult& result) {
  std::size_t rows = 0;
  for (const ResultList& list : DescribeResult(result).lists) rows += list.size();
  return rows;
}

std::string DiffJson(const RunResult& now, const RunResult* before, const DiffListing& listing) {
  SASH_CHECK(HasDiffs(now.parameters));
  const Provenance& from = now.provenance;
  JsonText json;
  json.BeginObject().Key("schema").Integer(kResultSchema).Key("job").Text(now.job);
  json.Key("kernel").Text(now.kernel).Key("window").Text(from.window);
  json.Key("snapshot").Unsigned(from.snapshot.value);
  json.Key("window_start").Text(TimeText(from.window_start));
  json.Key("window_end").Text(TimeText(from.window_end)).Key("since");
  if (before != nullptr) {
    json.Text(TimeText(before->provenance.window_end));
  } else {
    json.Null();
  }
  WriteWindowCounts(from, json);
  const ResultTable table = DescribeResult(now);
  if (!table.error.empty()) json.Key("error").Text(table.error);
  if (now.baseline) WriteBaseline(*now.baseline, json);
  const RankedList was = before != nullptr ? ListOf(DescribeResult(*before)) : RankedList{};
  WriteChanges(ListOf(table), was, listing, json);
  if (table.error.empty()) json.ExplainLost();
  json.EndObject();
  return std::move(json).Take();
}

}  // namespace sash
