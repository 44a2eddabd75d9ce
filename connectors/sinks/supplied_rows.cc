#include "connectors/sinks/supplied_rows.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "connectors/sinks/feature_row.h"
#include "connectors/sinks/result_members.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

// The names of the members of a row.
struct RowNames {
  std::string_view one;
  std::string_view value;
  std::string_view other;
  bool parents = false;
  bool edges = false;   // of pairs: number and weight
  bool types = false;   // of these edges
  bool scores = false;  // of pairs
  int longest_cycle = 0;
};

bool HasTypes(const ResultList& list) {
  const auto* const* pairs = std::get_if<const std::vector<PairOfVertices>*>(&list.rows);
  return pairs != nullptr && std::ranges::any_of(**pairs, [](const PairOfVertices& pair) {
           return !pair.types.empty();
         });
}

RowNames NamesIn(const ResultList& list) {
  return {.one = list.one,
          .value = list.value,
          .other = list.other,
          .parents = list.search != nullptr && list.search->parents,
          .edges = list.tells_edges,
          .types = HasTypes(list),
          .scores = list.tells_scores,
          .longest_cycle = list.longest_cycle};
}

void WriteValue(const RankedVertex& row, JsonText& json) { json.Number(row.score); }
void WriteValue(const RatedVertex& row, JsonText& json) { json.Number(row.score); }
void WriteValue(const ReachedVertex& row, JsonText& json) { json.Integer(row.depth); }
void WriteValue(const DistantVertex& row, JsonText& json) { json.Number(row.distance); }
void WriteValue(const CountedVertex& row, JsonText& json) { json.Unsigned(row.count); }
void WriteValue(const WeighedVertex& row, JsonText& json) { json.WeightValue(row.weight); }

void WriteParent(const ReachedVertex& row, JsonText& json) {
  json.Key("parent");
  if (row.parent) {
    json.KeyValue(*row.parent);
  } else {
    json.Null();
  }
}

// `compared`: null if the job has no baseline.
template <typename Row>
void WriteRow(const Row& row, const RowNames& names, const ComparedRow* compared, JsonText& json) {
  json.BeginObject().Key(names.one).KeyValue(row.key).Key("rank").Unsigned(row.rank);
  WriteValue(row, json.Key(names.value));
  if constexpr (std::is_same_v<Row, ReachedVertex>) {
    if (names.parents) WriteParent(row, json);
  }
  if constexpr (std::is_same_v<Row, RatedVertex>) json.Key(names.other).Number(row.other);
  if (compared != nullptr) WriteComparison(*compared, json);
  json.EndObject();
}

void WriteRow(const PairOfVertices& pair, const RowNames& names, const ComparedRow* /*compared*/,
              JsonText& json) {
  json.BeginObject().Key("source").KeyValue(pair.source);
  json.Key("target").KeyValue(pair.target);
  if (names.edges) {
    json.Key("edges").Unsigned(pair.edges).Key("weight").WeightValue(pair.weight);
  }
  if (names.scores) {
    json.Key(names.value);
    if (pair.score) {
      json.Number(*pair.score);
    } else {
      json.Null();
    }
  }
  if (names.types) {
    json.Key("types").BeginArray();
    for (const std::string& type : pair.types) json.Text(type);
    json.EndArray();
  }
  json.EndObject();
}

void WriteVertices(const std::vector<VertexKey>& vertices, JsonText& json) {
  json.Key("vertices").BeginArray();
  for (const VertexKey& key : vertices) json.KeyValue(key);
  json.EndArray();
}

void WriteRow(const CycleOfVertices& cycle, const RowNames& /*names*/,
              const ComparedRow* /*compared*/, JsonText& json) {
  WriteVertices(cycle.vertices, json.BeginObject());
  json.Key("weight").WeightValue(cycle.weight).EndObject();
}

void WriteRow(const PathOfVertices& path, const RowNames& /*names*/,
              const ComparedRow* /*compared*/, JsonText& json) {
  json.BeginObject().Key("from").KeyValue(path.vertices.front());
  json.Key("to").KeyValue(path.vertices.back()).Key("hops").Unsigned(path.hops());
  json.Key("weight").WeightValue(path.weight);
  WriteVertices(path.vertices, json);
  json.EndObject();
}

void WriteRow(const FeaturesOfPair& pair, const RowNames& names, const ComparedRow* /*compared*/,
              JsonText& json) {
  WriteFeatures(pair, names.longest_cycle, json);
}

