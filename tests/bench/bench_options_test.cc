#include "tests/bench/bench_options.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash::bench {
namespace {

Result<BenchOptions> Parse(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return ParseBenchOptions(pointers);
}

TEST(BenchOptionsTest, QuickIsSmallerButLosesAgainstWhatIsNamed) {
  const auto options = Parse({"--scale", "14", "--quick"});
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_TRUE(options.value().quick);
  EXPECT_EQ(options.value().scale, 14);
  EXPECT_LT(options.value().edges, BenchOptions().edges);
}

TEST(BenchOptionsTest, ReadsEveryOption) {
  const auto options =
      Parse({"--graph", "uniform", "--edges", "700", "--seed", "9", "--repetitions", "7",
             "--threads", "3", "--only", "bfs", "--json", "out.json"});
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options.value().graph, GraphShape::kUniform);
  EXPECT_EQ(options.value().edges, 700u);
  EXPECT_EQ(options.value().seed, 9u);
  EXPECT_EQ(options.value().repetitions, 7);
  EXPECT_EQ(options.value().threads, 3);
  EXPECT_EQ(options.value().only, "bfs");
  EXPECT_EQ(options.value().json_path, "out.json");
}

TEST(BenchOptionsTest, NamesTheArgumentThatIsWrong) {
  EXPECT_EQ(Parse({"--scale", "40"}).error().message, "--scale is \"40\"; it must be 8 to 26");
  EXPECT_EQ(Parse({"--seed", "1x"}).error().message.find("--seed is \"1x\""), 0u);
  EXPECT_EQ(Parse({"--graph", "star"}).error().message,
            "--graph is \"star\"; it must be rmat or uniform");
  EXPECT_EQ(Parse({"--edges"}).error().message, "--edges needs a value");
  EXPECT_EQ(Parse({"--colour", "red"}).error().message, "--colour is not an option; see --help");
  EXPECT_EQ(Parse({"12"}).error().message, "12 is not an option; see --help");
}

}  // namespace
}  // namespace sash::bench
