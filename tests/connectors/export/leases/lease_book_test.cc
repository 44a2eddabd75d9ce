#include "connectors/export/leases/lease_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/connectors/export/frozen/small_snapshot.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/support/manual_clock.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LeaseBookTest : public ::testing::Test {
 protected:
  LeaseBookTest() {
    testing::WriteSmallSnapshot(*folder_, "w", 1, 1, "first");
    testing::WriteSmallSnapshot(*folder_, "w", 2, 2, "second");
  }
  static std::unique_ptr<SnapshotFolder> Open(const std::string& path) {
    Result<std::unique_ptr<SnapshotFolder>> folder = SnapshotFolder::Open(path);
    EXPECT_TRUE(folder.ok());
    return std::move(folder).value();
  }
  static Lease Taken(LeaseBook& book, LeaseRequest request = {.window = "w"}) {
    request.client = "10.0.0.7";
    Result<Lease> lease = book.Take(request);
    EXPECT_TRUE(lease.ok()) << (lease.ok() ? "" : lease.error().message);
    return lease.ok() ? std::move(lease).value() : Lease();
  }
  LeaseReader Opened(const Lease& lease, const std::string& file) const {
    Result<LeaseReader> reader = book_.Open(lease.window, lease.id, file);
    EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
    return std::move(reader).value();
  }
  static std::optional<ErrorCode> CodeOf(const Result<std::string>& read) {
    return read.ok() ? std::nullopt : std::optional(read.error().code);
  }
  static std::vector<std::string> NamesOf(const Lease& lease) {
    std::vector<std::string> names;
    for (const LeasedFile& file : lease.files) names.push_back(file.name);
    return names;
  }
  // What the shelf would find.
  Removal Removed(const std::string& snapshot) const {
    const Result<Removal> removed = folder_->Remove({"w", snapshot});
    EXPECT_TRUE(removed.ok());
    return removed.value();
  }

  const testing::SharedFolder scratch_;
  const std::unique_ptr<SnapshotFolder> folder_ = Open(scratch_.File("export"));
  ManualClock clock_;
  LeaseBook book_{{.at_most = 2, .longest = minutes(10)}, *folder_, clock_};
};

TEST_F(LeaseBookTest, ALeaseKeepsTheNewestSnapshotUntilItIsReleased) {
  const Lease lease = Taken(book_);
  EXPECT_EQ(lease.snapshot, 2u);
  EXPECT_EQ(lease.ttl, minutes(1));
  EXPECT_EQ(lease.id.size(), 32u);
  EXPECT_EQ(Removed("2"), Removal::kLocked);
  EXPECT_EQ(Removed("1"), Removal::kRemoved);
  EXPECT_EQ(book_.Counts().bytes, lease.bytes);
  ASSERT_TRUE(book_.Release("w", lease.id).ok());
  EXPECT_EQ(Removed("2"), Removal::kRemoved);
  EXPECT_EQ(book_.Counts().bytes, 0u);
  const Result<Lease> again = book_.Find("w", lease.id);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(again.error().message, HasSubstr("it was released"));
}

