#include "connectors/codec/filter/filter_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "connectors/codec/filter/filter_types.h"
#include "connectors/codec/number_text.h"
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
    : tokens_(text), fields_(fields, tokens_) {
  tree_.text = text;
}

bool FilterParser::Parse() {
  if (tree_.text.size() > FilterTree::kMostText) {
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
  const FilterNode& node = tree_.nodes[*whole];
  if (!MayBeBool(node.type)) {
    tokens_.Fail(node.position,
                 fmt::format("the expression is {}, and it must be true or false; compare "
                             "the value with another one",
                             Name(node.type)));
    return false;
  }
  SASH_CHECK(*whole + 1 == tree_.nodes.size());
  return !tokens_.failed();
}

FilterParser::Read FilterParser::Add(FilterNode node) {
  if (auto why = SetType(tree_, node)) return tokens_.Fail(node.position, *std::move(why));
  if (tree_.nodes.size() == FilterTree::kMostNodes) {
    return tokens_.Fail(node.position,
                        fmt::format("the expression has more than {} values and operators; "
                                    "use matches() in place of a long list",
                                    FilterTree::kMostNodes));
  }
  tree_.nodes.push_back(node);
  return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
}

FilterParser::Read FilterParser::AddTwo(Op operation, std::uint32_t position, std::uint32_t left,
                                        Read right) {
  if (!right) return std::nullopt;
  return Add({.operation = operation, .position = position, .first = left, .second = *right});
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
    condition = Add({.operation = Op::kChoose,
                     .position = position,
                     .first = *condition,
                     .second = *yes,
                     .third = *no});
  }
  --depth_;
  return condition;
}

FilterParser::Read FilterParser::Or() {
  Read left = And();
  while (left && tokens_.Sees("||")) {
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    left = AddTwo(Op::kOr, position, *left, And());
  }
  return left;
}

FilterParser::Read FilterParser::And() {
  Read left = Comparison();
  while (left && tokens_.Sees("&&")) {
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    left = AddTwo(Op::kAnd, position, *left, Comparison());
  }
  return left;
}

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
    left = AddTwo(*operation, position, *left, Sum());
  }
  return left;
}

FilterParser::Read FilterParser::Sum() {
  Read left = Product();
  while (left && next().kind == Word::kSign) {
    const auto operation = OperationOf(kSums, next().text);
    if (!operation) break;
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    left = AddTwo(*operation, position, *left, Product());
  }
  return left;
}

FilterParser::Read FilterParser::Product() {
  Read left = Sign();
  while (left && next().kind == Word::kSign) {
    const auto operation = OperationOf(kProducts, next().text);
    if (!operation) break;
    const std::uint32_t position = next().position;
    tokens_.Advance(true);
    left = AddTwo(*operation, position, *left, Sign());
  }
  return left;
}

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
  return Add({.operation = operation, .position = position, .first = *operand});
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
    if (!tokens_.Expect(")", "size() takes no argument behind a point", false)) return std::nullopt;
    return Add({.operation = Op::kSize, .position = name.position, .first = text});
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
  return AddTwo(*operation, name.position, text, argument);
}

