#include "windows/ingest/end_point_counts.h"

#include <vector>

#include "windows/base/radix_sort.h"

namespace sash {

CodedCounts CountEndPoints(const Slice& slice) {
  std::vector<VertexId> ends;
  ends.reserve(2 * slice.size());
  ends.insert(ends.end(), slice.sources.begin(), slice.sources.end());
  ends.insert(ends.end(), slice.targets.begin(), slice.targets.end());
  RadixSort(ends, [](VertexId vertex) { return vertex; });
  CodedCounts counts;
  for (std::size_t i = 0; i < ends.size();) {
    std::size_t next = i + 1;
    while (next < ends.size() && ends[next] == ends[i]) ++next;
    counts.Append(ends[i], static_cast<std::uint32_t>(next - i));
    i = next;
  }
  counts.ShrinkToFit();
  return counts;
}

}  // namespace sash
