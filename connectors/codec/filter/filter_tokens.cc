#include "connectors/codec/filter/filter_tokens.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "windows/base/utf8.h"

namespace sash {

std::nullopt_t FilterTokens::Fail(std::uint32_t position, std::string why) {
  if (wrong_.empty()) {
    wrong_at_ = position;
    wrong_ = std::move(why);
  }
  return std::nullopt;
}

void FilterTokens::Advance(bool operand) {
  next_ = lexer_.Next(operand);
  if (next_.kind == FilterToken::Kind::kWrong) Fail(next_.position, next_.value);
}

std::string FilterTokens::Found() const {
  return next_.kind == FilterToken::Kind::kEnd
             ? "the expression ends here"
             : fmt::format("`{}` is not possible here", next_.text);
}

bool FilterTokens::Expect(std::string_view sign, std::string_view why, bool operand) {
  if (!Sees(sign)) {
    Fail(next_.position, fmt::format("{}; {}", Found(), why));
    return false;
  }
  Advance(operand);
  return true;
}

std::string FilterPlace(std::string_view text, std::size_t position) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (const char c : text.substr(0, position)) {
    if (c == '\n') {
      ++line;
      column = 1;
    } else if (!ContinuesCharacter(c)) {  // a character begins
      ++column;
    }
  }
  return fmt::format("line {}, column {}", line, column);
}

Error FilterError(std::string_view text, std::size_t position, std::string_view message) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", FilterPlace(text, position), message)};
}

}  // namespace sash
