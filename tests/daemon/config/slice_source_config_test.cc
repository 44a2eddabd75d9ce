// Exported slices as the source of a configuration.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

TEST(ValidConfigTest, SlicesAreReadWithoutAFormat) {
  const auto yaml = [](const std::string& source, const std::string& window = "") {
    return "source: {export: {path: s" + source + "}}\n" +
           "windows: [{name: w, length: 2s, slide: 1s" + window + "}]\n";
  };
  const Config config = ParseGood(yaml("", ", types: [paid], where: '/x == 1'"));
  ASSERT_NE(config.source.slices(), nullptr);
  EXPECT_EQ(config.source.slices()->path, "s");
  EXPECT_EQ(config.source.at_end(), SourceEnd::kExit);
  EXPECT_EQ(config.source.format.keys, KeyKind::kString);
  EXPECT_TRUE(config.windows[0].removals);
  EXPECT_EQ(ParseGood(yaml(", at_end: stay")).source.at_end(), SourceEnd::kStay);
  EXPECT_EQ(ParseGood(yaml(", keys: integer")).source.format.keys, KeyKind::kInteger);
  const Config dedupes = ParseGood(
      "source: {export: {path: s}, dedupe: {within: 1m}}\n"
      "windows: [{name: w, length: 2s, slide: 1s}]\n");
  EXPECT_EQ(dedupes.source.time.dedupe_within, std::chrono::minutes(1));
  const auto wrong = [](const std::string& text) {
    const ParsedConfig parsed = Parsed(text, "");
    return parsed.errors.empty() ? "" : parsed.errors.front().key;
  };
  EXPECT_EQ(wrong(yaml("}, format: {json: {source: /s}")), "source.format.json.target");
  EXPECT_NE(wrong(yaml("}, replay: {path: a")), "");
  EXPECT_EQ(wrong(yaml("", ", by: processing_time")), "windows[0].by");
  // The file of a live process, with another source.
  const std::string live = "}, time: {unit: s}, format: {keys: integer, json: {source: /s, "
                           "target: /t, time: /at}";
  EXPECT_EQ(ParseGood(yaml(live)).source.format.keys, KeyKind::kInteger);
  EXPECT_EQ(ParseGood(yaml(", keys: string" + live)).source.format.keys, KeyKind::kString);
}

}  // namespace
}  // namespace sash
