#include "tests/support/engine_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/view_checks.h"
#include "windows/base/check.h"

namespace sash::testing {

namespace {

std::uint64_t ScriptTypeOf(const VertexDictionary& keys, TypeNumber type) {
  return type == kNoType ? 0 : std::stoull(std::string(keys.types().WordOf(type).substr(1)));
}

}  // namespace

std::string KeyText(std::int64_t number) {
  return std::string(1 + static_cast<std::size_t>(std::abs(number)) % 30, 'k') +
         std::to_string(number);
}

std::int64_t NumberOf(const VertexDictionary& keys, VertexId vertex) {
  if (keys.kind() == KeyKind::kInteger) return keys.IntegerOf(vertex);
  const std::string_view text = keys.TextOf(vertex);
  const std::size_t digits = text.find_first_not_of('k');
  SASH_CHECK(digits != std::string_view::npos);
  return std::stoll(std::string(text.substr(digits)));
}

std::vector<ListedEdge> ListOut(const WindowView& view, const VertexDictionary& keys) {
  std::vector<ListedEdge> edges;
  VisitView(view, [&](const auto& graph) {
    for (const VertexId u : graph.vertices()) {
      for (const auto& neighbor : graph.weighted_out(u)) {
        edges.push_back({NumberOf(keys, u), NumberOf(keys, neighbor.vertex), neighbor.weight,
                         ScriptTypeOf(keys, neighbor.type)});
      }
    }
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<ListedEdge> ListIn(const WindowView& view, const VertexDictionary& keys) {
  std::vector<ListedEdge> edges;
  VisitView(view, [&](const auto& graph) {
    for (const VertexId v : graph.vertices()) {
      for (const auto& neighbor : graph.weighted_in(v)) {
        edges.push_back({NumberOf(keys, neighbor.vertex), NumberOf(keys, v), neighbor.weight,
                         ScriptTypeOf(keys, neighbor.type)});
      }
    }
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

void ExpectConsistent(const WindowView& view, const VertexDictionary& keys) {
  EXPECT_EQ(ListOut(view, keys), ListIn(view, keys));
  EXPECT_EQ(Inconsistency(view), "");
}

}  // namespace sash::testing
