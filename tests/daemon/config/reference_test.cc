// configs/reference.yaml is compared with the parser: keys, defaults, ranges, alternatives.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "daemon/config/known_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_tree.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/daemon/config/reference_text.h"

namespace sash {
namespace {

Lines Reference() { return SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")); }

void CollectKeys(const YamlNode& node, const std::string& path, std::set<std::string>& keys) {
  for (const YamlNode& item : node.items) CollectKeys(item, path + "[]", keys);
  const bool free = path == "source.kafka.options" || path == "sinks[].kafka.options" ||
                    path == "source.dead_letters.options" ||
                    path.starts_with("source.kafka.start.explicit");
  for (const YamlEntry& entry : node.entries) {
    const std::string key = (path.empty() ? "" : path + ".") + (free ? "*" : entry.key);
    keys.insert(key);
    CollectKeys(entry.value, key, keys);
  }
}

TEST(ReferenceTest, ItAndEveryAlternativeAreValid) {
  const auto configurations = Configurations(Reference());
  EXPECT_GT(configurations.size(), 30u);
  for (const Lines& lines : configurations) ParseGood(JoinLines(lines));
}

TEST(ReferenceTest, AlternativesChangeTheConfiguration) {
  const auto configurations = Configurations(Reference());
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

void CheckDefault(const Lines& lines, const DocumentedKey& key) {
  SCOPED_TRACE("line " + std::to_string(key.line + 1) + ": " + lines[key.line]);
  const std::string& documented = key.documented;
  const Outcome without = Parse(WithKey(lines, key, ""));
  if (documented.starts_with("required;")) {
    EXPECT_THAT(without.wrong_keys, ::testing::Contains(::testing::EndsWith("." + key.key)));
  } else if (documented.starts_with("none;") || documented.starts_with("none, which")) {
    EXPECT_TRUE(without.wrong_keys.empty()) << AllErrors(without.parsed);
  } else if (documented.starts_with("none, but needed by `from: field`")) {
    EXPECT_THAT(without.wrong_keys,
                ::testing::AnyOf(::testing::IsEmpty(), ::testing::ElementsAre("source.time.from")));
  } else if (documented.starts_with("none, but needed by `transactional: true`")) {
    EXPECT_THAT(without.wrong_keys, ::testing::ElementsAre("sinks[2].kafka.transactional"));
  } else {
    const std::string value = documented.substr(0, documented.find("; "));
    const Outcome with = Parse(WithKey(lines, key, value));
    EXPECT_EQ(with.wrong_keys, without.wrong_keys) << AllErrors(with.parsed);
    if (with.wrong_keys.empty() && without.wrong_keys.empty()) {
      EXPECT_TRUE(Same(with.parsed.config, without.parsed.config)) << value;
    }
  }
}

TEST(ReferenceTest, WrittenDefaultsAreWhatALeftOutKeyMeans) {
  int checked = 0;
  const auto configurations = Configurations(Reference());
  for (const Lines& lines : configurations) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      if (!key.leaf || key.documented.empty()) continue;
      if (&lines != &configurations[0] && lines[key.line] == configurations[0][key.line]) continue;
      ++checked;
      CheckDefault(lines, key);
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

// The range of a shape, as the reference writes it. Empty: the reference uses its own words.
struct RangeWriter {
  std::string operator()(const Words& words) const {
    std::string list;
    for (const std::string_view word : words.words) {
      list += (list.empty() ? "" : ", ") + std::string(word);
    }
    return list;
  }
  std::string operator()(const WholeNumber& number) const {
    return std::to_string(number.least) + " to " + std::to_string(number.most);
  }
  std::string operator()(const RealNumber& number) const {
    switch (number.range) {
      case RealNumber::Range::kFromZero:
        return "at least 0";
      case RealNumber::Range::kFromZeroToBelowOne:
        return "0 to below 1";
      case RealNumber::Range::kAboveZero:
        return "above 0";
    }
    return "";
  }
  std::string operator()(const TimeSpan& span) const {
    return std::string(span.zero ? "0s" : "1ns") + " to 7300d";
  }
  std::string operator()(const ByteSize& size) const {
    return FormatSize(size.least) + " to 1024TiB";
  }
  std::string operator()(const Flag& /*flag*/) const { return "true, false"; }
  template <typename Other>
  std::string operator()(const Other& /*free*/) const {
    return "";
  }
};

TEST(ReferenceTest, RangesAreThoseOfTheRows) {
  std::map<std::string, std::set<std::string>> ranges;  // by name of the key
  for (const SectionSpec& section : KeyTable()) {
    for (const KeySpec& key : section.keys) {
      const bool in_words = key.shapes.size() > 1 && std::holds_alternative<Words>(key.shapes[0]);
      ranges[std::string(key.name)].insert(in_words ? ""
                                                    : std::visit(RangeWriter(), key.shapes[0]));
    }
  }
  int compared = 0;
  for (const Lines& lines : Configurations(Reference())) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      const std::size_t at = key.documented.find("; range: ");
      if (at == std::string::npos) continue;
      const std::set<std::string>& allowed = ranges[key.key];
      if (allowed.contains("")) continue;
      const std::string said = key.documented.substr(at + 9);
      const bool found = std::ranges::any_of(allowed, [&](const std::string& range) {
        return said.starts_with(range) &&
               std::string_view(";, ").find(said[range.size()]) != std::string_view::npos;
      });
      EXPECT_TRUE(found) << key.key << ": " << said;
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

}  // namespace
}  // namespace sash
