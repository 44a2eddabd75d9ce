#include "connectors/sinks/alerts/alert_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "connectors/sinks/json_text.h"

namespace sash {
namespace {

Error WrongText(std::string message) {
  return Error{ErrorCode::kInvalidArgument, std::move(message)};
}

struct AsWords {
  std::string operator()(const NoFact& none) const { return none.is_list ? none.words : "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::move(JsonText().Number(value)).Take(); }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

Result<AlertText> AlertText::Parse(std::string_view text, const std::vector<std::string>& fields) {
  if (text.size() > kMostBytes) {
    return WrongText(fmt::format("has {} bytes; at most {}", text.size(), kMostBytes));
  }
  AlertText read;
  std::string literal;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '{' && c != '}') {
      literal += c;
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == c) {
      literal += c;
      ++i;
      continue;
    }
    const std::size_t end = c == '{' ? text.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      return WrongText(
          fmt::format("the brace at character {} has no partner; a field is written "
                      "{{vertex}}, a brace is written twice",
                      i + 1));
    }
    std::string name(text.substr(i + 1, end - i - 1));
    if (std::ranges::find(fields, name) == fields.end()) {
      return WrongText(
          fmt::format("there is no field `{}`; there are {}", name, fmt::join(fields, ", ")));
    }
    if (!literal.empty()) read.pieces_.push_back({std::exchange(literal, {}), false});
    read.pieces_.push_back({std::move(name), true});
    i = end;
  }
  if (!literal.empty()) read.pieces_.push_back({std::move(literal), false});
  return read;
}

std::string AlertText::Of(const FactRow& row, const std::vector<Fact>& context) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    if (!piece.is_field) {
      text += piece.text;
      continue;
    }
    const FactValue* value = row.Find(piece.text);
    if (value == nullptr) {
      const auto found = std::ranges::find(context, piece.text, &Fact::name);
      if (found != context.end()) value = &found->value;
    }
    text += value == nullptr ? "null" : std::visit(AsWords(), *value);
  }
  return text;
}

}  // namespace sash
