#include "connectors/codec/filter/filter_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/codec/filter/filter_types.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

using ValueKind = FilterValue::Kind;
using Op = FilterOperation;

constexpr unsigned kFailureShift = 32;

std::string ShownText(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\"", Beginning(text, kLongest));
}

std::string WrittenName(const FilterField& field) {
  switch (field.from) {
    case FilterField::From::kPointer:
    case FilterField::From::kColumnName:
    case FilterField::From::kMember:
      return field.name;
    case FilterField::From::kColumnNumber:
      return fmt::format("${}", field.number);
    case FilterField::From::kKey:
      return "$key";
    case FilterField::From::kAttribute:
    case FilterField::From::kHeader:
      return "$header." + field.name;
    case FilterField::From::kTopic:
      return "$topic";
    case FilterField::From::kPartition:
      return "$partition";
    case FilterField::From::kTimestamp:
      break;
  }
  return "$timestamp";
}

// The field that is the operand without a value; empty: it is not a field.
std::string MissingField(const FilterTree& tree, const FilterNode& node, ValueKind left) {
  const FilterNode& operand = tree.nodes[left == ValueKind::kNull ? node.first : node.second];
  return operand.operation == Op::kField ? WrittenName(tree.fields[operand.first]) : std::string();
}

bool HasTwoValues(Op operation) {
  return operation != Op::kNot && operation != Op::kNegate && operation != Op::kChoose &&
         operation != Op::kMatches && (operation < Op::kToInt || operation > Op::kSize);
}

}  // namespace

FilterRun::FilterRun(std::shared_ptr<const FilterTree> tree)
    : tree_(std::move(tree)),
      nodes_(tree_->nodes.data()),
      root_(static_cast<std::uint32_t>(tree_->nodes.size() - 1)),
      scratches_(tree_->scratches) {
  for (const std::vector<std::uint32_t>& list : tree_->lists) {
    has_only_texts_.push_back(std::ranges::all_of(list, [this](std::uint32_t element) {
      return nodes_[element].operation == Op::kConstant &&
             nodes_[element].constant.Is(ValueKind::kText);
    }));
  }
}

FilterRun::Verdict FilterRun::Judge(std::span<const FilterValue> fields) {
  fields_ = fields;
  const Truth truth = TruthOf(root_);
  if (truth != Truth::kUnknown) {
    return truth == Truth::kTrue ? Verdict::kPasses : Verdict::kFiltered;
  }
  result_ = ValueOf(root_, result_);
  if (result_.Is(ValueKind::kBool)) {
    return result_.boolean() ? Verdict::kPasses : Verdict::kFiltered;
  }
  if (!result_.Is(ValueKind::kFailure)) {
    Fail(nodes_[root_], FilterFailure::kNotBool, FilterValue(result_), FilterValue::Null(),
         result_);
  }
  return Verdict::kFails;
}

void FilterRun::Compute(const FilterNode& node, FilterValue& out) {
  switch (node.operation) {
    case Op::kHas:
      out = FilterValue::Bool(!fields_[node.first].Is(ValueKind::kNull));
      return;
    case Op::kAnd:
      return Logic(node, false, out);
    case Op::kOr:
      return Logic(node, true, out);
    case Op::kIn:
      return In(node, out);
    case Op::kChoose:
      return Choose(node, out);
    default:
      return HasTwoValues(node.operation) ? OfTwo(node, out) : OfOne(node, out);
  }
}

void FilterRun::OfOne(const FilterNode& node, FilterValue& out) {
  FilterValue room;
  const FilterValue& value = ValueOf(node.first, room);
  const FilterFailure failure =
      value.Is(ValueKind::kNull) ? FilterFailure::kNull : FilterFailure::kUnlike;
  std::array<char, kFilterScratch> no_text;
  switch (node.operation) {
    case Op::kNot:
      if (value.Is(ValueKind::kBool)) {
        out = FilterValue::Bool(!value.boolean());
        return;
      }
      return Fail(node, failure, value, FilterValue::Null(), out);
    case Op::kMatches:
      if (value.Is(ValueKind::kText)) {
        out = FilterValue::Bool(tree_->patterns[node.second].Matches(value.text));
        return;
      }
      return Fail(node, failure, value, FilterValue::Null(), out);
    case Op::kNegate:
      return Take(node, Negate(value), value, FilterValue::Null(), out);
    case Op::kSize:
      return Take(node, AskText(node.operation, value, FilterValue::Null()), value,
                  FilterValue::Null(), out);
    case Op::kToString:
      return Take(node, Convert(node.operation, value, scratches_[node.second]), value,
                  FilterValue::Null(), out);
    case Op::kToDouble:
      if (value.Is(ValueKind::kReal)) {  // mostly
        out = value;
        return;
      }
      [[fallthrough]];
    default:
      return Take(node, Convert(node.operation, value, no_text), value, FilterValue::Null(), out);
  }
}

void FilterRun::OfTwo(const FilterNode& node, FilterValue& out) {
  FilterValue left_room;
  const FilterValue& left = ValueOf(node.first, left_room);
  FilterValue right_room;
  const FilterValue& right = ValueOf(node.second, right_room);
  if (node.operation <= Op::kSubtract) {
    return Take(node, Calculate(node.operation, left, right), left, right, out);
  }
  if (node.operation <= Op::kUnequal) {
    return Take(node, CompareValues(node.operation, left, right), left, right, out);
  }
  Take(node, AskText(node.operation, left, right), left, right, out);
}

