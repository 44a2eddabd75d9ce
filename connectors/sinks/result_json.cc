#include "connectors/sinks/result_json.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "connectors/sinks/edge_listing.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_members.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

// The source of the rows of a result's lists, and their destination. `run` and `keys` are null when
// only the result itself is available.
struct Supply {
  JsonPieces& pieces;
  Listing listing;
  const CompletedRun* run = nullptr;
  const VertexDictionary* keys = nullptr;

  bool lists_all() const { return listing.vertices == VerticesWritten::kAll; }
  std::size_t Wanted(std::size_t held) const {
    if (lists_all()) return std::numeric_limits<std::size_t>::max();
    return listing.top.value_or(held);
  }
  // The number of available rows, including rows that the result does not contain.
  std::uint64_t Rows(std::size_t held, std::uint64_t available) const {
    const bool has_whole = run != nullptr && run->whole != nullptr && run->advance != nullptr;
    return has_whole ? std::max<std::uint64_t>(held, available) : held;
  }
  // Whether more rows than the result's `held` rows are wanted and available.
  bool HasMore(std::size_t held, std::uint64_t available) const {
    return Wanted(held) > held && held < Rows(held, available);
  }
  bool has_view() const { return run != nullptr && run->advance != nullptr; }
};

// The names of the members of a row.
struct RowNames {
  std::string_view one;
  std::string_view value;
  std::string_view other;
  bool parents = false;
};

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

template <typename Row>
void WriteRow(const Row& row, const RowNames& names, JsonText& json) {
  json.BeginObject().Key(names.one).KeyValue(row.key).Key("rank").Unsigned(row.rank);
  WriteValue(row, json.Key(names.value));
  if constexpr (std::is_same_v<Row, ReachedVertex>) {
    if (names.parents) WriteParent(row, json);
  }
  if constexpr (std::is_same_v<Row, RatedVertex>) json.Key(names.other).Number(row.other);
  json.EndObject();
}

void WriteRow(const PairOfVertices& pair, const RowNames& /*names*/, JsonText& json) {
  json.BeginObject().Key("source").KeyValue(pair.source);
  json.Key("target").KeyValue(pair.target).EndObject();
}

void WriteRow(const CycleOfVertices& cycle, const RowNames& /*names*/, JsonText& json) {
  json.BeginObject().Key("vertices").BeginArray();
  for (const VertexKey& key : cycle.vertices) json.KeyValue(key);
  json.EndArray().EndObject();
}

// The size of a list: `held` rows in the result, `rows` available in total.
struct ListSize {
  std::size_t held = 0;
  std::uint64_t rows = 0;
};

// Adds the text in `json` so far to the pieces, then an array of the first wanted rows of `list`.
// If the array is cut and tell_cut is set, says so after it.
template <typename Rows>
void WriteList(std::shared_ptr<const Rows> list, ListSize size, const Supply& supply,
               const RowNames& names, JsonText& json) {
  const std::size_t wanted = supply.Wanted(size.held);
  const std::size_t listed = std::min({wanted, list->size(), supply.listing.most_rows});
  json.BeginArray();
  supply.pieces.Add(json.Interrupt());
  const std::uint64_t full =
      std::max<std::uint64_t>(size.held, std::min<std::uint64_t>(wanted, size.rows));
  JsonPieces::TextAfter after = [full, rows = size.rows,
                                 tell = supply.listing.tell_cut](std::size_t written) {
    if (!tell || written >= full) return std::string("]");
    return "],\"truncated\":true,\"rows\":" + std::to_string(rows);
  };
  supply.pieces.AddList(
      listed, [list, names](std::size_t i, JsonText& to) { WriteRow((*list)[i], names, to); },
      std::move(after));
}

// A pointer to `of`, a part of the result, that keeps the result alive while its text is made.
template <typename Of>
std::shared_ptr<const Of> Pinned(const Of& of, const Supply& supply) {
  if (supply.run == nullptr) return {std::shared_ptr<void>(), &of};
  return {supply.run->result, &of};
}

// Writes the rows of the result, or rows of the whole vector if more rows are wanted and available.
template <typename Row>
void WriteRows(const ResultList& list, const std::vector<Row>& held, const Supply& supply,
               JsonText& json) {
  const RowNames names{list.one, list.value, list.other,
                       list.search != nullptr && list.search->parents};
  const ListSize size{held.size(), supply.Rows(held.size(), list.available)};
  json.Key(list.name);
  if constexpr (kIsOfVertex<Row>) {
    if (supply.HasMore(held.size(), list.available)) {
      const std::size_t wanted = std::min(supply.Wanted(held.size()), supply.listing.most_rows);
      auto rows = std::make_shared<std::vector<Row>>();
      FillRows(list, *supply.run, *supply.keys, wanted, *rows);
      WriteList(std::shared_ptr<const std::vector<Row>>(std::move(rows)), size, supply, names,
                json);
      return;
    }
  }
  WriteList(Pinned(held, supply), size, supply, names, json);
}

