// configs/reference.yaml is compared with the parser: keys, defaults, ranges, alternatives.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "daemon/config/known_keys.h"
#include "daemon/config/reference_comments.h"
#include "daemon/config/yaml_tree.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/daemon/config/reference_text.h"

namespace sash {
namespace {

Lines Reference() { return SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")); }

// The mappings of `mappings` have the sections of `format`.
std::string SectionPath(const std::string& path) {
  for (const std::string part : {".json", ".avro", ".csv", ".edges[]", ".registry"}) {
    if (path == "source.mappings[]" + part) return "source.format" + part;
  }
  return path;
}

void CollectKeys(const YamlNode& node, const std::string& at, std::set<std::string>& keys) {
  const std::string path = SectionPath(at);
  for (const YamlNode& item : node.items) CollectKeys(item, path + "[]", keys);
  const bool free = path == "source.kafka.options" || path == "sinks[].kafka.options" ||
                    path == "source.dead_letters.options" || path == "sinks[].webhook.headers" ||
                    path == "alerts[].labels" || path.starts_with("source.kafka.start.explicit");
  for (const YamlEntry& entry : node.entries) {
    const std::string key = (path.empty() ? "" : path + ".") + (free ? "*" : entry.key);
    keys.insert(key);
    CollectKeys(entry.value, key, keys);
  }
}

TEST(ReferenceTest, ItAndEveryAlternativeAreValid) {
  const auto configurations = TriedConfigurations(Reference());
  EXPECT_GT(configurations.size(), 30u / testing::Stride());
  for (const Lines& lines : configurations) ParseGood(JoinLines(lines));
}

TEST(ReferenceTest, AlternativesChangeTheConfiguration) {
  const auto configurations = TriedConfigurations(Reference());
  const Config live = ParseGood(JoinLines(configurations[0]));
  for (std::size_t i = 1; i < configurations.size(); ++i) {
    EXPECT_FALSE(Same(ParseGood(JoinLines(configurations[i])), live))
        << JoinLines(configurations[i]);
  }
}

TEST(ReferenceTest, ItsKeysAreThoseOfTheParser) {
  std::set<std::string> keys;
  for (const Lines& lines : Configurations(Reference())) {
    const YamlDocument document = ReadYaml(JoinLines(lines));
    ASSERT_TRUE(document.root.has_value());
    CollectKeys(*document.root, "", keys);
  }
  const std::vector<std::string> known = KnownKeys();
  EXPECT_THAT(keys, ::testing::ContainerEq(std::set<std::string>(known.begin(), known.end())));
}

// The outcome of parsing a text: its configuration, or the keys with errors.
struct Outcome {
  ParsedConfig parsed;
  std::vector<std::string> wrong_keys;
};

Outcome Parse(const Lines& lines) {
  Outcome outcome{Parsed(JoinLines(lines), "reference.yaml"), {}};
  for (const ConfigError& error : outcome.parsed.errors) outcome.wrong_keys.push_back(error.key);
  return outcome;
}

// `value` with <key> replaced by the value of the nearest line above with that key.
std::string Filled(std::string value, const Lines& lines, std::size_t line) {
  for (std::size_t at = value.find('<'); at != std::string::npos; at = value.find('<')) {
    const std::size_t end = value.find('>', at);
    const std::string key = " " + value.substr(at + 1, end - at - 1) + ": ";
    std::size_t above = line;
    while (above > 0 && (!IsLive(lines[above]) || lines[above].find(key) == std::string::npos)) {
      --above;
    }
    EXPECT_GT(above, 0U) << value;
    if (above == 0) return value;
    const std::size_t begin = lines[above].find(key) + key.size();
    value.replace(at, end + 1 - at, lines[above].substr(begin));
  }
  return value;
}

void CheckDefault(const Lines& lines, const DocumentedKey& key) {
  SCOPED_TRACE("line " + std::to_string(key.line + 1) + ": " + lines[key.line]);
  const std::string& documented = key.documented;
  const Outcome without = Parse(WithKey(lines, key, ""));
  if (documented.starts_with("required;")) {
    EXPECT_THAT(without.wrong_keys, ::testing::Contains(::testing::EndsWith("." + key.key)));
  } else if (documented.starts_with("none;")) {
    EXPECT_TRUE(without.wrong_keys.empty()) << AllErrors(without.parsed);
  } else if (documented.starts_with("none, but needed by `from: field`")) {
    EXPECT_THAT(without.wrong_keys,
                ::testing::AnyOf(::testing::IsEmpty(), ::testing::ElementsAre("source.time.from")));
  } else if (documented.starts_with("none, but needed by `transactional: true`")) {
    EXPECT_THAT(without.wrong_keys, ::testing::ElementsAre("sinks[2].kafka.transactional"));
  } else {
    const std::string value = Filled(documented.substr(0, documented.find("; ")), lines, key.line);
    const Outcome with = Parse(WithKey(lines, key, value));
    EXPECT_EQ(with.wrong_keys, without.wrong_keys) << AllErrors(with.parsed);
    if (with.wrong_keys.empty() && without.wrong_keys.empty()) {
      EXPECT_TRUE(Same(with.parsed.config, without.parsed.config)) << value;
    }
  }
}

TEST(ReferenceTest, WrittenDefaultsAreWhatALeftOutKeyMeans) {
  int checked = 0;
  const auto configurations = TriedConfigurations(Reference());
  for (const Lines& lines : configurations) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      if (!key.leaf || key.documented.empty()) continue;
      if (&lines != &configurations[0] && lines[key.line] == configurations[0][key.line]) continue;
      if (checked++ % testing::Stride() == 0) CheckDefault(lines, key);
    }
  }
  EXPECT_GT(checked, 45);
}

TEST(ReferenceTest, EveryKeyStatesDefaultRangeAndWhatAChangeNeeds) {
  // Each key is documented once; later occurrences of a key need no bracket line.
  std::set<std::string> documented;
  for (const Lines& lines : Configurations(Reference())) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      if (!key.documented.empty()) {
        documented.insert(key.key);
        EXPECT_THAT(key.documented, ::testing::HasSubstr("; range: "));
        EXPECT_THAT(key.documented, ::testing::AnyOf(::testing::EndsWith("; change: restart]"),
                                                     ::testing::EndsWith("; change: live]")));
      }
    }
  }
  for (const Lines& lines : Configurations(Reference())) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      const bool of_the_user = key.key.find('.') != std::string::npos || key.key == "terminal";
      if (!key.leaf || of_the_user || key.key == "csv") continue;
      EXPECT_TRUE(documented.contains(key.key)) << lines[key.line];
    }
  }
}

