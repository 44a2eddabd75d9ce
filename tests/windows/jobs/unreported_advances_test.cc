// UnreportedAdvances by itself: the order of reports, and what waiting advances hold.
#include "windows/jobs/unreported_advances.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/windows/jobs/stepped_jobs.h"

namespace sash {
namespace {

class UnreportedAdvancesTest : public ::testing::Test {
 protected:
  // With one run under way.
  AdvanceTicketPtr Add() { return advances_.Add(testing::MakeAdvance(++snapshots_), {}); }
  static bool HasView(const AdvanceTicketPtr& ticket) {
    return ticket->report.advance->view != WindowView();
  }
  std::uint64_t Report() {
    const AdvanceTicketPtr reported = advances_.BeginReport();
    EXPECT_TRUE(advances_.is_reporting());
    EXPECT_FALSE(advances_.HasReport()) << "one report at a time";
    advances_.EndReport();
    return reported->report.advance->provenance.snapshot.value;
  }

  UnreportedAdvances advances_;
  std::uint64_t snapshots_ = 0;
};

TEST_F(UnreportedAdvancesTest, ReportsAreInTheOrderOfTheAdvances) {
  const AdvanceTicketPtr first = Add();
  const AdvanceTicketPtr second = Add();
  second->outstanding = 0;
  EXPECT_FALSE(advances_.HasReport());
  first->outstanding = 0;
  ASSERT_TRUE(advances_.HasReport());
  EXPECT_EQ(Report(), 1u);
  ASSERT_TRUE(advances_.HasReport());
  EXPECT_EQ(Report(), 2u);
  EXPECT_TRUE(advances_.empty());
}

TEST_F(UnreportedAdvancesTest, ResultsAreInTheOrderInWhichTheJobsJoined) {
  const AdvanceTicketPtr ticket = Add();
  for (const std::uint64_t place : {2, 0, 1}) {
    auto result = std::make_shared<RunResult>();
    result->job = std::string(1, static_cast<char>('a' + place));
    ticket->results[place] = std::move(result);
  }
  ticket->outstanding = 0;
  const AdvanceReport& report = advances_.BeginReport()->report;
  ASSERT_EQ(report.results.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(report.results[i]->job, std::string(1, static_cast<char>('a' + i)));
  }
}

TEST_F(UnreportedAdvancesTest, AnAdvanceThatOnlyWaitsForItsReportHasNoView) {
  const AdvanceTicketPtr first = Add();
  const AdvanceTicketPtr waits = Add();
  const AdvanceTicketPtr runs = Add();
  waits->outstanding = 0;
  const std::vector<AdvancePtr> released = advances_.ReleaseViews().advances;
  ASSERT_EQ(released.size(), 1u);
  EXPECT_EQ(released[0]->provenance.snapshot, SnapshotId{2});
  EXPECT_TRUE(HasView(first));
  EXPECT_FALSE(HasView(waits));
  EXPECT_TRUE(HasView(runs));
  EXPECT_EQ(waits->report.advance->provenance.snapshot, SnapshotId{2}) << "the rest stays";
  EXPECT_TRUE(advances_.ReleaseViews().advances.empty()) << "it is released once";
}

TEST_F(UnreportedAdvancesTest, BeyondTheMostTheOldestWithoutRunsUnderWayIsForgotten) {
  const AdvanceTicketPtr first = Add();
  const AdvanceTicketPtr second = Add();
  while (advances_.size() <= UnreportedAdvances::kMost) Add()->outstanding = 0;
  const UnreportedAdvances::Released released = advances_.ReleaseViews();
  EXPECT_EQ(released.advances.size(), UnreportedAdvances::kMost - 1);
  ASSERT_EQ(released.forgotten.size(), 1u) << "the caller frees it";
  EXPECT_EQ(released.forgotten[0]->report.advance->provenance.snapshot, SnapshotId{3});
  EXPECT_EQ(advances_.size(), UnreportedAdvances::kMost);
  first->outstanding = 0;
  EXPECT_EQ(Report(), 1u);
  second->outstanding = 0;
  EXPECT_EQ(Report(), 2u) << "a run of it was under way";
  EXPECT_EQ(Report(), 4u);
}

TEST_F(UnreportedAdvancesTest, LongRunsOnSeveralAdvancesDoNotLetTheOthersPileUp) {
  Add();
  Add();
  for (std::size_t i = 0; i < 2 * UnreportedAdvances::kMost; ++i) {
    Add()->outstanding = 0;
    (void)advances_.ReleaseViews();
    ASSERT_LE(advances_.size(), UnreportedAdvances::kMost);
  }
}

TEST_F(UnreportedAdvancesTest, AdvancesWhoseRunsEndTogetherAreForgottenTogether) {
  std::vector<AdvanceTicketPtr> tickets;
  while (tickets.size() < UnreportedAdvances::kMost + 10) tickets.push_back(Add());
  (void)advances_.ReleaseViews();
  EXPECT_EQ(advances_.size(), tickets.size()) << "runs of all are under way";
  for (std::size_t i = 1; i < tickets.size(); ++i) tickets[i]->outstanding = 0;
  (void)advances_.ReleaseViews();
  EXPECT_EQ(advances_.size(), UnreportedAdvances::kMost);
}

}  // namespace
}  // namespace sash
