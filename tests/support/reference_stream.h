// An obviously correct sliding window: it computes every window from the list of all events, with
// plain loops over vectors. It ignores clocks: no partition is ever idle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "windows/base/weight.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/time_policy.h"
#include "windows/ingest/window_filter.h"
#include "windows/slide/window_spec.h"

namespace sash::testing {

// One edge of a record of a script, or a whole record. The edges of a record follow each other.
// Records of a partition are listed in the order of their offsets.
struct ScriptRecord {
  std::uint32_t partition = 0;
  std::int64_t offset = 0;
  std::uint32_t place = 0;  // in its record
  std::int64_t time = 0;    // nanoseconds
  Operation operation = Operation::kAdd;
  std::int64_t source = 0;
  std::int64_t target = 0;
  Weight weight{};
  bool refused = false;            // the record is not an edge event
  bool filtered = false;           // the record moves its partition's clock, and nothing else
  FilterBits passes = kPassesAll;  // bit k: the filter named FilterName(k)
  std::uint64_t id = 0;            // 0: it has none
  std::uint64_t type = 0;          // 0: it has none
  bool typed = false;              // `passes` holds for it even if it removes an edge
};

// WindowSpec::where of the filters of scripts.
inline constexpr std::size_t kScriptFilters = 3;
inline std::string FilterName(std::size_t number) { return "f" + std::to_string(number); }

// The word of a type of scripts.
inline std::string ScriptType(std::uint64_t type) { return "t" + std::to_string(type); }

// Whether the event is shown by a window with this WindowSpec::where.
inline bool PassesFilter(const ScriptRecord& event, const std::string& where) {
  const bool asked =
      event.operation == Operation::kAdd || (event.operation == Operation::kRemove && event.typed);
  if (where.empty() || !asked) return true;
  return (event.passes >> std::stoul(where.substr(1)) & 1) != 0;
}

// The same for a filter of types. Beside an expression, its types are those of no event: the bits
// decide what passes both.
inline bool PassesFilter(const ScriptRecord& event, const WindowFilter& filter) {
  if (!filter.where.empty() || filter.types.empty()) return PassesFilter(event, filter.where);
  const bool has_no_type = event.operation != Operation::kAdd && event.type == 0;
  return event.operation == Operation::kRemoveVertex || has_no_type ||
         std::ranges::find(filter.types, ScriptType(event.type)) != filter.types.end();
}

// The place behind the last edge of the record to which records[i - 1] belongs: i, or a later
// place.
inline std::size_t WholeRecords(const std::vector<ScriptRecord>& records, std::size_t i) {
  while (i < records.size() && records[i].place > 0) ++i;
  return i;
}

// Source key, target key, weight, type (ScriptRecord::type). Sortable.
struct ListedEdge {
  std::int64_t source = 0;
  std::int64_t target = 0;
  Weight weight;
  std::uint64_t type = 0;
  friend bool operator==(const ListedEdge&, const ListedEdge&) = default;
  friend bool operator<(const ListedEdge& a, const ListedEdge& b) {
    if (std::tie(a.source, a.target, a.type) != std::tie(b.source, b.target, b.type)) {
      return std::tie(a.source, a.target, a.type) < std::tie(b.source, b.target, b.type);
    }
    if (a.weight < b.weight || b.weight < a.weight) return a.weight < b.weight;
    return a.weight.is_integer() < b.weight.is_integer();  // 6 and 6.0 are equal, but not the same
  }
  friend void PrintTo(const ListedEdge& edge, std::ostream* out) {
    *out << edge.source << "->" << edge.target << " (" << edge.weight.AsDouble() << ")";
    if (edge.type != 0) *out << " " << ScriptType(edge.type);
  }
};

struct ExpectedWindow {
  std::int64_t start = 0;  // nanoseconds; by events: least event time
  std::int64_t end = 0;
  std::uint64_t accepted = 0;  // by events only
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> offsets;
  std::vector<ListedEdge> edges;
  std::int64_t axis_end = 0;  // end on the window's axis
  bool gap = false;           // it joined too late to have every slice
};

// The state of a window when everything before some position has closed.
struct Standing {
  std::int64_t held_from = 0;  // it holds the slices that begin here or later
  bool asleep = true;          // until the next slice with events
  bool in_silence = false;     // its last window was empty
};

// How a window joined a running stream.
struct Joining {
  std::int64_t closed = 0;           // everything before this had closed when it joined
  std::int64_t have_from = 0;        // slices that begin before this are not available
  std::optional<Standing> before{};  // of the window that it replaced
};

// All windows of `spec` over the finite stream `records`, in order. Axes: event time, or events
// (then with one partition only).
std::vector<ExpectedWindow> ExpectedWindows(const std::vector<ScriptRecord>& records,
                                            const WindowSpec& spec, std::int64_t pane,
                                            const TimePolicy& policy,
                                            const std::optional<Joining>& joining = {});

Standing StandingAt(const std::vector<ScriptRecord>& records, const WindowSpec& spec,
                    std::int64_t pane, const TimePolicy& policy,
                    const std::optional<Joining>& joining, std::int64_t closed);

}  // namespace sash::testing
