// The edges that a window shows after a few events: the truth table of windows/store/README.md, row
// by row, and every script of a few steps over two vertices.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/every_script.h"
#include "tests/support/seed_range.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using testing::Add;
using testing::IdEdge;
using testing::Remove;
using testing::RemoveVertex;
using testing::SliceOperations;
using testing::StoreOperation;

constexpr std::int64_t kA = 1;
constexpr std::int64_t kB = 10;
constexpr std::int64_t kC = 100;

StoreOperation AddA() { return Add(0, 1, Weight::Integer(kA)); }
StoreOperation AddB() { return Add(0, 1, Weight::Integer(kB)); }
StoreOperation AddC() { return Add(0, 1, Weight::Integer(kC)); }

struct Row {
  std::string name;
  std::vector<SliceOperations> slices;
  std::size_t aged;  // the number of them that have left
  std::vector<std::int64_t> keep;
  std::vector<std::int64_t> drop;
  std::vector<std::int64_t> weigh;
};

// The weights of the edges 0 -> 1, the only pair that rows add, except for a loop.
std::vector<Row> Rows() {
  const SliceOperations add_a = {AddA()};
  const SliceOperations add_b = {AddB()};
  const SliceOperations remove = {Remove(0, 1)};
  return {
      {"add a", {add_a}, 0, {kA}, {kA}, {kA}},
      {"add a; aged", {add_a}, 1, {}, {}, {}},
      {"add a, add b", {{AddA(), AddB()}}, 0, {kA, kB}, {kB}, {kA + kB}},
      {"add a | add b", {add_a, add_b}, 0, {kA, kB}, {kB}, {kA + kB}},
      {"add a | add b; first aged", {add_a, add_b}, 1, {kB}, {kB}, {kB}},
      {"add a | add b, add c", {add_a, {AddB(), AddC()}}, 0, {kA, kB, kC}, {kC}, {kA + kB + kC}},
      {"add a | add b, add c; first aged", {add_a, {AddB(), AddC()}}, 1, {kB, kC}, {kC}, {kB + kC}},
      {"add a, remove", {{AddA(), Remove(0, 1)}}, 0, {}, {}, {}},
      {"add a, add b, remove", {{AddA(), AddB(), Remove(0, 1)}}, 0, {}, {}, {}},
      {"add a, remove, add b", {{AddA(), Remove(0, 1), AddB()}}, 0, {kB}, {kB}, {kB}},
      {"add a | remove", {add_a, remove}, 0, {}, {}, {}},
      {"add a | remove; first aged", {add_a, remove}, 1, {}, {}, {}},
      {"add a | remove | add b", {add_a, remove, add_b}, 0, {kB}, {kB}, {kB}},
      {"add a | remove | add b; first aged", {add_a, remove, add_b}, 1, {kB}, {kB}, {kB}},
      {"add a | remove | add b; two aged", {add_a, remove, add_b}, 2, {kB}, {kB}, {kB}},
      {"add a | remove, add b | add c",
       {add_a, {Remove(0, 1), AddB()}, {AddC()}},
       0,
       {kB, kC},
       {kC},
       {kB + kC}},
      {"remove, add a", {{Remove(0, 1), AddA()}}, 0, {kA}, {kA}, {kA}},
      {"remove | add a; first aged", {remove, add_a}, 1, {kA}, {kA}, {kA}},
      {"add a, remove the opposite", {{AddA(), Remove(1, 0)}}, 0, {kA}, {kA}, {kA}},
      {"add a, remove_vertex source", {{AddA(), RemoveVertex(0)}}, 0, {}, {}, {}},
      {"add a, remove_vertex target", {{AddA(), RemoveVertex(1)}}, 0, {}, {}, {}},
      {"add a | remove_vertex, add b", {add_a, {RemoveVertex(1), AddB()}}, 0, {kB}, {kB}, {kB}},
      {"add a, remove_vertex of another", {{AddA(), RemoveVertex(2)}}, 0, {kA}, {kA}, {kA}},
      {"add loop, add a, remove_vertex", {{Add(0, 0), AddA(), RemoveVertex(0)}}, 0, {}, {}, {}},
  };
}

class TruthTableTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(TruthTableTest, RowsAreAsDocumented) {
  const StoreSpec spec = GetParam();
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.name);
    bool has_removals = false;
    const std::shared_ptr<SliceStore> store = MakeSliceStore(spec);
    const std::unique_ptr<WindowStore> window = store->Open(0);
    for (const SliceOperations& slice : row.slices) {
      for (const StoreOperation& operation : slice) {
        has_removals = has_removals || operation.operation != Operation::kAdd;
      }
    }
    if (has_removals && !spec.removals) continue;
    for (std::size_t i = 0; i < row.slices.size(); ++i) {
      store->Add(testing::MakeSlice(i, row.slices[i]));
    }
    for (std::size_t i = 0; i < row.aged; ++i) window->AgeOutOldest();
    std::vector<IdEdge> expected;
    const auto& weights = spec.duplicates == DuplicatesPolicy::kKeep   ? row.keep
                          : spec.duplicates == DuplicatesPolicy::kDrop ? row.drop
                                                                       : row.weigh;
    for (const std::int64_t weight : weights) expected.push_back({0, 1, Weight::Integer(weight)});
    EXPECT_EQ(testing::Wrong(window->Publish(3), expected), "");
  }
}

// How long scripts are: `all` operations, or `less` operations less where scripts are fewer. With
// one operation less, a test takes about a fifth of the time. Under a sanitizer scripts are one
// operation shorter still: it finds most bad uses of memory in short scripts too.
std::size_t Shorter(std::size_t all, std::size_t less) {
  if (!testing::FewerScripts()) return all;
  return all - less - (kSanitized && testing::FewerRounds() ? 1 : 0);
}

TEST_P(TruthTableTest, EveryScriptOnOnePairIsWhatTheModelSays) {
  SliceOperations letters = {Add(0, 1)};
  if (GetParam().removals) {
    letters.push_back(Remove(0, 1));
    letters.push_back(RemoveVertex(0));
  }
  const std::size_t with_removals = Shorter(7, 1);
  testing::EveryScript(GetParam(), letters).RunAll(GetParam().removals ? with_removals : 10);
}

TEST_P(TruthTableTest, EveryScriptOnThreePairsOfTwoVerticesIsWhatTheModelSays) {
  SliceOperations letters = {Add(0, 1), Add(1, 0), Add(0, 0)};
  if (GetParam().removals) {
    letters.push_back(Remove(0, 1));
    letters.push_back(RemoveVertex(0));
  }
  // These edges have no types, and the store that rebuilds has little that a sanitizer could find.
  const bool is_same_as_another =
      GetParam().kind == StoreKind::kRebuild || GetParam().identity == EdgeIdentity::kPairAndType;
  testing::EveryScript(GetParam(), letters).RunAll(Shorter(6, is_same_as_another ? 2 : 1));
}

INSTANTIATE_TEST_SUITE_P(Stores, TruthTableTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
