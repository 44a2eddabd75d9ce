// FilterRun: judges records by an expression. A record passes when the expression is true, and is
// filtered when it is false. If the expression has no value, the record is refused.
//
// && and || have a value when one side decides it, even if the other side has none; as in CEL.
//
// A record is judged by truth alone first, which decides most expressions for most records
// (filter_truth.cc). Only if it does not, the record is judged again with all values, which say
// what failed (filter_run.cc).
//
// Thread safety: belongs to one thread, because it has scratch space; the tree is shared.
//
// Invariant: (1) Judge() does not allocate, except for the automata of matches() (FilterPattern).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_tree.h"
#include "connectors/codec/filter/filter_values.h"

namespace sash {

class FilterRun {
 public:
  enum class Verdict : std::uint8_t { kPasses, kFiltered, kFails };

  explicit FilterRun(std::shared_ptr<const FilterTree> tree);

  // What the record must be asked for: Judge() takes the values in this order.
  const std::vector<FilterField>& fields() const { return tree_->fields; }

  // The texts of `fields` must exist until WhyFailed() has been asked.
  Verdict Judge(std::span<const FilterValue> fields);

  // After kFails: where the expression failed, why, and what would be right.
  std::string WhyFailed() const;

 private:
  enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

  // Whether a node is true; unknown when its value is not a bool.
  Truth TruthOf(std::uint32_t number);
  static Truth TruthOf(const FilterValue& value) {
    if (!value.Is(FilterValue::Kind::kBool)) return Truth::kUnknown;
    return value.boolean() ? Truth::kTrue : Truth::kFalse;
  }
  Truth TruthOfOther(std::uint32_t number);
  Truth TruthOfLogic(const FilterNode& node, Truth decisive);
  Truth TruthOfComparison(const FilterNode& node);
  Truth TruthOfIn(const FilterNode& node);

  // The value of a node; it is written to `room` unless it exists elsewhere.
  const FilterValue& ValueOf(std::uint32_t number, FilterValue& room) {
    const FilterNode& node = nodes_[number];
    if (node.operation == FilterOperation::kConstant) return node.constant;
    if (node.operation == FilterOperation::kField) {
      const FilterValue& field = fields_[node.first];
      if (!field.Is(FilterValue::Kind::kNumeral)) return field;
      room = ReadNumeral(field.text);
    } else {
      Compute(node, room);
    }
    return room;
  }
  // The values of operations. Their operands may be in `out`, until it is written.
  void Compute(const FilterNode& node, FilterValue& out);
  void OfOne(const FilterNode& node, FilterValue& out);
  void OfTwo(const FilterNode& node, FilterValue& out);
  void Logic(const FilterNode& node, bool decisive, FilterValue& out);
  void In(const FilterNode& node, FilterValue& out);
  void Choose(const FilterNode& node, FilterValue& out);
  void Take(const FilterNode& node, const FilterOutcome& outcome, const FilterValue& left,
            const FilterValue& right, FilterValue& out) const;
  void Fail(const FilterNode& node, FilterFailure failure, const FilterValue& left,
            const FilterValue& right, FilterValue& out) const;

  const std::shared_ptr<const FilterTree> tree_;
  const FilterNode* const nodes_;  // of the tree
  const std::uint32_t root_;
  std::vector<std::array<char, kFilterScratch>> scratches_;
  std::vector<bool> has_only_texts_;  // of a list: constants that are texts, which cannot fail
  std::span<const FilterValue> fields_;
  FilterValue result_;  // of the last Judge()
};

}  // namespace sash
