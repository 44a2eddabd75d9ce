// What a result lists, and how that moved since the result before.
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
  bool is_new = false;                 // it was not in the list before
  std::optional<std::int64_t> gained;  // places; none: new, or there is no result before
};

// Of the list `top`; `before` is null when there is no result before.
std::vector<RankedRow> RowsOf(const JsonValue& result, const JsonValue& before);

// Keys of the list before that are not in this one, in its order.
std::vector<std::string> LeaversOf(const JsonValue& result, const JsonValue& before);

// "▲2", "▼1", "new"; nothing where it stayed, or nothing is known.
std::string MovementText(const RankedRow& row);

// As a table, of the first `most` rows.
Table RankingTable(const JsonValue& result, const JsonValue& before, std::size_t most);

}  // namespace sash