// && when false is decisive, || when true is.
void FilterRun::Logic(const FilterNode& node, bool decisive, FilterValue& out) {
  const FilterValue& left = ValueOf(node.first, out);
  const bool is_left_bool = left.Is(ValueKind::kBool);
  if (is_left_bool && left.boolean() == decisive) {
    out = FilterValue::Bool(decisive);
    return;
  }
  FilterValue room;
  const FilterValue& right = ValueOf(node.second, room);
  const bool is_right_bool = right.Is(ValueKind::kBool);
  if (is_right_bool && (is_left_bool || right.boolean() == decisive)) {
    out = FilterValue::Bool(right.boolean());
    return;
  }
  const FilterValue& wrong = is_left_bool ? right : left;
  Fail(node, wrong.Is(ValueKind::kNull) ? FilterFailure::kNull : FilterFailure::kUnlike,
       FilterValue(left), right, out);
}

// All elements are looked at, because an element without a value leaves the list without one.
void FilterRun::In(const FilterNode& node, FilterValue& out) {
  FilterValue left_room;
  const FilterValue& left = ValueOf(node.first, left_room);
  bool found = false;
  FilterValue right_room;
  for (const std::uint32_t element : tree_->lists[node.second]) {
    const FilterValue& right = ValueOf(element, right_room);
    if (left.Is(ValueKind::kText) && right.Is(ValueKind::kText)) {
      found = found || left.text == right.text;
      continue;
    }
    if (found && !right.Is(ValueKind::kFailure)) continue;
    const FilterOutcome equal = CompareValues(Op::kEqual, left, right);
    if (equal.failure) return Fail(node, *equal.failure, left, right, out);
    found = equal.value.boolean();
  }
  out = left.Is(ValueKind::kFailure) ? left : FilterValue::Bool(found);
}

void FilterRun::Choose(const FilterNode& node, FilterValue& out) {
  FilterValue room;
  const FilterValue& condition = ValueOf(node.first, room);
  if (condition.Is(ValueKind::kBool)) {
    out = ValueOf(condition.boolean() ? node.second : node.third, out);
    return;
  }
  Fail(node, condition.Is(ValueKind::kNull) ? FilterFailure::kNull : FilterFailure::kUnlike,
       condition, FilterValue::Null(), out);
}

void FilterRun::Take(const FilterNode& node, const FilterOutcome& outcome, const FilterValue& left,
                     const FilterValue& right, FilterValue& out) const {
  if (outcome.failure) return Fail(node, *outcome.failure, left, right, out);
  out = outcome.value;
}

// An operand that failed earlier is the reason.
void FilterRun::Fail(const FilterNode& node, FilterFailure failure, const FilterValue& left,
                     const FilterValue& right, FilterValue& out) const {
  for (const FilterValue* const operand : {&left, &right}) {
    if (!operand->Is(ValueKind::kFailure)) continue;
    out = FilterValue(*operand);
    return;
  }
  FilterValue made = FilterValue::Of(ValueKind::kFailure);
  made.bits = static_cast<std::uint64_t>(&node - nodes_) | static_cast<std::uint64_t>(failure)
                                                               << kFailureShift;
  made.left = left.kind;
  made.right = right.kind;
  made.text = left.text;
  out = made;
}

std::string FilterRun::WhyFailed() const {
  const FilterNode& node = nodes_[result_.bits & 0xFFFFFFFFu];
  const std::string_view name = Name(node.operation);
  const std::string place = FilterPlace(tree_->text, node.position);
  switch (static_cast<FilterFailure>(result_.bits >> kFailureShift)) {
    case FilterFailure::kNull: {
      const std::string field = MissingField(*tree_, node, result_.left);
      return fmt::format("{}: {} does not take null{}; guard the field, as in has({}) && ...",
                         place, name,
                         field.empty() ? std::string() : fmt::format(", and {} is missing", field),
                         field.empty() ? "..." : field);
    }
    case FilterFailure::kUnlike:
      if (HasTwoValues(node.operation)) {
        return fmt::format(
            "{}: {} does not take {} and {}; convert one with int(), double() or "
            "string()",
            place, name, Name(result_.left), Name(result_.right));
      }
      return fmt::format("{}: {} does not take {}", place, name, Name(result_.left));
    case FilterFailure::kOverflow:
      return fmt::format("{}: the result of {} does not fit a 64-bit int; convert to double()",
                         place, name);
    case FilterFailure::kByZero:
      return fmt::format("{}: {} divides by zero; guard it, as in b != 0 && a {} b > 1", place,
                         name, name);
    case FilterFailure::kUnreadable:
      return fmt::format(
          "{}: {} cannot read {}; leave such texts out before it, as in /a.matches(\"^[0-9]+$\") "
          "&& ...",
          place, name, ShownText(result_.text));
    case FilterFailure::kNotBool:
      break;
  }
  return fmt::format("{}: the expression is {}, and it must be true or false", place,
                     Name(result_.left));
}

}  // namespace sash
