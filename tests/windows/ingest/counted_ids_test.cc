#include "windows/ingest/counted_ids.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sash {
namespace {

constexpr EdgeId kId{.low = 7};

IdentifiedEdge EdgeAt(std::int64_t second, EdgeId id = kId) {
  return {.id = id, .time = EventTime(Duration(second)), .offset = second};
}

TEST(CountedIdsTest, AReaderSeesTheStateAndTheSlicesOfItsCut) {  // (1)
  CountedIds ids({EdgeAt(1)});
  EXPECT_EQ(ids.Newest(kId, 0), EdgeAt(1));
  ids.Show({EdgeAt(2), EdgeAt(3)});
  ids.Show({EdgeAt(4, {.low = 8})});
  ids.Show({EdgeAt(5)});
  ASSERT_EQ(ids.slices(), 3u);
  const std::vector<IdentifiedEdge> newest = {EdgeAt(1), EdgeAt(3), EdgeAt(3), EdgeAt(5)};
  for (std::uint32_t slices = 0; slices < newest.size(); ++slices) {
    EXPECT_EQ(ids.Newest(kId, slices), newest[slices]) << slices;
  }
  EXPECT_EQ(ids.Newest({.low = 8}, 1), std::nullopt);
  EXPECT_EQ(ids.Newest({.low = 8}, 2), EdgeAt(4, {.low = 8}));
}

}  // namespace
}  // namespace sash