TEST(ReferenceTest, CommentsAreThoseOfTheRows) {
  const std::string path = SASH_CONFIGS "/reference.yaml";
  const std::string generated = WithCommentsOfRows(ReadText(path));
  if (std::getenv("SASH_WRITE_REFERENCE") != nullptr) std::ofstream(path) << generated;
  EXPECT_EQ(ReadText(path), generated)
      << "write them again: SASH_WRITE_REFERENCE=1 config_test --gtest_filter=ReferenceTest.Co*";
}

TEST(ReferenceTest, OnlyTheFirstCommentOfAKeyIsReplaced) {
  EXPECT_EQ(WithCommentsOfRows("# Heading\n\n"
                               "# old\n"
                               "log:\n"
                               "  # older\n"
                               "  # [default: x]\n"
                               "  level: info\n"
                               "#| log:\n"
                               "#|   # own words\n"
                               "#|   level: debug\n"
                               "#|   format: json\n"
                               "#|   unknown: 1\n"
                               "# end\n"),
            "# Heading\n\n"
            "# The log, on standard error. Optional.\n"
            "log:\n"
            "  # The least severity that is written.\n"
            "  # [default: info; range: trace, debug, info, warn, error; change: live]\n"
            "  level: info\n"
            "#| log:\n"
            "#|   # own words\n"
            "#|   level: debug\n"
            "#|   # Lines for people, or JSON objects.\n"
            "#|   # [default: text; range: text, json; change: restart]\n"
            "#|   format: json\n"
            "#|   unknown: 1\n"
            "# end\n");
}

TEST(ReferenceTest, ParametersAreThoseOfTheKernelAndSharedWordsAreWrittenOnce) {
  const std::string text = WithCommentsOfRows(
      "jobs:\n"
      "  - name: a\n"
      "    kernel: bfs\n"
      "    parameters:\n"
      "      roots: [v]\n"
      "  - name: b\n"
      "    kernel: sssp\n"
      "    parameters:\n"
      "      roots: [v]\n");
  EXPECT_THAT(text, ::testing::HasSubstr(
                        "      # Where it starts: vertex keys, or integers with `keys: integer`. "
                        "All start together. A root\n"
                        "      # that is not in the window reaches nothing.\n"
                        "      # [default: required; range: at least one; change: live]\n"
                        "      roots: [v]\n"
                        "  - name: b\n"));
  EXPECT_TRUE(
      text.ends_with("      # As for jobs[].parameters<bfs>.roots.\n"
                     "      # [default: required; range: at least one; change: live]\n"
                     "      roots: [v]\n"))
      << text;
}

}  // namespace
}  // namespace sash
