#include "windows/ingest/type_filters.h"

#include <algorithm>
#include <map>

#include "windows/ingest/window_filter.h"

namespace sash {

bool JudgesByTypesAlone(std::string_view text) {
  const WindowFilter filter = ParseFilterText(text);
  return !filter.types.empty() && filter.where.empty();
}

TypeFilters::TypeFilters(const FilterTexts& filters, FilterBits some) {
  std::map<std::string, FilterBits> words;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const FilterBits bit = FilterBits{1} << i;
    if ((some & bit) == 0 || !JudgesByTypesAlone(filters[i])) continue;
    bits_ |= bit;
    for (std::string& word : ParseFilterText(filters[i]).types) words[std::move(word)] |= bit;
  }
  words_.assign(words.begin(), words.end());
}

FilterBits TypeFilters::OfWord(std::string_view word) const {
  const auto known = std::ranges::lower_bound(
      words_, word, {}, [](const auto& one) { return std::string_view(one.first); });
  return known == words_.end() || known->first != word ? 0 : known->second;
}

NumberedTypeFilters::NumberedTypeFilters(const TypeFilters& filters,
                                         std::span<const std::string> words)
    : bits_(filters.bits()) {
  by_number_.reserve(words.size() + 1);
  for (const std::string& word : words) by_number_.push_back(filters.OfWord(word));
}

}  // namespace sash
