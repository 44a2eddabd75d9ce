// The list of a result, and its changes since the previous result.
//
// Thread safety: free functions over values.
// Invariants:
// (1) Keys and figures are printable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/control/json_value.h"
#include "daemon/control/table.h"

namespace sash {

struct RankedRow {
  std::string rank;
  std::string key;  // of the vertex, or of the set
  std::vector<std::string> figures;
  bool is_new = false;                 // it was not in the previous list
  std::optional<std::int64_t> gained;  // places; empty: new, or there is no previous result
};

// The rows of the list `top`; `before` is null when there is no previous result.
std::vector<RankedRow> RowsOf(const JsonValue& result, const JsonValue& before);

// Keys of the previous list that are not in this one, in its order.
std::vector<std::string> LeaversOf(const JsonValue& result, const JsonValue& before);

// "▲2", "▼1", "new"; empty where the place is unchanged or unknown.
std::string MovementText(const RankedRow& row);

// The first `most` rows as a table.
Table RankingTable(const JsonValue& result, const JsonValue& before, std::size_t most);

}  // namespace sash
