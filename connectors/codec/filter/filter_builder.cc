#include "connectors/codec/filter/filter_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "connectors/codec/filter/filter_pattern.h"
#include "connectors/codec/filter/filter_types.h"
#include "connectors/codec/number_text.h"

namespace sash {
namespace {

using Op = FilterOperation;
using Type = FilterType;

}  // namespace

FilterBuilder::Node FilterBuilder::Add(FilterNode node) {
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

FilterBuilder::Node FilterBuilder::AddTwo(Op operation, std::uint32_t position, std::uint32_t left,
                                          Node right) {
  if (!right) return std::nullopt;
  return Add({.operation = operation, .position = position, .first = left, .second = *right});
}

FilterBuilder::Node FilterBuilder::AddConstant(std::uint32_t position, Type type,
                                               FilterValue value) {
  return Add({.type = type, .position = position, .constant = value});
}

FilterBuilder::Node FilterBuilder::AddText(std::uint32_t position, std::string_view text) {
  return AddConstant(position, Type::kString, FilterValue::Text(tree_.strings.emplace_back(text)));
}

FilterBuilder::Node FilterBuilder::AddNumber(std::uint32_t position, const FilterToken& token,
                                             bool negative) {
  if (token.kind == FilterToken::Kind::kReal) {
    const std::string text = (token.text.front() == '.' ? "0" : "") + std::string(token.text);
    const Result<double> real = ParseReal(text);
    if (!real.ok()) return tokens_.Fail(position, "this number " + real.error().message);
    return AddConstant(position, Type::kDouble,
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
  return AddConstant(
      position, Type::kInt,
      FilterValue::Integer(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)));
}

FilterBuilder::Node FilterBuilder::AddField(std::uint32_t position,
                                            std::optional<FilterField> field) {
  using From = FilterField::From;
  if (!field) return std::nullopt;
  Type type = Type::kString;  // columns, key, headers, topic
  if (field->from == From::kPointer || field->from == From::kMember) type = Type::kAny;
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

FilterBuilder::Node FilterBuilder::AddHas(std::uint32_t position, std::uint32_t field) {
  const FilterNode node{
      .operation = Op::kHas, .position = position, .first = tree_.nodes[field].first};
  tree_.nodes.pop_back();
  return Add(node);
}

FilterBuilder::Node FilterBuilder::AddIn(std::uint32_t position, std::uint32_t operand,
                                         std::vector<std::uint32_t> elements) {
  tree_.lists.push_back(std::move(elements));
  return Add({.operation = Op::kIn,
              .position = position,
              .first = operand,
              .second = static_cast<std::uint32_t>(tree_.lists.size() - 1)});
}

FilterBuilder::Node FilterBuilder::AddFunction(std::uint32_t position, Op operation,
                                               std::uint32_t argument) {
  FilterNode node{.operation = operation, .position = position, .first = argument};
  if (operation == Op::kToString) node.second = static_cast<std::uint32_t>(tree_.scratches++);
  return Add(node);
}

std::optional<std::uint32_t> FilterBuilder::AddPattern(const FilterToken& text) {
  Result<FilterPattern> pattern = FilterPattern::Make(text.value);
  if (!pattern.ok()) {
    return tokens_.Fail(text.position,
                        fmt::format("this pattern cannot be used: {}; patterns have the "
                                    "syntax of RE2",
                                    pattern.error().message));
  }
  tree_.patterns.push_back(std::move(pattern).value());
  return static_cast<std::uint32_t>(tree_.patterns.size() - 1);
}

}  // namespace sash
