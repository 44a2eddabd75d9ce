// The sizes of the objects that the engine keeps for each event, slice and key. windows/memory.md
// states these figures: a commit that changes one here also changes it there.
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "windows/ingest/deduplicator.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/key_text.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/slice.h"
#include "windows/slide/account_totals.h"
#include "windows/slide/retained_slice.h"
#include "windows/slide/sliding_fold.h"
#include "windows/slide/window_history.h"

namespace sash {
namespace {

TEST(ObjectSizesTest, AnEventAndAKeyTakeWhatTheDocumentSays) {
  EXPECT_EQ(sizeof(EdgeEvent), 64u);
  EXPECT_EQ(sizeof(PartitionLog::Edge), 16u);
  EXPECT_EQ(sizeof(IdentifiedEdge), 40u) << "a slot of the Deduplicator";
  EXPECT_EQ(sizeof(KeyText), 16u);
}

TEST(ObjectSizesTest, ARetainedSliceTakesWhatTheDocumentSays) {
  EXPECT_EQ(sizeof(RetainedSlice), 256u);
  EXPECT_EQ(sizeof(Slice), 344u);

  RetainedSlice slice;
  const std::size_t alone = slice.bytes();
  (void)slice.account.ShareOf(0, 0, std::nullopt);
  EXPECT_EQ(slice.bytes(), alone + 80) << "a partition in it";
}

TEST(ObjectSizesTest, AFoldOfSlicesTakesWhatTheDocumentSays) {
  EXPECT_EQ((SlidingFold<RetainedSlice, WindowTotal>::kStride), 16u);
  EXPECT_EQ(sizeof(WindowTotal), 88u);
  EXPECT_EQ(sizeof(WindowTotal::Offsets), 16u) << "a partition in the fold of a window";
  EXPECT_EQ(sizeof(RewindTotal), 24u);
  EXPECT_EQ(sizeof(std::optional<RewindPosition>), 80u) << "a partition in the fold of a lane";
}

TEST(ObjectSizesTest, AWindowOfHistoryTakesWhatTheDocumentSays) {
  WindowHistory::Past past;
  past.provenance.offsets[{"t", 0}] = {};
  past.provenance.offsets[{"t", 1}] = {};
  WindowHistory history(/*archive=*/nullptr, /*retain=*/0);
  history.Restore({past});
  EXPECT_EQ(sizeof(past), 280u);
  EXPECT_EQ(history.bytes(), 280u + 2 * 96) << "96 a partition";
}

}  // namespace
}  // namespace sash
