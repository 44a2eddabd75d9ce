#include "daemon/recovery/journal_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/kept_log.h"
#include "tests/support/memory_folder.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(JournalWatchTest, AFailureIsLoggedOnceAndNotReadyUntilTheNextState) {
  testing::MemoryFolder folder;
  KeptLog log;
  JournalWatch watch(log);
  Journal journal(folder);
  const RoundOutline round{
      .at = {}, .has_batch = false, .caught_up = false, .items = {}, .times = {}};
  journal.Begin(0, {}, {}, {{"t", 0}});
  watch.Look(journal);
  EXPECT_FALSE(watch.not_ready().has_value());
  folder.FailAt(folder.operations(), 1);
  journal.Note(round);
  journal.Write();
  for (int i = 0; i < 2; ++i) watch.Look(journal);
  ASSERT_TRUE(watch.not_ready().has_value());
  EXPECT_THAT(*watch.not_ready(), HasSubstr("journal: "));
  EXPECT_EQ(watch.figures().failures, 1u);
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_THAT(log.lines()[0], HasSubstr("journal: nothing is recorded until the next state: "));
  journal.Turn({});
  watch.Look(journal);
  EXPECT_FALSE(watch.not_ready().has_value());
  EXPECT_EQ(log.lines().size(), 1u);
}

}  // namespace
}  // namespace sash