FilterParser::Read FilterParser::Matches(const FilterToken& name, std::uint32_t text) {
  if (next().kind != Word::kText) {
    return tokens_.Fail(next().position,
                        "the pattern of matches() must be a string, like \"^pay-\"");
  }
  Result<FilterPattern> pattern = FilterPattern::Make(next().value);
  if (!pattern.ok()) {
    return tokens_.Fail(next().position,
                        fmt::format("this pattern cannot be used: {}; patterns have the "
                                    "syntax of RE2",
                                    pattern.error().message));
  }
  tree_.patterns.push_back(std::move(pattern).value());
  tokens_.Advance(false);
  if (!tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return Add({.operation = Op::kMatches,
              .position = name.position,
              .first = text,
              .second = static_cast<std::uint32_t>(tree_.patterns.size() - 1)});
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
  tree_.lists.push_back(std::move(elements));
  return Add({.operation = Op::kIn,
              .position = position,
              .first = operand,
              .second = static_cast<std::uint32_t>(tree_.lists.size() - 1)});
}

FilterParser::Read FilterParser::Operand() {
  const FilterToken token = next();
  switch (token.kind) {
    case Word::kInteger:
    case Word::kReal:
      return Number(false, token.position);
    case Word::kText:
      tokens_.Advance(false);
      return Constant(token.position, Type::kString,
                      FilterValue::Text(tree_.strings.emplace_back(token.value)));
    case Word::kField:
    case Word::kPointer:
      tokens_.Advance(false);
      return Field(token.position, fields_.OfValue(token));
    case Word::kDollar:
      tokens_.Advance(false);
      return Field(token.position, fields_.OfDollar(token));
    case Word::kName:
      return Word();
    case Word::kSign:
      if (tokens_.Sees("(")) return Parentheses();
      if (tokens_.Sees("[")) return tokens_.Fail(token.position, "a list can stand only after in");
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

FilterParser::Read FilterParser::Number(bool negative, std::uint32_t position) {
  const FilterToken token = next();
  tokens_.Advance(false);
  if (token.kind == Word::kReal) {
    const std::string text = (token.text.front() == '.' ? "0" : "") + std::string(token.text);
    const Result<double> real = ParseReal(text);
    if (!real.ok()) return tokens_.Fail(position, "this number " + real.error().message);
    return Constant(position, Type::kDouble,
                    FilterValue::Real(negative ? -real.value() : real.value()));
  }
  const bool is_hex = token.text.starts_with("0x") || token.text.starts_with("0X");
  const std::string_view digits = token.text.substr(is_hex ? 2 : 0);
  std::uint64_t magnitude = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude, is_hex ? 16 : 10);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (digits.empty() || stop != end || error != std::errc() ||
      magnitude > kMost + (negative ? 1 : 0)) {
    return tokens_.Fail(position,
                        "this number does not fit a 64-bit int; write it with a point to make it "
                        "a double");
  }
  return Constant(
      position, Type::kInt,
      FilterValue::Integer(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)));
}

FilterParser::Read FilterParser::Constant(std::uint32_t position, Type type, FilterValue value) {
  return Add({.type = type, .position = position, .constant = value});
}

FilterParser::Read FilterParser::Word() {
  const FilterToken token = next();
  tokens_.Advance(false);
  if (tokens_.Sees("(")) {
    tokens_.Advance(true);
    return Function(token);
  }
  if (token.text == "true" || token.text == "false") {
    return Constant(token.position, Type::kBool, FilterValue::Bool(token.text == "true"));
  }
  if (token.text == "null") return Constant(token.position, Type::kNull, FilterValue::Null());
  if (token.text == "in") return tokens_.Fail(token.position, "a value is expected before in");
  return Field(token.position, fields_.OfValue(token));
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
  FilterNode node{.operation = *operation, .position = name.position, .first = *argument};
  if (*operation == Op::kToString) node.second = static_cast<std::uint32_t>(tree_.scratches++);
  return Add(node);
}

// Replaces the node of the field.
FilterParser::Read FilterParser::Has(const FilterToken& name) {
  const Read field = Operand();
  if (!field) return std::nullopt;
  if (tree_.nodes[*field].operation != Op::kField) {
    return tokens_.Fail(name.position, "the argument of has() must be a field");
  }
  const FilterNode node{
      .operation = Op::kHas, .position = name.position, .first = tree_.nodes[*field].first};
  tree_.nodes.pop_back();
  if (!tokens_.Expect(")", "close the argument with )", false)) return std::nullopt;
  return Add(node);
}

FilterParser::Read FilterParser::Field(std::uint32_t position, std::optional<FilterField> field) {
  using From = FilterField::From;
  if (!field) return std::nullopt;
  Type type = Type::kString;  // columns, key, headers, topic
  if (field->from == From::kPointer) type = Type::kAny;
  if (field->from == From::kPartition || field->from == From::kTimestamp) type = Type::kInt;
  auto found = std::ranges::find(tree_.fields, *field);
  if (found == tree_.fields.end()) {
    if (tree_.fields.size() == FilterTree::kMostFields) {
      return tokens_.Fail(position, fmt::format("the expression has more than {} different fields",
                                                FilterTree::kMostFields));
    }
    tree_.fields.push_back(*std::move(field));
    found = tree_.fields.end() - 1;
  }
  return Add({.operation = Op::kField,
              .type = type,
              .position = position,
              .first = static_cast<std::uint32_t>(found - tree_.fields.begin())});
}

Result<FilterTree> FilterTree::Parse(std::string_view text, FilterFields fields) {
  FilterParser parser(text, fields);
  if (!parser.Parse()) return parser.error();
  return std::move(parser).tree();
}

}  // namespace sash
