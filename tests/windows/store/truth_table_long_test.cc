// Every script of up to six steps (four under a sanitizer) over two vertices: adds and removals of
// all four pairs, removals of both vertices, and the end of a slice. The vertices are
// interchangeable, so the first operation is on the first vertex.
#include <gtest/gtest.h>

#include "tests/support/every_script.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using testing::Add;
using testing::Remove;
using testing::RemoveVertex;

class EveryScriptTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(EveryScriptTest, OfSixStepsOverTwoVerticesIsWhatTheModelSays) {
  const testing::SliceOperations letters = {
      Add(0, 1),    Add(0, 0),    Add(1, 0),    Add(1, 1),       Remove(0, 1),
      Remove(0, 0), Remove(1, 0), Remove(1, 1), RemoveVertex(0), RemoveVertex(1)};
  testing::EveryScript(GetParam(), letters)
      .RunAll(kSanitized ? 4 : 6,
              [](const testing::StoreOperation& first) { return first.source == 0; });
}

std::vector<StoreSpec> SpecsWithRemovals() {
  std::vector<StoreSpec> specs = testing::AllSpecs();
  std::erase_if(specs, [](const StoreSpec& spec) { return !spec.removals; });
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Stores, EveryScriptTest, ::testing::ValuesIn(SpecsWithRemovals()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
