// TypeFilters: filters of windows that judge an edge by its type alone. Unlike an expression, which
// needs the record, they can judge events that came before them.
//
// Thread safety: plain values.
//
// Invariant: (1) they judge as a source does: an add passes if its type is one of the filter's, and
// so does a removal that has a type; every other removal passes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/type_column.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// Whether the filter of this text (FilterText()) judges by types alone.
bool JudgesByTypesAlone(std::string_view text);

class TypeFilters {
 public:
  TypeFilters() = default;
  // Those of `some` that judge by types alone.
  TypeFilters(const FilterTexts& filters, FilterBits some);

  FilterBits bits() const { return bits_; }
  // Those that an event of type `word` passes. An empty word: the event has no type.
  FilterBits Of(Operation operation, std::string_view word) const {
    return PassesAny(operation, !word.empty()) ? bits_ : OfWord(word);
  }
  // Whether such an event passes the filters without a look at its type.
  static bool PassesAny(Operation operation, bool has_type) {
    return operation == Operation::kRemoveVertex || (operation == Operation::kRemove && !has_type);
  }
  FilterBits OfWord(std::string_view word) const;

 private:
  FilterBits bits_ = 0;
  std::vector<std::pair<std::string, FilterBits>> words_;  // ascending
};

// The same where types are numbers.
class NumberedTypeFilters {
 public:
  NumberedTypeFilters() = default;
  // `words`: the types by number - 1. Numbers of events are among them.
  NumberedTypeFilters(const TypeFilters& filters, std::span<const std::string> words);

  FilterBits bits() const { return bits_; }
  FilterBits Of(Operation operation, TypeNumber type) const {
    return TypeFilters::PassesAny(operation, type != kNoType) ? bits_ : by_number_[type];
  }

 private:
  FilterBits bits_ = 0;
  std::vector<FilterBits> by_number_{0};
};

}  // namespace sash
