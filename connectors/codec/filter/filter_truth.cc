// FilterRun by truth alone: it makes no values of bools, which would cost more than comparing.
#include "connectors/codec/filter/filter_run.h"

namespace sash {
namespace {

using ValueKind = FilterValue::Kind;
using Op = FilterOperation;

// A text of the record and a text of the expression; short ones, mostly.
bool AreEqual(std::string_view left, std::string_view right) {
  return left.size() == right.size() && left == right;
}

}  // namespace

FilterRun::Truth FilterRun::TruthOf(std::uint32_t number) {
  const FilterNode& node = nodes_[number];
  switch (node.operation) {
    case Op::kAnd:
      return TruthOfLogic(node, Truth::kFalse);
    case Op::kOr:
      return TruthOfLogic(node, Truth::kTrue);
    case Op::kNot: {
      const Truth truth = TruthOf(node.first);
      if (truth == Truth::kUnknown) return truth;
      return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
    }
    case Op::kHas:
      return fields_[node.first].Is(ValueKind::kNull) ? Truth::kFalse : Truth::kTrue;
    case Op::kIn:
      return TruthOfIn(node);
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
    case Op::kEqual:
    case Op::kUnequal:
      return TruthOfComparison(node);
    default:
      return TruthOfOther(number);
  }
}

FilterRun::Truth FilterRun::TruthOfOther(std::uint32_t number) {
  FilterValue room;
  return TruthOf(ValueOf(number, room));
}

FilterRun::Truth FilterRun::TruthOfLogic(const FilterNode& node, Truth decisive) {
  const Truth left = TruthOf(node.first);
  if (left == decisive) return left;
  const Truth right = TruthOf(node.second);
  if (right == decisive) return right;
  return left == Truth::kUnknown ? left : right;
}

FilterRun::Truth FilterRun::TruthOfComparison(const FilterNode& node) {
  FilterValue left_room;
  const FilterValue& left = ValueOf(node.first, left_room);
  FilterValue right_room;
  const FilterValue& right = ValueOf(node.second, right_room);
  bool holds = false;
  if (left.Is(ValueKind::kReal) && right.Is(ValueKind::kReal)) {
    holds = CompareAlike(node.operation, left.real(), right.real());
  } else if (left.Is(ValueKind::kInteger) && right.Is(ValueKind::kInteger)) {
    holds = CompareAlike(node.operation, left.integer(), right.integer());
  } else if (left.Is(ValueKind::kText) && right.Is(ValueKind::kText)) {
    holds = CompareAlike(node.operation, left.text, right.text);
  } else {
    const FilterOutcome outcome = CompareValues(node.operation, left, right);
    if (outcome.failure) return Truth::kUnknown;  // OfTwo() says which one
    holds = outcome.value.boolean();
  }
  return holds ? Truth::kTrue : Truth::kFalse;
}

FilterRun::Truth FilterRun::TruthOfIn(const FilterNode& node) {
  FilterValue room;
  const FilterValue& left = ValueOf(node.first, room);
  if (!left.Is(ValueKind::kText) || !has_only_texts_[node.second]) {
    In(node, room);
    return TruthOf(room);
  }
  for (const std::uint32_t element : tree_->lists[node.second]) {
    if (AreEqual(left.text, nodes_[element].constant.text)) return Truth::kTrue;
  }
  return Truth::kFalse;
}

}  // namespace sash
