#include "daemon/memory/memory_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/daemon/memory/byte_units.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

using testing::kGibibyte;

// A test with its own /proc and /sys.
class CgroupTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void Groups(const std::string& text) const { Write("proc/self/cgroup", text); }
  std::uint64_t Bytes() const {
    const auto ceiling = FindCgroupCeiling(root_);
    return ceiling ? ceiling->bytes : 0;
  }

  const testing::ScratchFolder own_;
  const std::filesystem::path root_ = own_.path();
};

TEST_F(CgroupTest, WithoutFilesThereIsNoCeiling) { EXPECT_FALSE(FindCgroupCeiling(root_)); }

TEST_F(CgroupTest, VersionTwoSaysItsMost) {
  Groups("0::/app\n");
  Write("sys/fs/cgroup/app/memory.max", "1073741824\n");
  const auto ceiling = FindCgroupCeiling(root_);
  ASSERT_TRUE(ceiling.has_value());
  EXPECT_EQ(ceiling->bytes, kGibibyte);
  EXPECT_THAT(ceiling->set_by, EndsWith("sys/fs/cgroup/app/memory.max"));
}

TEST_F(CgroupTest, TheLeastOfAllGroupsAroundCounts) {
  Groups("0::/pod/app/inner\n");
  Write("sys/fs/cgroup/pod/app/inner/memory.max", "max\n");
  Write("sys/fs/cgroup/pod/app/memory.max", "4294967296\n");
  Write("sys/fs/cgroup/pod/memory.max", "2147483648\n");
  Write("sys/fs/cgroup/memory.max", "8589934592\n");
  EXPECT_EQ(Bytes(), 2 * kGibibyte);
}

TEST_F(CgroupTest, WhereTheKernelSlowsTheProcessDownIsACeilingToo) {
  Groups("0::/app\n");
  Write("sys/fs/cgroup/app/memory.max", "4294967296\n");
  Write("sys/fs/cgroup/app/memory.high", "3221225472\n");
  EXPECT_EQ(Bytes(), 3 * kGibibyte);
}

TEST_F(CgroupTest, MaxIsNoCeiling) {
  Groups("0::/app\n");
  Write("sys/fs/cgroup/app/memory.max", "max\n");
  EXPECT_EQ(Bytes(), 0u);
}

TEST_F(CgroupTest, VersionOneSaysItsLimitForTheMemoryControllerAlone) {
  Groups("12:cpu,cpuacct:/other\n4:hugetlb,memory:/docker/abc\n0::/\n");
  Write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n");
  Write("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1048576\n");
  EXPECT_EQ(Bytes(), kGibibyte);
}

TEST_F(CgroupTest, UnlimitedInVersionOneIsNoCeiling) {
  Groups("4:memory:/docker/abc\n");
  Write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Bytes(), 0u);
}

// In a container the path is often a path of the host, and only our own group is mounted.
TEST_F(CgroupTest, APathThatIsNotMountedLeavesTheMountItself) {
  Groups("4:memory:/docker/abc\n0::/../elsewhere\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(Bytes(), kGibibyte);
  Write("sys/fs/cgroup/memory.max", "536870912\n");
  EXPECT_EQ(Bytes(), kGibibyte / 2);
}

TEST_F(CgroupTest, BrokenFilesDoNotCount) {
  Groups("nonsense\n0:\n::\n0::/app\n");
  Write("sys/fs/cgroup/app/memory.max", "12x\n");
  Write("sys/fs/cgroup/memory.max", "");
  EXPECT_EQ(Bytes(), 0u);
}

TEST(MemoryLimitTest, IsFourFifthsOfTheCeilingUnlessGiven) {
  const MemoryCeiling ceiling{10 * kGibibyte, "cgroup"};
  const auto automatic = ChooseMemoryLimit({}, ceiling);
  ASSERT_TRUE(automatic.has_value());
  EXPECT_NEAR(static_cast<double>(automatic->bytes), 8.0 * kGibibyte, 100);
  EXPECT_EQ(automatic->origin, "80 % of cgroup");
  EXPECT_FALSE(ChooseMemoryLimit({}, std::nullopt));
  EXPECT_FALSE(ChooseMemoryLimit({.kind = MemoryConfig::Kind::kNone}, ceiling));
}

TEST(MemoryLimitTest, OneThatIsGivenIsTakenUpToTheCeiling) {
  const MemoryConfig config{.kind = MemoryConfig::Kind::kBytes, .limit_bytes = 9 * kGibibyte};
  EXPECT_EQ(ChooseMemoryLimit(config, std::nullopt)->bytes, 9 * kGibibyte);
  const auto below = ChooseMemoryLimit(config, MemoryCeiling{10 * kGibibyte, "cgroup"});
  EXPECT_EQ(below->bytes, 9 * kGibibyte);
  EXPECT_EQ(below->origin, "memory.limit");
  EXPECT_EQ(below->warning, "");
}

TEST(MemoryLimitTest, OneBeyondTheCeilingIsReplacedWithAWarning) {
  const MemoryConfig config{.kind = MemoryConfig::Kind::kBytes, .limit_bytes = 9 * kGibibyte};
  const auto beyond = ChooseMemoryLimit(config, MemoryCeiling{5 * kGibibyte, "cgroup"});
  ASSERT_TRUE(beyond.has_value());
  EXPECT_NEAR(static_cast<double>(beyond->bytes), 4.0 * kGibibyte, 100);
  EXPECT_THAT(beyond->warning, HasSubstr("memory.limit is 9.00 GiB"));
  EXPECT_THAT(beyond->warning, HasSubstr("cgroup ends the process beyond 5.00 GiB"));
}

TEST(MemoryLimitTest, NoneIsLessThanWhatReadingTakes) {
  EXPECT_EQ(ChooseMemoryLimit({}, MemoryCeiling{1 << 20, "cgroup"})->bytes,
            MemoryConfig::kLeastLimit);
}

TEST(MemoryLimitTest, FilesInSharedMemoryCount) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 40;
  const MemoryLimit limit{.bytes = 1 << 30, .origin = "memory.limit", .warning = ""};
  const std::uint64_t own = UseToCompare(limit, {}, {});
  EXPECT_LT(own, kMuch);
  EXPECT_GE(UseToCompare(limit, {}, {.shared = kMuch}), kMuch);
  EXPECT_GE(UseToCompare(limit, {}, {.reserved = kMuch, .shared = kMuch}), 2 * kMuch);
}

}  // namespace
}  // namespace sash
