#include "windows/jobs/groups.h"

namespace sash {

void NameByLeastKey(std::span<const VertexId> vertices, const VertexDictionary& keys,
                    std::vector<VertexId>& groups) {
  std::vector<VertexId> least(groups.size(), kNoVertex);  // by the earlier name of the set
  for (const VertexId v : vertices) {
    VertexId& name = least[groups[v]];
    if (name == kNoVertex || keys.KeyLess(v, name)) name = v;
  }
  for (const VertexId v : vertices) groups[v] = least[groups[v]];
}

GroupSizes CountMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups) {
  GroupSizes counted;
  counted.sizes.resize(groups.size());
  for (const VertexId v : vertices) ++counted.sizes[groups[v]];
  for (const VertexId v : vertices) {
    if (counted.sizes[v] > 0) counted.groups.push_back(v);
  }
  return counted;
}

}  // namespace sash
