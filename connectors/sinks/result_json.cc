#include "connectors/sinks/result_json.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/edge_listing.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_members.h"
#include "connectors/sinks/supplied_rows.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

// The source of the rows of a result's lists, and their destination.
struct Supply : RowSupply {
  JsonPieces& pieces;
};

// Adds the text in `json` so far to the pieces, then an array of the rows of `list`. If the array
// is cut and tell_cut is set, says so after it.
void WriteRows(const ResultList& list, const Supply& supply, JsonText& json) {
  json.Key(list.name).BeginArray();
  supply.pieces.Add(json.Interrupt());
  SuppliedRows rows = RowsOfList(list, supply);
  JsonPieces::TextAfter after = [wanted = rows.wanted, available = rows.available,
                                 tell = supply.listing.tell_cut](std::size_t written) {
    if (!tell || written >= wanted) return std::string("]");
    return "],\"truncated\":true,\"rows\":" + std::to_string(available);
  };
  supply.pieces.AddList(rows.listed, std::move(rows.write), std::move(after));
}

// A pointer to `of`, a part of the result, that keeps the result alive while its text is made.
template <typename Of>
std::shared_ptr<const Of> Pinned(const Of& of, const Supply& supply) {
  if (supply.run == nullptr) return {std::shared_ptr<void>(), &of};
  return {supply.run->result, &of};
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
  WriteRows(list, supply, json);
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
  WriteProvenance(result.provenance, json, result.past);
  json.Key("parameters").BeginObject();
  WriteParameters(result.parameters, json);
  json.EndObject().Key("mode").Text(NameOf(result.mode));
  json.Key("iterations").Integer(result.iterations);
  WriteFigures(table.figures, true, json);
  if (result.drift) json.Key("drift").Number(*result.drift);
  json.Key("converged").Bool(result.converged).Key("seconds").Number(result.seconds);
  if (!table.error.empty()) json.Key("error").Text(table.error);
  if (result.baseline) WriteBaseline(*result.baseline, json);
  WriteTable(table, supply, json);
  const std::uint64_t lost = json.lost_numbers();
  supply.pieces.Add(std::move(json).Take());
  supply.pieces.AddLast([lost, is_explained = !table.error.empty()](std::uint64_t in_rows) {
    if (is_explained || lost + in_rows == 0) return std::string("}");
    return ",\"error\":\"" + LostNumbersText(lost + in_rows) + "\"}";
  });
}

}  // namespace

std::string ResultJson(const RunResult& result, std::optional<std::size_t> top) {
  JsonPieces pieces;
  Write(result, {{.listing = {.top = top}}, pieces});
  return std::move(pieces).Take();
}

JsonPieces ResultPieces(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys) {
  JsonPieces pieces(listing.most_bytes);
  Write(*run.result, {{.listing = listing, .run = &run, .keys = &keys}, pieces});
  return pieces;
}

std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys) {
  return ResultPieces(run, listing, keys).Take();
}

std::string KeyJson(const VertexKey& key) { return std::move(JsonText().KeyValue(key)).Take(); }

}  // namespace sash
