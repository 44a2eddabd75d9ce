#include "connectors/export/lock_table.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "connectors/export/owned_descriptor.h"
#include "tests/connectors/export/frozen/frozen_reader.h"

namespace sash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LockTableTest, NamesTheHoldersOfOneFile) {
  const std::string locks =
      "1: FLOCK  ADVISORY  READ 4712 00:1a:35 0 EOF\n"
      "2: FLOCK  ADVISORY  READ 4711 00:1a:35 0 EOF\n"
      "2: -> FLOCK  ADVISORY  WRITE 9 00:1a:35 0 EOF\n"
      "3: POSIX  ADVISORY  WRITE 8 00:1a:35 0 EOF\n"
      "4: FLOCK  ADVISORY  READ 7 00:1a:36 0 EOF\n"
      "5: FLOCK  ADVISORY  READ -1 00:1a:35 0 EOF\n"
      "6: FLOCK  ADVISORY  READ 4711 00:1a:35 0 EOF\n";
  EXPECT_THAT(HoldersIn(locks, makedev(0, 0x1a), 35), ElementsAre(4711, 4712));
  EXPECT_THAT(HoldersIn(locks, makedev(8, 0x1a), 35), IsEmpty());
  EXPECT_THAT(HoldersIn("", makedev(0, 0x1a), 35), IsEmpty());
}

TEST(LockTableTest, TheSystemsTableNamesThisProcess) {
  const testing::SharedFolder folder;
  testing::Write(folder.File("locked"), "x");
  const OwnedDescriptor file(::open(folder.File("locked").c_str(), O_RDONLY));
  struct stat about {};
  ASSERT_EQ(::fstat(file.number(), &about), 0);
  EXPECT_THAT(HoldersOf(about.st_dev, about.st_ino), IsEmpty());
  ASSERT_EQ(::flock(file.number(), LOCK_SH), 0);
  EXPECT_THAT(HoldersOf(about.st_dev, about.st_ino), Contains(::getpid()));
}

}  // namespace
}  // namespace sash