// The list can be long: it has one level per edge of the longest path, so on a chain about as many
// levels as vertices.
void WriteLevels(const std::vector<std::uint64_t>& of, const Supply& supply, JsonText& json) {
  json.Key("levels").BeginArray();
  supply.pieces.Add(json.Interrupt());
  const auto levels = Pinned(of, supply);
  supply.pieces.AddList(
      levels->size(), [levels](std::size_t i, JsonText& to) { to.Unsigned((*levels)[i]); },
      [all = levels->size()](std::size_t written) {
        return std::string(written < all ? "],\"levels_truncated\":true" : "]");
      });
}

void WriteMembers(std::string_view name, const Supply& supply, JsonText& json) {
  json.Key("members").BeginArray();
  for (const VertexId v : ByKey(VerticesOf(*supply.run), *supply.keys)) {
    json.BeginObject().Key("vertex").KeyValue(supply.keys->KeyOf(v)).Key(name);
    json.KeyValue(supply.keys->KeyOf(supply.run->whole->groups[v])).EndObject();
  }
  json.EndArray();
}

void WriteList(const ResultList& list, const Supply& supply, JsonText& json) {
  WriteFigures(list.figures, false, json);
  if (list.levels != nullptr) WriteLevels(*list.levels, supply, json);
  std::visit([&](const auto* rows) { WriteRows(list, *rows, supply, json); }, list.rows);
  if (list.is_of_sets && supply.lists_all() && supply.has_view()) {
    WriteMembers(list.one, supply, json);
  }
}

void WriteParts(const ResultTable& table, const Supply& supply, JsonText& json) {
  json.Key(table.parts).BeginArray();
  for (const ResultList& list : table.lists) {
    json.BeginObject();
    if (list.root != nullptr) json.Key("root").KeyValue(*list.root);
    WriteList(list, supply, json);
    json.EndObject();
  }
  json.EndArray();
}

void WriteTable(const ResultTable& table, const Supply& supply, JsonText& json) {
  WriteFigures(table.figures, false, json);
  if (!table.parts.empty()) {
    WriteParts(table, supply, json);
  } else {
    for (const ResultList& list : table.lists) WriteList(list, supply, json);
  }
  if (table.has_edges && supply.lists_all() && supply.has_view()) {
    WriteEdges(supply.run->advance->view, *supply.keys, json.Key("top_edges"));
  }
}

std::string_view NameOf(RunMode mode) {
  switch (mode) {
    case RunMode::kWarm:
      return "warm";
    case RunMode::kIncremental:
      return "incremental";
    case RunMode::kFull:
      break;
  }
  return "full";
}

void Write(const RunResult& result, const Supply& supply) {
  const ResultTable table = DescribeResult(result);
  JsonText json;
  json.BeginObject().Key("schema").Integer(kResultSchema).Key("job").Text(result.job);
  json.Key("kernel").Text(result.kernel);
  WriteProvenance(result.provenance, json);
  json.Key("parameters").BeginObject();
  WriteParameters(result.parameters, json);
  json.EndObject().Key("mode").Text(NameOf(result.mode));
  json.Key("iterations").Integer(result.iterations);
  WriteFigures(table.figures, true, json);
  if (result.drift) json.Key("drift").Number(*result.drift);
  json.Key("converged").Bool(result.converged).Key("seconds").Number(result.seconds);
  if (!table.error.empty()) json.Key("error").Text(table.error);
  WriteTable(table, supply, json);
  if (table.error.empty()) json.ExplainLost();
  json.EndObject();
  supply.pieces.Add(std::move(json).Take());
}

}  // namespace

std::string ResultJson(const RunResult& result, std::optional<std::size_t> top) {
  JsonPieces pieces;
  Write(result, {.pieces = pieces, .listing = {.top = top}});
  return std::move(pieces).Take();
}

JsonPieces ResultPieces(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys) {
  JsonPieces pieces(listing.most_bytes);
  Write(*run.result, {.pieces = pieces, .listing = listing, .run = &run, .keys = &keys});
  return pieces;
}

std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys) {
  return ResultPieces(run, listing, keys).Take();
}

std::string KeyJson(const VertexKey& key) { return std::move(JsonText().KeyValue(key)).Take(); }

}  // namespace sash
