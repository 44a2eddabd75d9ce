#include <gtest/gtest.h>

#include <filesystem>

#include "daemon/config/parse_item.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/daemon/config/random_config.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

TEST(PrintConfigTest, RandomConfigurationsParseBackToThemselves) {
  for (std::uint32_t seed = 0; seed < static_cast<unsigned>(testing::Rounds(1000)); ++seed) {
    const Config config = RandomConfig(seed).Make();
    const std::string printed = PrintConfig(config);
    const ParsedConfig parsed = Parsed(printed, "printed.yaml");
    ASSERT_TRUE(parsed.errors.empty()) << "seed " << seed << "\n" << AllErrors(parsed) << printed;
    ASSERT_TRUE(Same(parsed.config, config)) << "seed " << seed << "\n"
                                             << printed << "\n"
                                             << PrintConfig(parsed.config);
  }
}

TEST(PrintConfigTest, EveryShippedConfigurationParsesBackToItself) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SASH_CONFIGS)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const ParsedConfig parsed = LoadConfig(entry.path());
    ASSERT_TRUE(parsed.errors.empty()) << AllErrors(parsed);
    EXPECT_TRUE(Same(ParseGood(PrintConfig(parsed.config)), parsed.config)) << entry.path();
  }
  EXPECT_GT(files, 0);
}

TEST(PrintConfigTest, DifferentConfigurationsDiffer) {
  // Checks an assumption of the two tests above.
  const Config config = ParseGood(kGood);
  EXPECT_TRUE(Same(config, ParseGood(kGood)));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "1MiB", "2MiB"))));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "[x]", "[y]"))));
  EXPECT_FALSE(Same(config, ParseGood(Replaced(kGood, "start: committed", "start: latest"))));
}

TEST(PrintConfigTest, CyclesInTimeOrderAreReadAsTheyAreWritten) {
  const Config config = ParseGood(
      "source: {replay: {path: x}, format: {json: {source: /a, target: /b}}}\n"
      "windows: [{name: w, length: 10s, slide: 5s, retain: 5s}]\n"
      "jobs: [{name: j, window: w, kernel: cycles, parameters: {in_time_order: true}}]\n");
  EXPECT_TRUE(std::get<CyclesParameters>(config.jobs[0].parameters).in_time_order);
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
}

}  // namespace
}  // namespace sash
