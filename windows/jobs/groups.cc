#include "windows/jobs/groups.h"

#include <utility>

#include "windows/jobs/key_page.h"

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

MembersPage PageOfMembers(std::span<const VertexId> vertices, const std::vector<VertexId>& groups,
                          VertexId set, const std::optional<VertexKey>& after, std::size_t count,
                          const VertexDictionary& keys) {
  KeyPage first(keys, after, count);
  std::uint64_t size = 0;
  for (const VertexId v : vertices) {
    if (groups[v] != set) continue;
    ++size;
    first.Add(v);
  }
  const std::uint64_t following = first.following();
  return {.size = size, .following = following, .members = std::move(first).Take()};
}

}  // namespace sash
