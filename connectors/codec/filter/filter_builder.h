// FilterBuilder: adds the nodes of an expression to its tree, with their types. Says what cannot be
// added to the FilterTokens.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_lexer.h"
#include "connectors/codec/filter/filter_tokens.h"
#include "connectors/codec/filter/filter_tree.h"

namespace sash {

class FilterBuilder {
 public:
  // The number of a node; none after a failure.
  using Node = std::optional<std::uint32_t>;

  // `tokens` outlives the builder.
  FilterBuilder(std::string_view text, FilterTokens& tokens) : tokens_(tokens) {
    tree_.text = text;
  }

  // `position`: FilterNode::position.
  Node Add(FilterNode node);
  Node AddTwo(FilterOperation operation, std::uint32_t position, std::uint32_t left, Node right);
  Node AddConstant(std::uint32_t position, FilterType type, FilterValue value);
  Node AddText(std::uint32_t position, std::string_view text);
  // A token of a number; `negative`: there is a sign before it.
  Node AddNumber(std::uint32_t position, const FilterToken& token, bool negative);
  Node AddField(std::uint32_t position, std::optional<FilterField> field);
  // has() replaces the node of the field, which was added last.
  Node AddHas(std::uint32_t position, std::uint32_t field);
  Node AddIn(std::uint32_t position, std::uint32_t operand, std::vector<std::uint32_t> elements);
  Node AddFunction(std::uint32_t position, FilterOperation operation, std::uint32_t argument);
  // Returns the number of the pattern, which is not a node.
  std::optional<std::uint32_t> AddPattern(const FilterToken& text);

  const FilterTree& tree() const { return tree_; }
  FilterTree TakeTree() && { return std::move(tree_); }

 private:
  FilterTree tree_;
  FilterTokens& tokens_;
};

}  // namespace sash
