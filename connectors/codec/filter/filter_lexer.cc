#include "connectors/codec/filter/filter_lexer.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "windows/base/utf8.h"

namespace sash {
namespace {

bool IsNumeral(char c) { return c >= '0' && c <= '9'; }
bool IsHexNumeral(char c) {
  return IsNumeral(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsNumeral(c); }

}  // namespace

FilterToken FilterLexer::Made(FilterToken::Kind kind, std::size_t end, std::string value) {
  FilterToken token{.kind = kind,
                    .position = static_cast<std::uint32_t>(next_),
                    .text = text_.substr(next_, end - next_),
                    .value = std::move(value)};
  next_ = end;
  return token;
}

FilterToken FilterLexer::Wrong(std::size_t position, std::string why) {
  return {.kind = FilterToken::Kind::kWrong,
          .position = static_cast<std::uint32_t>(position),
          .value = std::move(why)};
}

FilterToken FilterLexer::Next(bool operand) {
  while (std::string_view(" \t\r\n").find(At(next_)) != std::string_view::npos &&
         next_ < text_.size()) {
    ++next_;
  }
  if (next_ == text_.size()) return Made(FilterToken::Kind::kEnd, next_);
  const char c = text_[next_];
  if (operand && c == '/') return Pointer();
  if (IsNumeral(c) || (operand && c == '.' && IsNumeral(At(next_ + 1)))) return Number();
  if (c == '"' || c == '\'') return Quoted(false);
  if ((c == 'r' || c == 'R') && (At(next_ + 1) == '"' || At(next_ + 1) == '\'')) {
    return Quoted(true);
  }
  if (c == '`') return Backquoted();
  if (c == '$') return Dollar();
  if (IsNameStart(c)) {
    std::size_t end = next_;
    while (IsNamePart(At(end))) ++end;
    return Made(FilterToken::Kind::kName, end);
  }
  for (const std::string_view sign : {"&&", "||", "<=", ">=", "==", "!="}) {
    if (text_.substr(next_).starts_with(sign)) return Made(FilterToken::Kind::kSign, next_ + 2);
  }
  if (std::string_view("!-+*/%<>()[],?:.").find(c) != std::string_view::npos) {
    return Made(FilterToken::Kind::kSign, next_ + 1);
  }
  switch (c) {
    case '=':
      return Wrong(next_, "'=' compares nothing; write ==");
    case '&':
      return Wrong(next_, "'&' is not an operator; write &&");
    case '|':
      return Wrong(next_, "'|' is not an operator; write ||");
    default:
      return Wrong(next_,
                   "this character has no meaning here; a string needs quotes, and a "
                   "field with special characters in backquotes");
  }
}

FilterToken FilterLexer::Number() {
  std::size_t end = next_;
  if (text_[end] == '0' && (At(end + 1) == 'x' || At(end + 1) == 'X')) {
    for (end += 2; IsHexNumeral(At(end));) ++end;
    return Made(FilterToken::Kind::kInteger, end);
  }
  bool is_real = false;
  while (IsNumeral(At(end))) ++end;
  if (At(end) == '.' && IsNumeral(At(end + 1))) {
    is_real = true;
    for (++end; IsNumeral(At(end));) ++end;
  }
  if (At(end) == 'e' || At(end) == 'E') {
    std::size_t exponent = end + 1;
    if (At(exponent) == '+' || At(exponent) == '-') ++exponent;
    if (IsNumeral(At(exponent))) {
      is_real = true;
      for (end = exponent; IsNumeral(At(end));) ++end;
    }
  }
  if (IsNamePart(At(end))) {
    return Wrong(end,
                 "a number ends here, and a letter follows; write int, like 5, or double, "
                 "like 5.0 or 5e3");
  }
  return Made(is_real ? FilterToken::Kind::kReal : FilterToken::Kind::kInteger, end);
}

bool FilterLexer::Escape(std::size_t& at, std::string& value) const {
  constexpr std::string_view kNames = "\"'`\\?abfnrtv";
  constexpr std::string_view kMeanings = "\"'`\\?\a\b\f\n\r\t\v";
  const char c = At(at);
  const std::size_t found = c == '\0' ? std::string_view::npos : kNames.find(c);
  if (found != std::string_view::npos) {
    value.push_back(kMeanings[found]);
    ++at;
    return true;
  }
  std::size_t digits = 0;
  int base = 16;
  if (c == 'x' || c == 'X') digits = 2;
  if (c == 'u') digits = 4;
  if (c == 'U') digits = 8;
  if (c >= '0' && c <= '3') {
    digits = 3;
    base = 8;
  } else {
    ++at;
  }
  if (digits == 0 || text_.size() - at < digits) return false;
  std::uint32_t point = 0;
  const char* const end = text_.data() + at + digits;
  if (std::from_chars(text_.data() + at, end, point, base).ptr != end) return false;
  at += digits;
  if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
  AppendCharacter(point, value);
  return true;
}

// Begins at the quote, or at the r before it.
FilterToken FilterLexer::Quoted(bool raw) {
  std::size_t at = next_ + (raw ? 1 : 0);
  const char quote = text_[at++];
  std::string value;
  while (At(at) != quote) {
    if (at >= text_.size() || text_[at] == '\n') {
      return Wrong(next_, fmt::format("this string has no end; close it with {} on its line "
                                      "(a line break is written \\n)",
                                      quote));
    }
    if (text_[at] != '\\' || raw) {
      value.push_back(text_[at++]);
      continue;
    }
    const std::size_t escape = at++;
    if (!Escape(at, value)) {
      return Wrong(escape, R"(this escape is not known; write \\ for a backslash, or r"..." for a )"
                           "string without escapes");
    }
  }
  return Made(FilterToken::Kind::kText, at + 1, std::move(value));
}

FilterToken FilterLexer::Backquoted() {
  const std::size_t end = text_.find('`', next_ + 1);
  if (end == std::string_view::npos) {
    return Wrong(next_, "this field has no end; close it with a backquote");
  }
  return Made(FilterToken::Kind::kField, end + 1,
              std::string(text_.substr(next_ + 1, end - next_ - 1)));
}

FilterToken FilterLexer::Pointer() {
  std::size_t end = next_;
  while (IsNamePart(At(end)) || At(end) == '~' || (At(end) == '/' && IsNamePart(At(end + 1)))) {
    ++end;
  }
  if (end == next_) {
    return Wrong(next_,
                 "a JSON pointer is expected, like /payer/id; a member whose name has other "
                 "characters than letters, digits and _ needs backquotes, like "
                 "`/first-name`");
  }
  return Made(FilterToken::Kind::kPointer, end, std::string(text_.substr(next_, end - next_)));
}

FilterToken FilterLexer::Dollar() {
  std::size_t end = next_ + 1;
  while (IsNamePart(At(end))) ++end;
  return Made(FilterToken::Kind::kDollar, end,
              std::string(text_.substr(next_ + 1, end - next_ - 1)));
}

}  // namespace sash
