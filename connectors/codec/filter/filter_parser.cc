#include "connectors/codec/filter/filter_parser.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "connectors/codec/filter/filter_types.h"
#include "windows/base/check.h"

namespace sash {
namespace {

using Word = FilterToken::Kind;
using Op = FilterOperation;
using Type = FilterType;

struct Sign {
  std::string_view text;
  Op operation;
};
constexpr std::array<Sign, 1> kOrs = {{{"||", Op::kOr}}};
constexpr std::array<Sign, 1> kAnds = {{{"&&", Op::kAnd}}};
constexpr std::array<Sign, 6> kComparisons = {{{"<", Op::kLess},
                                               {"<=", Op::kLessOrEqual},
                                               {">", Op::kGreater},
                                               {">=", Op::kGreaterOrEqual},
                                               {"==", Op::kEqual},
                                               {"!=", Op::kUnequal}}};
constexpr std::array<Sign, 2> kSums = {{{"+", Op::kAdd}, {"-", Op::kSubtract}}};
constexpr std::array<Sign, 3> kProducts = {
    {{"*", Op::kMultiply}, {"/", Op::kDivide}, {"%", Op::kRemainder}}};
constexpr std::array<Sign, 5> kFunctions = {{{"int", Op::kToInt},
                                             {"double", Op::kToDouble},
                                             {"string", Op::kToString},
                                             {"bool", Op::kToBool},
                                             {"size", Op::kSize}}};
constexpr std::array<Sign, 3> kMethods = {
    {{"startsWith", Op::kStartsWith}, {"endsWith", Op::kEndsWith}, {"contains", Op::kContains}}};

template <std::size_t kCount>
std::optional<Op> OperationOf(const std::array<Sign, kCount>& signs, std::string_view text) {
  for (const Sign& sign : signs) {
    if (sign.text == text) return sign.operation;
  }
  return std::nullopt;
}

}  // namespace

// The lexer reads the caller's text, which outlives the parser: the tree's copy moves.
FilterParser::FilterParser(std::string_view text, FilterFields fields)
    : tokens_(text), builder_(text, tokens_), fields_(fields, tokens_) {}

bool FilterParser::Parse() {
  if (builder_.tree().text.size() > FilterTree::kMostText) {
    tokens_.Fail(0, fmt::format("the expression has more than {} bytes", FilterTree::kMostText));
    return false;
  }
  tokens_.Advance(true);
  const Read whole = Condition();
  if (!whole) return false;
  if (next().kind != Word::kEnd) {
    tokens_.Fail(next().position,
                 fmt::format("{}; an operator, like && or ==, is expected", tokens_.Found()));
    return false;
  }
  const FilterNode& node = builder_.tree().nodes[*whole];
  if (!MayBeBool(node.type)) {
    tokens_.Fail(node.position,
                 fmt::format("the expression is {}, and it must be true or false; compare "
                             "the value with another one",
                             Name(node.type)));
    return false;
  }
  SASH_CHECK(*whole + 1 == builder_.tree().nodes.size());
  return !tokens_.failed();
}

FilterParser::Read FilterParser::Condition() {
  if (++depth_ > FilterTree::kMostDepth) {
    return tokens_.Fail(
        next().position,
        fmt::format("the expression is nested more than {} levels deep", FilterTree::kMostDepth));
  }
  Read condition = Or();
  if (condition && tokens_.Sees("?")) {
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    const Read yes = Or();
    if (!yes || !tokens_.Expect(":", "a condition is written a ? b : c", true)) return std::nullopt;
    const Read no = Condition();
    if (!no) return std::nullopt;
    condition = builder_.Add({.operation = Op::kChoose,
                              .position = position,
                              .first = *condition,
                              .second = *yes,
                              .third = *no});
  }
  --depth_;
  return condition;
}

template <typename Signs>
FilterParser::Read FilterParser::Row(const Signs& signs, Read (FilterParser::*operand)()) {
  Read left = (this->*operand)();
  while (left && next().kind == Word::kSign) {
    const auto operation = OperationOf(signs, next().text);
    if (!operation) break;
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    left = builder_.AddTwo(*operation, position, *left, (this->*operand)());
  }
  return left;
}

FilterParser::Read FilterParser::Or() { return Row(kOrs, &FilterParser::And); }

FilterParser::Read FilterParser::And() { return Row(kAnds, &FilterParser::Comparison); }

FilterParser::Read FilterParser::Comparison() {
  Read left = Sum();
  while (left) {
    const std::uint32_t position = next().position;
    if (tokens_.SeesWord("in")) {
      tokens_.Advance(true);
      left = In(position, *left);
      continue;
    }
    const auto operation =
        next().kind == Word::kSign ? OperationOf(kComparisons, next().text) : std::nullopt;
    if (!operation) break;
    tokens_.Advance(true);
    left = builder_.AddTwo(*operation, position, *left, Sum());
  }
  return left;
}

FilterParser::Read FilterParser::Sum() { return Row(kSums, &FilterParser::Product); }

FilterParser::Read FilterParser::Product() { return Row(kProducts, &FilterParser::Sign); }

FilterParser::Read FilterParser::Sign() {
  if (!tokens_.Sees("!") && !tokens_.Sees("-")) return Member();
  const Op operation = tokens_.Sees("!") ? Op::kNot : Op::kNegate;
  const std::uint32_t position = next().position;
  tokens_.Advance(true);
  if (operation == Op::kNegate && (next().kind == Word::kInteger || next().kind == Word::kReal)) {
    return Number(true, position);
  }
  if (++depth_ > FilterTree::kMostDepth) {
    return tokens_.Fail(position, "there are too many signs in a row; write one at most");
  }
  const Read operand = Sign();
  --depth_;
  if (!operand) return std::nullopt;
  return builder_.Add({.operation = operation, .position = position, .first = *operand});
}

FilterParser::Read FilterParser::Member() {
  Read operand = Operand();
  while (operand && tokens_.Sees(".")) {
    tokens_.Advance(true);
    const FilterToken name = next();
    if (name.kind != Word::kName) {
      return tokens_.Fail(
          name.position,
          fmt::format("{}; a method is expected, like .startsWith(\"a\")", tokens_.Found()));
    }
    tokens_.Advance(false);
    if (!tokens_.Sees("(")) {
      return tokens_.Fail(
          name.position, fmt::format("`{}` is not a method; {}", name.text, fields_.AboutPoints()));
    }
    tokens_.Advance(true);
    operand = Method(name, *operand);
  }
  return operand;
}

FilterParser::Read FilterParser::Method(const FilterToken& name, std::uint32_t text) {
  if (name.text == "matches") return Matches(name, text);
  if (name.text == "size") {
    if (!tokens_.Expect(")", "write x.size() without an argument", false)) return std::nullopt;
    return builder_.Add({.operation = Op::kSize, .position = name.position, .first = text});
  }
  const auto operation = OperationOf(kMethods, name.text);
  if (!operation) {
    return tokens_.Fail(
        name.position,
        fmt::format("the method {} is not known; there are startsWith, endsWith, contains, "
                    "matches and size",
                    name.text));
  }
  const Read argument = Condition();
  if (!argument || !tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return builder_.AddTwo(*operation, name.position, text, argument);
}

FilterParser::Read FilterParser::Matches(const FilterToken& name, std::uint32_t text) {
  if (next().kind != Word::kText) {
    return tokens_.Fail(next().position,
                        "the pattern of matches() must be a string, like \"^pay-\"");
  }
  const auto pattern = builder_.AddPattern(next());
  if (!pattern) return std::nullopt;
  tokens_.Advance(false);
  if (!tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return builder_.AddTwo(Op::kMatches, name.position, text, pattern);
}

// After `in`.
FilterParser::Read FilterParser::In(std::uint32_t position, std::uint32_t operand) {
  if (!tokens_.Expect("[", "a list is expected after in, like [\"a\", \"b\"]", true))
    return std::nullopt;
  std::vector<std::uint32_t> elements;
  while (!tokens_.Sees("]")) {
    const Read element = Condition();
    if (!element) return std::nullopt;
    elements.push_back(*element);
    if (tokens_.Sees("]")) break;
    if (!tokens_.Expect(",", "elements are separated by commas, and ] ends the list", true)) {
      return std::nullopt;
    }
  }
  tokens_.Advance(false);
  return builder_.AddIn(position, operand, std::move(elements));
}

FilterParser::Read FilterParser::Operand() {
  const FilterToken token = next();
  switch (token.kind) {
    case Word::kInteger:
    case Word::kReal:
      return Number(false, token.position);
    case Word::kText:
      tokens_.Advance(false);
      return builder_.AddText(token.position, token.value);
    case Word::kField:
    case Word::kPointer:
      tokens_.Advance(false);
      return builder_.AddField(token.position, fields_.OfValue(token));
    case Word::kDollar:
      tokens_.Advance(false);
      return builder_.AddField(token.position, fields_.OfDollar(token));
    case Word::kName:
      return Word();
    case Word::kSign:
      if (tokens_.Sees("(")) return Parentheses();
      if (tokens_.Sees("["))
        return tokens_.Fail(token.position, "a list is possible only after in");
      break;
    case Word::kEnd:
    case Word::kWrong:
      break;
  }
  return tokens_.Fail(token.position, fmt::format("{}; a value is expected", tokens_.Found()));
}

FilterParser::Read FilterParser::Parentheses() {
  tokens_.Advance(true);
  const Read inside = Condition();
  if (!inside || !tokens_.Expect(")", "close the parenthesis with )", false)) return std::nullopt;
  return inside;
}

FilterParser::Read FilterParser::Word() {
  const FilterToken token = next();
  tokens_.Advance(false);
  if (tokens_.Sees("(")) {
    tokens_.Advance(true);
    return Function(token);
  }
  if (token.text == "true" || token.text == "false") {
    return builder_.AddConstant(token.position, Type::kBool,
                                FilterValue::Bool(token.text == "true"));
  }
  if (token.text == "null")
    return builder_.AddConstant(token.position, Type::kNull, FilterValue::Null());
  if (token.text == "in") return tokens_.Fail(token.position, "a value is expected before in");
  return builder_.AddField(token.position, fields_.OfValue(token));
}

FilterParser::Read FilterParser::Function(const FilterToken& name) {
  if (name.text == "has") return Has(name);
  const auto operation = OperationOf(kFunctions, name.text);
  if (!operation) {
    return tokens_.Fail(name.position,
                        fmt::format("the function {} is not known; there are int, double, "
                                    "string, bool, size and has",
                                    name.text));
  }
  const Read argument = Condition();
  if (!argument || !tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return builder_.AddFunction(name.position, *operation, *argument);
}

FilterParser::Read FilterParser::Has(const FilterToken& name) {
  const Read field = Operand();
  if (!field) return std::nullopt;
  if (builder_.tree().nodes[*field].operation != Op::kField) {
    return tokens_.Fail(name.position, "the argument of has() must be a field");
  }
  if (!tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return builder_.AddHas(name.position, *field);
}

FilterParser::Read FilterParser::Number(bool negative, std::uint32_t position) {
  const FilterToken token = next();
  tokens_.Advance(false);
  return builder_.AddNumber(position, token, negative);
}

Result<FilterTree> FilterTree::Parse(std::string_view text, FilterFields fields) {
  FilterParser parser(text, fields);
  if (!parser.Parse()) return parser.error();
  return std::move(parser).tree();
}

}  // namespace sash