TEST_F(LeaseBookTest, AnEarlierSnapshotAndOneDirectionCanBeNamed) {
  const Lease lease =
      Taken(book_, {.window = "w", .snapshot = 1, .directions = LeasedDirections::kOut});
  EXPECT_EQ(lease.snapshot, 1u);
  EXPECT_THAT(NamesOf(lease),
              ::testing::ElementsAre("keys.npy", "out.indptr.npy", "snapshot.json"));
  EXPECT_EQ(lease.files[1].bytes, 5u);
  EXPECT_EQ(lease.files[1].checksum, Crc32c("first"));
  const LeaseReader reader = Opened(lease, "out.indptr.npy");
  EXPECT_EQ(reader.Read(1, 3).value(), "irs");
  EXPECT_EQ(reader.Read(5, 3).value(), "");
  EXPECT_EQ(book_.Open("w", lease.id, "in.indptr.npy").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(book_.Open("w", lease.id, "../2/keys.npy").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(book_.Take({.window = "w", .snapshot = 3}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(book_.Take({.window = "other"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(book_.Find("other", lease.id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(book_.Find("w", "0").error().code, ErrorCode::kNotFound);
}

TEST_F(LeaseBookTest, ALeaseEndsAtItsEndUnlessItIsRenewed) {
  const Lease lease = Taken(book_, {.window = "w", .ttl = seconds(10)});
  const LeaseReader reader = Opened(lease, "keys.npy");
  clock_.Advance(seconds(9));
  ASSERT_TRUE(book_.Renew("w", lease.id, std::nullopt).ok());
  clock_.Advance(seconds(9));
  book_.EndExpired();
  EXPECT_TRUE(reader.Read(0, 9).ok()) << "the lease was renewed";
  EXPECT_EQ(book_.Find("w", lease.id).value().left, seconds(1));
  EXPECT_EQ(Removed("2"), Removal::kLocked);
  clock_.Advance(seconds(1));
  EXPECT_THAT(book_.Open("w", lease.id, "keys.npy").error().message, HasSubstr("expired"))
      << "before the thread has looked";
  EXPECT_EQ(CodeOf(reader.Read(0, 9)), ErrorCode::kUnavailable) << "before the thread has looked";
  book_.EndExpired();
  EXPECT_EQ(Removed("2"), Removal::kRemoved);
  EXPECT_EQ(book_.Renew("w", lease.id, seconds(1)).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(book_.Counts().expired, 1u);
}

TEST_F(LeaseBookTest, TheThreadEndsLeasesWithoutARequest) {
  book_.Start();
  (void)Taken(book_, {.window = "w", .ttl = seconds(10)});
  clock_.Advance(seconds(11));
  while (book_.Counts().leases > 0) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(Removed("2"), Removal::kRemoved);
}

TEST_F(LeaseBookTest, TheBoundsAreKeptAndTheRefusalNamesTheLeases) {
  const Lease first = Taken(book_);
  EXPECT_THAT(book_.Take({.window = "w", .ttl = minutes(11)}).error().message,
              HasSubstr("at most 600 seconds (lease_ttl), got 660"));
  (void)Taken(book_);
  EXPECT_EQ(book_.Counts().bytes, first.bytes) << "two leases of one snapshot";
  const Result<Lease> third = book_.Take({.window = "w"});
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().code, ErrorCode::kOverloaded);
  EXPECT_THAT(third.error().message,
              HasSubstr("lease " + first.name + " of 10.0.0.7 holds snapshot w/2"));
  EXPECT_EQ(book_.Counts().refused, 1u);
  LeaseBook small({.bytes = first.bytes}, *folder_, clock_);
  (void)Taken(small);
  (void)Taken(small);
  const Result<Lease> other = small.Take({.window = "w", .snapshot = 1});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, HasSubstr("(lease_limit); lease "));
  EXPECT_EQ(Removed("1"), Removal::kRemoved) << "a refusal keeps nothing";
}

TEST_F(LeaseBookTest, ARevokedLeaseReadsNothingAnyMore) {
  const Lease lease = Taken(book_);
  EXPECT_FALSE(book_.Revoke(lease.id)) << "its name, and not its id";
  const LeaseReader reader = Opened(lease, "keys.npy");
  ASSERT_TRUE(reader.Read(0, 9).ok());
  ASSERT_TRUE(book_.Revoke(lease.name));
  EXPECT_THAT(book_.Open("w", lease.id, "keys.npy").error().message, HasSubstr("it was revoked"));
  EXPECT_EQ(CodeOf(reader.Read(0, 9)), ErrorCode::kUnavailable);
  EXPECT_THAT(book_.List(), IsEmpty());
  EXPECT_EQ(Removed("2"), Removal::kRemoved);
}

TEST_F(LeaseBookTest, AStopEndsEveryLease) {
  const Lease lease = Taken(book_);
  book_.Stop();
  EXPECT_EQ(Removed("2"), Removal::kRemoved);
  EXPECT_THAT(book_.Find("w", lease.id).error().message, HasSubstr("stopping"));
}

}  // namespace
}  // namespace sash
