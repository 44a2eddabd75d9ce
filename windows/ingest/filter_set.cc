#include "windows/ingest/filter_set.h"

#include <algorithm>
#include <string>

namespace sash {
namespace {

bool IsIn(const std::string& filter, const FilterTexts& filters) {
  return std::ranges::find(filters, filter) != filters.end();
}

}  // namespace

std::optional<FilterSet> NextSet(const FilterSet& now, const FilterTexts& held,
                                 const FilterTexts& wanted) {
  FilterSet next{.generation = now.generation + 1, .texts = now.texts};
  for (const std::string& filter : wanted) {
    if (IsIn(filter, next.texts)) continue;
    const auto unused = std::ranges::find_if(next.texts, [&](const std::string& known) {
      return !IsIn(known, held) && !IsIn(known, wanted);
    });
    if (unused == next.texts.end()) {
      next.texts.push_back(filter);
    } else {
      *unused = filter;
    }
  }
  if (next.texts.size() > kMostFilters) return std::nullopt;
  return next;
}

}  // namespace sash
