#include "windows/ingest/passing_part.h"

#include <algorithm>
#include <cstddef>

namespace sash {
namespace {

// Adds the `size` events `i` of the slice for which passes(i).
template <typename Passes>
void Take(const Slice& whole, std::size_t size, const Passes& passes, Slice& part) {
  part.sources.reserve(size);
  part.targets.reserve(size);
  if (!whole.operations.empty()) part.operations.reserve(size);
  part.weights = WeightColumn(size, whole.weights.kind());
  part.types = TypeColumn(size, whole.types.width());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (!passes(i)) continue;
    part.weights.Set(part.sources.size(), whole.weights[i]);
    part.types.Set(part.sources.size(), whole.types[i]);
    part.sources.push_back(whole.sources[i]);
    part.targets.push_back(whole.targets[i]);
    if (!whole.operations.empty()) part.operations.push_back(whole.operations[i]);
  }
}

}  // namespace

std::shared_ptr<const Slice> PassingPart(const std::shared_ptr<const Slice>& slice,
                                         FilterBits filter) {
  const Slice& whole = *slice;
  if (filter == kNoFilter || whole.passes.empty()) return slice;
  const auto passes = [filter](FilterBits bits) { return (bits & filter) != 0; };
  const auto size = static_cast<std::size_t>(std::ranges::count_if(whole.passes, passes));
  if (size == whole.size()) return slice;
  auto part = std::make_shared<Slice>();
  part->id = whole.id;
  part->begin = whole.begin;
  part->end = whole.end;
  Take(
      whole, size, [&](std::size_t i) { return passes(whole.passes[i]); }, *part);
  return part;
}

void TakePassing(const Slice& slice, const NumberedTypeFilters& filters, Slice& part) {
  const auto passes = [&](std::size_t i) {
    return filters.Of(slice.operation(i), slice.types[i]) != 0;
  };
  std::size_t size = 0;
  for (std::size_t i = 0; i < slice.size(); ++i) size += passes(i) ? 1 : 0;
  Take(slice, size, passes, part);
}

FilterBits PassedByAny(const Slice& slice) {
  if (slice.passes.empty()) return slice.size() > 0 ? kPassesAll : 0;
  FilterBits passed = 0;
  for (const FilterBits bits : slice.passes) passed |= bits;
  return passed;
}

}  // namespace sash
