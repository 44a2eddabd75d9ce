#include "connectors/codec/filter/filter_types.h"

#include <fmt/format.h>

namespace sash {
namespace {

using Op = FilterOperation;
using Type = FilterType;

// `null` may stand for a value of every type.
bool May(Type type, Type wanted) {
  return type == Type::kAny || type == Type::kNull || type == wanted;
}
bool MayBeNumber(Type type) { return May(type, Type::kInt) || May(type, Type::kDouble); }

// Whether values of the two types can be compared. An int and a double can.
bool Comparable(Type left, Type right) {
  return May(left, right) || May(right, left) || (MayBeNumber(left) && MayBeNumber(right));
}

std::string Unfit(Op operation, Type type, std::string_view remedy) {
  return fmt::format("{} does not take {}; {}", Name(operation), Name(type), remedy);
}

std::optional<std::string> SetLogic(Op operation, Type left, Type right, FilterNode& node) {
  node.type = Type::kBool;
  for (const Type type : {left, right}) {
    if (!MayBeBool(type)) return Unfit(operation, type, "write a comparison there");
  }
  return std::nullopt;
}

std::optional<std::string> SetArithmetic(Op operation, Type left, Type right, FilterNode& node) {
  for (const Type type : {left, right}) {
    if (type != Type::kNull && MayBeNumber(type)) continue;
    return Unfit(operation, type,
                 type == Type::kString ? "convert the string with int() or double()"
                                       : "give numbers on both sides");
  }
  if (left != right && left != Type::kAny && right != Type::kAny) {
    return fmt::format(
        "{} takes numbers of one type, not {} and {}; convert one with int() or "
        "double()",
        Name(operation), Name(left), Name(right));
  }
  node.type = left == Type::kAny ? right : left;
  if (operation == Op::kRemainder && node.type == Type::kDouble) {
    return Unfit(operation, node.type, "convert it with int()");
  }
  return std::nullopt;
}

std::optional<std::string> SetComparison(Op operation, Type left, Type right, FilterNode& node) {
  node.type = Type::kBool;
  if (Comparable(left, right)) return std::nullopt;
  return fmt::format("{} cannot compare {} with {}; convert one with int(), double() or string()",
                     Name(operation), Name(left), Name(right));
}

std::optional<std::string> SetIn(const FilterTree& tree, FilterNode& node) {
  node.type = Type::kBool;
  const Type left = tree.nodes[node.first].type;
  for (const std::uint32_t element : tree.lists[node.second]) {
    const Type right = tree.nodes[element].type;
    if (Comparable(left, right)) continue;
    return fmt::format(
        "in looks for {}, and the list holds {}; convert one with int(), double() "
        "or string()",
        Name(left), Name(right));
  }
  return std::nullopt;
}

std::optional<std::string> SetChoice(const FilterTree& tree, FilterNode& node) {
  const Type condition = tree.nodes[node.first].type;
  const Type yes = tree.nodes[node.second].type;
  const Type no = tree.nodes[node.third].type;
  if (!MayBeBool(condition)) {
    return Unfit(node.operation, condition, "write a comparison before the ?");
  }
  node.type = yes == no ? yes : Type::kAny;
  if (May(yes, no) || May(no, yes)) return std::nullopt;
  return fmt::format("both sides of the : must have one type, not {} and {}", Name(yes), Name(no));
}

std::optional<std::string> SetText(const FilterTree& tree, FilterNode& node) {
  node.type = node.operation == Op::kSize ? Type::kInt : Type::kBool;
  const Type text = tree.nodes[node.first].type;
  if (text == Type::kNull || !May(text, Type::kString)) {
    return Unfit(node.operation, text, "convert it with string()");
  }
  const bool has_argument = node.operation == Op::kStartsWith || node.operation == Op::kEndsWith ||
                            node.operation == Op::kContains;
  if (!has_argument) return std::nullopt;
  const Type argument = tree.nodes[node.second].type;
  if (argument != Type::kNull && May(argument, Type::kString)) return std::nullopt;
  return Unfit(node.operation, argument, "its argument is a string");
}

}  // namespace

std::optional<std::string> SetType(const FilterTree& tree, FilterNode& node) {
  const auto type = [&tree](std::uint32_t number) { return tree.nodes[number].type; };
  switch (node.operation) {
    case Op::kConstant:
    case Op::kField:
      return std::nullopt;  // the parser knows it
    case Op::kHas:
      node.type = Type::kBool;
      return std::nullopt;
    case Op::kNot:
      node.type = Type::kBool;
      if (MayBeBool(type(node.first))) return std::nullopt;
      return Unfit(Op::kNot, type(node.first), "write a comparison in parentheses after it");
    case Op::kNegate:
      node.type = type(node.first);
      if (node.type != Type::kNull && MayBeNumber(node.type)) return std::nullopt;
      return Unfit(Op::kNegate, node.type, "convert it with int() or double()");
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kAdd:
    case Op::kSubtract:
      return SetArithmetic(node.operation, type(node.first), type(node.second), node);
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
    case Op::kEqual:
    case Op::kUnequal:
      return SetComparison(node.operation, type(node.first), type(node.second), node);
    case Op::kIn:
      return SetIn(tree, node);
    case Op::kAnd:
    case Op::kOr:
      return SetLogic(node.operation, type(node.first), type(node.second), node);
    case Op::kChoose:
      return SetChoice(tree, node);
    case Op::kToInt:
      node.type = Type::kInt;
      break;
    case Op::kToDouble:
      node.type = Type::kDouble;
      break;
    case Op::kToString:
      node.type = Type::kString;
      return std::nullopt;
    case Op::kToBool:
      node.type = Type::kBool;
      if (MayBeNumber(type(node.first)) && !May(type(node.first), Type::kBool)) {
        return Unfit(Op::kToBool, type(node.first), "compare the number with another one");
      }
      return std::nullopt;
    case Op::kSize:
    case Op::kStartsWith:
    case Op::kEndsWith:
    case Op::kContains:
    case Op::kMatches:
      return SetText(tree, node);
  }
  if (type(node.first) != Type::kBool) return std::nullopt;
  return Unfit(node.operation, Type::kBool, "write a condition, as in a ? 1 : 0");
}

std::string_view Name(FilterOperation operation) {
  switch (operation) {
    case Op::kConstant:
    case Op::kField:
      return "a value";
    case Op::kHas:
      return "has()";
    case Op::kNot:
      return "!";
    case Op::kNegate:
    case Op::kSubtract:
      return "-";
    case Op::kMultiply:
      return "*";
    case Op::kDivide:
      return "/";
    case Op::kRemainder:
      return "%";
    case Op::kAdd:
      return "+";
    case Op::kLess:
      return "<";
    case Op::kLessOrEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterOrEqual:
      return ">=";
    case Op::kEqual:
      return "==";
    case Op::kUnequal:
      return "!=";
    case Op::kIn:
      return "in";
    case Op::kAnd:
      return "&&";
    case Op::kOr:
      return "||";
    case Op::kChoose:
      return "? :";
    case Op::kToInt:
      return "int()";
    case Op::kToDouble:
      return "double()";
    case Op::kToString:
      return "string()";
    case Op::kToBool:
      return "bool()";
    case Op::kSize:
      return "size()";
    case Op::kStartsWith:
      return "startsWith()";
    case Op::kEndsWith:
      return "endsWith()";
    case Op::kContains:
      return "contains()";
    case Op::kMatches:
      break;
  }
  return "matches()";
}

std::string_view Name(FilterType type) {
  switch (type) {
    case Type::kAny:
      return "a field";
    case Type::kNull:
      return "null";
    case Type::kBool:
      return "a bool";
    case Type::kInt:
      return "an int";
    case Type::kDouble:
      return "a double";
    case Type::kString:
      break;
  }
  return "a string";
}

}  // namespace sash
