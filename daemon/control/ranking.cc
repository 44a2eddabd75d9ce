#include "daemon/control/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "daemon/control/wording.h"

namespace sash {
namespace {

constexpr std::string_view kRank = "rank";

// The first member other than the rank names the ranked item.
const JsonMember* NamedIn(const JsonValue& row) {
  const auto found = std::ranges::find_if(
      row.members, [](const JsonMember& member) { return member.name != kRank; });
  return found == row.members.end() ? nullptr : &*found;
}

// As written, not as shown: two keys may look alike.
std::string KeyOf(const JsonValue& row) {
  const JsonMember* named = NamedIn(row);
  return named == nullptr ? "" : named->value.text;
}

std::optional<std::int64_t> RankOf(const JsonValue& row) {
  const std::optional<double> rank = row[kRank].AsNumber();
  if (!rank) return std::nullopt;
  return std::llround(*rank);
}

std::map<std::string, std::int64_t> PlacesOf(const JsonValue& result) {
  std::map<std::string, std::int64_t> places;
  for (const JsonValue& row : result["top"].items) {
    if (const auto rank = RankOf(row)) places.emplace(KeyOf(row), *rank);
  }
  return places;
}

std::string Title(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

}  // namespace

std::vector<RankedRow> RowsOf(const JsonValue& result, const JsonValue& before) {
  const auto places = PlacesOf(before);
  std::vector<RankedRow> rows;
  for (const JsonValue& listed : result["top"].items) {
    RankedRow row{.rank = FigureText(listed[kRank]), .key = "", .figures = {}, .gained = {}};
    const JsonMember* named = NamedIn(listed);
    if (named != nullptr) row.key = FigureText(named->value);
    for (const JsonMember& member : listed.members) {
      if (member.name != kRank && &member != named) row.figures.push_back(FigureText(member.value));
    }
    if (!before.is_null()) {
      const auto place = places.find(KeyOf(listed));
      row.is_new = place == places.end();
      const auto rank = RankOf(listed);
      if (!row.is_new && rank) row.gained = place->second - *rank;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> LeaversOf(const JsonValue& result, const JsonValue& before) {
  std::set<std::string> here;
  for (const JsonValue& row : result["top"].items) here.insert(KeyOf(row));
  std::vector<std::string> leavers;
  for (const JsonValue& row : before["top"].items) {
    const JsonMember* named = NamedIn(row);
    if (named != nullptr && !here.contains(KeyOf(row))) leavers.push_back(FigureText(named->value));
  }
  return leavers;
}

std::string MovementText(const RankedRow& row) {
  if (row.is_new) return "new";
  if (!row.gained || *row.gained == 0) return "";
  return fmt::format("{}{}", *row.gained > 0 ? "▲" : "▼", std::abs(*row.gained));
}

Table RankingTable(const JsonValue& result, const JsonValue& before, std::size_t most) {
  const JsonValue& top = result["top"];
  std::vector<Column> columns = {{"#", Align::kRight}, {"MOVED"}, {"VERTEX"}};
  if (!top.items.empty()) {
    const JsonMember* named = NamedIn(top.items.front());
    if (named != nullptr) columns.back().title = Title(named->name);
    for (const JsonMember& member : top.items.front().members) {
      if (member.name == kRank || &member == named) continue;
      columns.push_back({Title(member.name), Align::kRight});
    }
  }
  const std::size_t count = columns.size();
  Table table(std::move(columns));
  std::vector<RankedRow> rows = RowsOf(result, before);
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    std::vector<std::string> cells = {rows[i].rank, MovementText(rows[i]), rows[i].key};
    cells.insert(cells.end(), rows[i].figures.begin(), rows[i].figures.end());
    cells.resize(count);  // rows of a list have the same members
    table.Add(std::move(cells));
  }
  return table;
}

}  // namespace sash
