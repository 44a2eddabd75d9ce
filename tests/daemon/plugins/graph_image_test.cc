// A window as the process of a plug-in gets it: equal edges, weights, types and keys.
#include "daemon/plugins/graph_image.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "daemon/plugins/read_task.h"
#include "tests/support/named_seed.h"
#include "windows/store/counting_sort.h"
#include "windows/store/csr_graph.h"

namespace sash {
namespace {

constexpr VertexId kImageIds = 500;

// Real and whole weights, types, parallel edges, and ids without edges.
std::shared_ptr<const CsrGraph> RandomMixedGraph(std::mt19937_64& random, WeightColumn::Kind kind,
                                                 TypeWidth width) {
  constexpr std::size_t kEdges = 100'000;  // more than one piece
  EdgeList edges{{}, {}, WeightColumn(kEdges, kind), TypeColumn(kEdges, width)};
  for (std::size_t i = 0; i < kEdges; ++i) {
    edges.sources.push_back(static_cast<VertexId>(random() % kImageIds / 3 * 3));
    edges.targets.push_back(static_cast<VertexId>(random() % kImageIds / 2 * 2));
    if (kind != WeightColumn::Kind::kOnes) {
      const bool is_real = kind == WeightColumn::Kind::kMixed && random() % 2 == 0;
      const auto number = static_cast<std::int64_t>(random() % 9) - 4;
      edges.weights.Set(
          i, is_real ? Weight::Real(static_cast<double>(number) / 3) : Weight::Integer(number));
    }
    if (width != TypeWidth::kNone) edges.types.Set(i, static_cast<TypeNumber>(random() % 4));
  }
  edges = StableSortBy(std::move(edges), &EdgeList::targets, kImageIds);
  edges = StableSortBy(std::move(edges), &EdgeList::sources, kImageIds);
  return std::make_shared<const CsrGraph>(edges, kImageIds);
}

// Its ends are ids of the dictionary, its type is a word.
using NamedEdge = std::tuple<VertexId, VertexId, double, bool, std::string_view>;

// `ids`: the id of each vertex of the view.
std::vector<NamedEdge> NamedEdges(const WindowView& view, std::span<const VertexId> ids,
                                  const TypeTable& types, bool in) {
  std::vector<NamedEdge> named;
  const auto add = [&](VertexId v, const auto& list) {
    for (const auto& edge : list) {
      named.emplace_back(ids[v], ids[edge.vertex], edge.weight.AsDouble(), edge.weight.is_integer(),
                         types.WordOf(edge.type));
    }
  };
  VisitView(view, [&](const auto& graph) {
    for (const VertexId v : graph.vertices()) {
      if (in && graph.in_degree(v) > 0) add(v, graph.weighted_in(v));
      if (!in && graph.out_degree(v) > 0) add(v, graph.weighted_out(v));
    }
  });
  std::ranges::sort(named);
  return named;
}

class GraphImageTest : public ::testing::TestWithParam<KeyKind> {};

TEST_P(GraphImageTest, TheReaderHasAnEqualWindow) {
  const testing::NamedSeed seed;
  std::mt19937_64 random(seed.value());
  VertexDictionary keys(GetParam());
  for (VertexId v = 0; v < kImageIds; ++v) {
    const auto number = static_cast<std::int64_t>(v * 7919 % 5003) - 2000;
    VertexDictionary::Writer writer(keys);
    if (GetParam() == KeyKind::kInteger) {
      writer.Intern(number);
    } else {
      writer.Intern(v == 0 ? "" : "ключ " + std::to_string(number) + std::string(v % 40, '-'));
    }
  }
  for (const char* const word : {"wire", "card", "a long word of more than sixteen bytes"}) {
    (void)keys.types().Intern(word);
  }
  for (const auto& [kind, width] : {std::pair{WeightColumn::Kind::kOnes, TypeWidth::kNone},
                                    std::pair{WeightColumn::Kind::kIntegers, TypeWidth::kOne},
                                    std::pair{WeightColumn::Kind::kMixed, TypeWidth::kFour}}) {
    const auto graph = RandomMixedGraph(random, kind, width);
    auto file = WriteTask("a request", graph, keys, [] { return true; });
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_LT(::write(file.value().descriptor(), "x", 1), 0) << "it is sealed";
    auto read = ReadTaskFile(::dup(file.value().descriptor()));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read.value().request, "a request");
    const std::span<const VertexId> places = VerticesOf(read.value().view);
    ASSERT_EQ(places.size(), graph->vertices().size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_EQ(places[i], i);
      ASSERT_EQ(read.value().keys->KeyOf(places[i]), keys.KeyOf(graph->vertices()[i]));
    }
    std::vector<VertexId> ids(kImageIds);
    std::iota(ids.begin(), ids.end(), VertexId{0});
    for (const bool in : {false, true}) {
      EXPECT_EQ(NamedEdges(read.value().view, graph->vertices(), read.value().keys->types(), in),
                NamedEdges(graph, ids, keys.types(), in));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, GraphImageTest,
                         ::testing::Values(KeyKind::kString, KeyKind::kInteger),
                         [](const auto& kind) {
                           return kind.param == KeyKind::kString ? "Text" : "Integer";
                         });

TEST(GraphImageStopTest, NoFileIsWholeAfterAStop) {
  std::mt19937_64 random(1);
  const auto graph = RandomMixedGraph(random, WeightColumn::Kind::kOnes, TypeWidth::kNone);
  VertexDictionary keys(KeyKind::kInteger);
  for (VertexId v = 0; v < kImageIds; ++v) VertexDictionary::Writer(keys).Intern(std::int64_t{v});
  EXPECT_FALSE(WriteTask("", graph, keys, [] { return false; }).ok());
}

TEST(GraphImageStopTest, AFileOfAnotherProgramIsRefused) {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(ReadTaskFile(descriptor).ok());
}

}  // namespace
}  // namespace sash
