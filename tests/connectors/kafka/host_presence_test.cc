#include "connectors/kafka/host_presence.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <string>

namespace sash {
namespace {

using Holder = HostPresence::Holder;

std::string Kind() {
  return "test " + std::to_string(::getpid()) +
         ::testing::UnitTest::GetInstance()->current_test_info()->name();
}

TEST(HostPresenceTest, OneHasItUntilItsEnd) {
  HostPresence second(Kind());
  {
    HostPresence first(Kind());
    EXPECT_EQ(first.Take(), Holder::kThis);
    EXPECT_EQ(first.Take(), Holder::kThis);
    EXPECT_EQ(second.Take(), Holder::kAnother);
  }
  EXPECT_EQ(second.Take(), Holder::kThis);
  EXPECT_EQ(HostPresence(Kind() + " of another kind").Take(), Holder::kThis);
}

TEST(HostPresenceTest, AKilledProcessHasItNoMore) {
  const std::string kind = Kind();
  int taken[2];
  ASSERT_EQ(::pipe(taken), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    HostPresence its(kind);
    const char said = its.Take() == Holder::kThis ? 'y' : 'n';
    if (::write(taken[1], &said, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char said = 0;
  ASSERT_EQ(::read(taken[0], &said, 1), 1);
  EXPECT_EQ(said, 'y');
  HostPresence ours(kind);
  EXPECT_EQ(ours.Take(), Holder::kAnother);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(ours.Take(), Holder::kThis);
  ::close(taken[0]);
  ::close(taken[1]);
}

TEST(HostPresenceTest, TheNameIsTheSameInEachProcessAndFitsAClientId) {
  const std::string name = HostName();
  EXPECT_EQ(name, HostName());
  EXPECT_TRUE(name.starts_with("sash-"));
  EXPECT_TRUE(std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  })) << name;
}

TEST(HostPresenceTest, ADigestIsThatOfEveryVersion) {
  EXPECT_EQ(Digest(""), "cbf29ce484222325");
  EXPECT_EQ(Digest("a"), "af63dc4c8601ec8c");
  EXPECT_NE(Digest("a b"), Digest("ab"));
}

}  // namespace
}  // namespace sash
