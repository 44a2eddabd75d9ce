// The JSON Schema for editors. schema_test.py checks it with a validator.
#include "daemon/config/json_schema.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "daemon/config/key_table.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

TEST(JsonSchemaTest, CommittedFileIsWhatIsGenerated) {
  EXPECT_TRUE(ReadText(SASH_CONFIGS "/sash.schema.json") == PrintSchema())
      << "generate it again: sashd --print-schema > configs/sash.schema.json";
}

// The parser takes its kernels from JobParameters, not from the table.
TEST(JsonSchemaTest, KernelsOfTheTableAreThoseOfTheParser) {
  std::vector<std::string_view> sections;
  std::vector<std::string_view> words;
  for (const SectionSpec& section : KeyTable()) {
    if (section.section.starts_with("jobs[].parameters<")) sections.push_back(section.section);
    if (section.section != "jobs[]") continue;
    for (const KeySpec& key : section.keys) {
      if (key.name == "kernel") words = std::get<Words>(key.shapes[0]).words;
    }
  }
  const ParsedConfig parsed = ParseConfig(Replaced(kGood, "kernel: bfs", "kernel: none"), "f");
  ASSERT_FALSE(parsed.errors.empty());
  std::string list;
  for (const std::string_view word : words) {
    list += (list.empty() ? "" : ", ") + std::string(word);
    EXPECT_THAT(sections, ::testing::Contains("jobs[].parameters<" + std::string(word) + ">"));
  }
  EXPECT_EQ(sections.size(), words.size());
  EXPECT_THAT(parsed.errors[0].message, ::testing::HasSubstr("available: " + list));
}

TEST(JsonSchemaTest, DefaultsAreThoseOfTheStructs) {
  const auto schema = nlohmann::json::parse(PrintSchema());
  const auto& job = schema["properties"]["jobs"]["items"];
  EXPECT_EQ(job["properties"]["top"]["default"], JobSpec().top);
  EXPECT_EQ(job["properties"]["overrun"]["default"], "skip");
  EXPECT_EQ(schema["properties"]["shutdown_deadline"]["default"], "10s");
  for (const auto& rule : job["allOf"]) {
    if (rule["if"]["properties"]["kernel"]["const"] != "degree") continue;
    const auto& degree = rule["then"]["properties"]["parameters"]["properties"];
    EXPECT_EQ(degree["direction"]["default"], "both");
  }
}

}  // namespace
}  // namespace sash
