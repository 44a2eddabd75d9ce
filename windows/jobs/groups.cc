#include "windows/jobs/groups.h"

#include <algorithm>
#include <string>
#include <variant>

namespace sash {
namespace {

// Whether the key of `vertex` comes behind `key`, which has the kind of the dictionary.
bool IsBehind(VertexId vertex, const VertexKey& key, const VertexDictionary& keys) {
  const auto* text = std::get_if<std::string>(&key);
  return text != nullptr ? keys.TextOf(vertex) > *text
                         : keys.IntegerOf(vertex) > std::get<std::int64_t>(key);
}

}  // namespace

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
  const auto less = [&](VertexId a, VertexId b) { return keys.KeyLess(a, b); };
  MembersPage page;
  std::vector<VertexId>& first = page.members;  // a heap, the last key on top
  for (const VertexId v : vertices) {
    if (groups[v] != set) continue;
    ++page.size;
    if (after && !IsBehind(v, *after, keys)) continue;
    ++page.following;
    if (first.size() == count) {
      if (count == 0 || !less(v, first.front())) continue;
      std::ranges::pop_heap(first, less);
      first.pop_back();
    }
    first.push_back(v);
    std::ranges::push_heap(first, less);
  }
  std::ranges::sort_heap(first, less);
  return page;
}

}  // namespace sash
