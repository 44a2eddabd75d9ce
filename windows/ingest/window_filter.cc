#include "windows/ingest/window_filter.h"

#include <optional>
#include <utility>

#include "windows/base/sort_distinct.h"

namespace sash {
namespace {

constexpr std::string_view kTypes = "types: ";
constexpr std::string_view kNextType = ", ";
constexpr std::string_view kExpression = "; ";

bool TakeOff(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

void AppendQuoted(std::string_view word, std::string& text) {
  text += '"';
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

std::optional<std::string> TakeQuoted(std::string_view& text) {
  if (!TakeOff(text, "\"")) return std::nullopt;
  std::string word;
  while (!text.empty()) {
    if (TakeOff(text, "\"")) return word;
    if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
    word += text.front();
    text.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace

std::string FilterText(std::span<const std::string> types, std::string_view where) {
  if (types.empty()) return std::string(where);
  std::vector<std::string> sorted(types.begin(), types.end());
  SortDistinct(sorted);
  std::string text;
  for (const std::string& type : sorted) {
    text += text.empty() ? kTypes : kNextType;
    AppendQuoted(type, text);
  }
  if (where.empty()) return text;
  text += kExpression;
  return text += where;
}

WindowFilter ParseFilterText(std::string_view text) {
  WindowFilter filter;
  std::string_view rest = text;
  for (bool more = TakeOff(rest, kTypes); more; more = TakeOff(rest, kNextType)) {
    std::optional<std::string> type = TakeQuoted(rest);
    if (!type) return {.where = std::string(text)};
    filter.types.push_back(*std::move(type));
  }
  if (!filter.types.empty() && !rest.empty() && !TakeOff(rest, kExpression)) {
    return {.where = std::string(text)};
  }
  filter.where = rest;
  return filter;
}

}  // namespace sash