std::size_t SumOrMost(std::size_t a, std::size_t b) {
  return b < std::numeric_limits<std::size_t>::max() - a ? a + b
                                                         : std::numeric_limits<std::size_t>::max();
}

// The number of available rows, including rows that the result does not contain.
std::uint64_t AvailableRows(const ResultList& list, std::size_t held, const RowSupply& supply) {
  const bool has_whole = supply.has_view() && supply.run->whole != nullptr;
  return has_whole ? std::max<std::uint64_t>(held, list.available) : held;
}

template <typename Row>
struct ChosenRows {
  std::shared_ptr<const std::vector<Row>> rows;
  std::size_t first = 0;  // the place of the first wanted row
};

// The rows that the result holds, or rows of the whole vector if more are wanted and available: of
// those, only the ones behind the offset stay in memory.
template <typename Row>
ChosenRows<Row> Choose(const ResultList& list, const std::vector<Row>& held,
                       std::uint64_t available, const RowSupply& supply) {
  if constexpr (kIsOfVertex<Row>) {
    const std::size_t wanted = std::min(supply.Wanted(held.size()), supply.listing.most_rows);
    const std::size_t last = SumOrMost(supply.skipped(), wanted);
    if (last > held.size() && held.size() < available) {
      auto rows = std::make_shared<std::vector<Row>>();
      FillRows(list, *supply.run, *supply.keys, last, *rows);
      const auto skipped = std::min(supply.skipped(), rows->size());
      rows->erase(rows->begin(), rows->begin() + static_cast<std::ptrdiff_t>(skipped));
      rows->shrink_to_fit();
      return {std::move(rows)};
    }
  }
  const std::size_t first = std::min(supply.skipped(), held.size());
  if (supply.run == nullptr) return {{std::shared_ptr<void>(), &held}, first};
  return {{supply.run->result, &held}, first};
}

// How `rows` compare with the baseline; null: the job has none.
template <typename Row>
std::shared_ptr<const std::vector<ComparedRow>> Comparisons(const ResultList& list,
                                                            const std::vector<Row>& rows,
                                                            const std::vector<Row>& held,
                                                            const RowSupply& supply) {
  if (list.compared == nullptr) return nullptr;
  if constexpr (kHasScore<Row>) {
    if (&rows != &held) {
      const CompletedRun& run = *supply.run;
      return std::make_shared<const std::vector<ComparedRow>>(
          CompareRows(rows, *run.result, *run.whole, run.advance->view, *supply.keys));
    }
  }
  if (supply.run == nullptr) return {std::shared_ptr<void>(), list.compared};
  return {supply.run->result, list.compared};
}

template <typename Row>
SuppliedRows Supplied(const ResultList& list, const std::vector<Row>& held,
                      const RowSupply& supply) {
  const std::uint64_t available = AvailableRows(list, held.size(), supply);
  const std::size_t wanted = supply.Wanted(held.size());
  const auto [rows, first] = Choose(list, held, available, supply);
  const auto compared = Comparisons(list, *rows, held, supply);
  const std::uint64_t whole =
      std::max<std::uint64_t>(held.size(), std::min<std::uint64_t>(wanted, available));
  return {.listed = std::min({wanted, rows->size() - first, supply.listing.most_rows}),
          .wanted = supply.listing.offset ? available : whole,
          .available = available,
          .write = [rows = rows, compared, first = first, names = NamesIn(list)](std::size_t i,
                                                                                 JsonText& to) {
            const ComparedRow* with = compared ? &(*compared)[first + i] : nullptr;
            WriteRow((*rows)[first + i], names, with, to);
          }};
}

}  // namespace

SuppliedRows RowsOfList(const ResultList& list, const RowSupply& supply) {
  return std::visit([&](const auto* held) { return Supplied(list, *held, supply); }, list.rows);
}

std::vector<std::string> ColumnsOfList(const ResultList& list, ListColumns of) {
  JsonText row;
  const ComparedRow compared;
  RowNames names = NamesIn(list);
  if (of == ListColumns::kAllThatAJobHas) names.types = list.tells_edges;
  std::visit(
      [&]<typename Row>(const std::vector<Row>*) {
        WriteRow(Row(), names, list.compared != nullptr ? &compared : nullptr, row);
      },
      list.rows);
  std::vector<std::string> columns;
  const auto object = nlohmann::ordered_json::parse(row.text());
  for (const auto& member : object.items()) {
    columns.push_back(member.key());
  }
  return columns;
}

}  // namespace sash
