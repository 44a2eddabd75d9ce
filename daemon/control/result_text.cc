#include "daemon/control/result_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/control/detail_text.h"
#include "daemon/control/printable.h"
#include "daemon/control/ranking.h"
#include "daemon/control/table.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

std::string SpanText(const JsonValue& of) {
  return fmt::format("{} to {}", TimeText(of["window_start"]), TimeText(of["window_end"]));
}

// The lines above one result.
std::string HeadingText(const JsonValue& of) {
  return fmt::format("{}: {} on {}, {}\n\n", FigureText(of["job"]), FigureText(of["kernel"]),
                     FigureText(of["window"]), SpanText(of));
}

}  // namespace

std::string ResultListText(const JsonValue& results) {
  Table table({{"SNAPSHOT", Align::kRight},
               {"END"},
               {"EDGES", Align::kRight},
               {"VERTICES", Align::kRight},
               {"TOOK", Align::kRight},
               {"GAP"},
               {"FIRST"}});
  for (const JsonValue& result : results.items) {
    std::string first;
    const std::vector<RankedRow> rows = RowsOf(result, JsonValue{});
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 3); ++i) {
      first += (i > 0 ? ", " : "") + rows[i].key;
    }
    table.Add({FigureText(result["snapshot"]), TimeText(result["window_end"]),
               FigureText(result["edges"]), FigureText(result["vertices"]),
               SecondsText(result["seconds"]), FigureText(result["gap"]),
               first.empty() ? std::string(kNothing) : first});
  }
  return table.Text();
}

std::string ResultText(const JsonValue& result) {
  // Offsets have a line for each partition, so they are left to programs.
  return HeadingText(result) + ObjectText(result, {"schema", "job", "kernel", "window",
                                                   "window_start", "window_end", "offsets"});
}

std::string DiffListText(const JsonValue& diffs) {
  Table table({{"SNAPSHOT", Align::kRight},
               {"END"},
               {"SINCE"},
               {"ENTERED", Align::kRight},
               {"LEFT", Align::kRight},
               {"CHANGED", Align::kRight},
               {"GAP"},
               {"FIRST TO ENTER"}});
  for (const JsonValue& diff : diffs.items) {
    const auto count = [&](std::string_view name) {
      const JsonValue& rows = diff["rows"][name];  // set when the list is truncated
      return rows.is_null() ? fmt::format("{}", diff[name].items.size()) : FigureText(rows);
    };
    std::string first;
    const std::vector<JsonValue>& entered = diff["entered"].items;
    for (std::size_t i = 0; i < std::min<std::size_t>(entered.size(), 3); ++i) {
      // The first member is the ranked item, before its rank.
      const std::vector<JsonMember>& row = entered[i].members;
      first += (i > 0 ? ", " : "") + (row.empty() ? "" : FigureText(row.front().value));
    }
    table.Add({FigureText(diff["snapshot"]), TimeText(diff["window_end"]), TimeText(diff["since"]),
               count("entered"), count("left"), count("changed"), FigureText(diff["gap"]),
               first.empty() ? std::string(kNothing) : first});
  }
  return table.Text();
}

std::string DiffText(const JsonValue& diff) {
  return HeadingText(diff) +
         ObjectText(diff, {"schema", "job", "kernel", "window", "window_start", "window_end"});
}

}  // namespace sash
