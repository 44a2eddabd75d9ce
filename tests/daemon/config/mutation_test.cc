// For every mutation of a configuration, the parser returns a configuration, or errors with places
// in the file.
#include <gtest/gtest.h>

#include <random>

#include "tests/daemon/config/config_text.h"
#include "tests/daemon/config/reference_text.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

void CheckAnswer(const std::string& text, const std::string& trace) {
  SCOPED_TRACE(trace);
  const ParsedConfig parsed = Parsed(text, "mutated.yaml");
  const int last = std::max<int>(1, static_cast<int>(SplitLines(text).size()));
  int before = 1;
  for (const ConfigError& error : parsed.errors) {
    EXPECT_GE(error.line, before) << text;
    EXPECT_LE(error.line, last) << text;
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.key.empty()) << AllErrors(parsed);
    before = error.line;
  }
  if (parsed.errors.empty()) {
    EXPECT_FALSE(PrintConfig(parsed.config).empty());
  }
}

// Each how many-th case is tried. Under a sanitizer a case takes 20 ms, and the fuzzer tries more.
std::size_t Step() { return testing::FewerRounds() ? 51 : 1; }

TEST(MutationTest, LinesDeletedRepeatedAndSwapped) {
  const auto configurations = Configurations(SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")));
  std::mt19937 random(1);
  for (std::size_t round = 0; round < 3000 / Step(); ++round) {
    Lines lines;
    for (const std::string& line : configurations[random() % configurations.size()]) {
      if (IsLive(line)) lines.push_back(line);
    }
    for (std::uint32_t i = 0; i < 1 + random() % 4; ++i) {
      const std::size_t a = random() % lines.size();
      const std::size_t b = random() % lines.size();
      const auto at = lines.begin() + static_cast<std::ptrdiff_t>(a);
      switch (random() % 4) {
        case 0:
          lines.erase(at);
          break;
        case 1:
          lines.insert(at, std::string(lines[b]));
          break;
        case 2:
          lines[a] = std::string(lines[b]);
          break;
        default:
          lines[a] = std::string(Indent(lines[a]), ' ') + lines[b].substr(Indent(lines[b]));
      }
    }
    CheckAnswer(JoinLines(lines), "round " + std::to_string(round));
  }
}

TEST(MutationTest, CharactersReplaced) {
  static const std::vector<std::string> pieces = {
      "{",  "}", "[", "]", ":",  ",",  "-",      "\"",  "'",  "#",   "&a", "*a",
      "!",  "|", ">", "%", "@",  "`",  "\n",     "\t",  " ",  "?",   "~",  "---",
      "\0", "é", "0", "-", "1e", ": ", "${env:", "...", "<<", "\xff"};
  const std::string reference = PrintConfig(ParseGood(ReadText(SASH_CONFIGS "/reference.yaml")));
  std::mt19937 random(2);
  for (std::size_t round = 0; round < 5000 / Step(); ++round) {
    std::string text = reference;
    for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
      const std::size_t at = random() % text.size();
      const std::size_t gone = std::min<std::size_t>(random() % 4, text.size() - at);
      text.replace(at, gone, pieces[random() % pieces.size()]);
    }
    CheckAnswer(text, "round " + std::to_string(round));
  }
}

TEST(MutationTest, EveryCutOfTheFile) {
  const std::string text = PrintConfig(ParseGood(ReadText(SASH_CONFIGS "/reference.yaml")));
  for (std::size_t length = 0; length < text.size(); length += Step()) {
    CheckAnswer(text.substr(0, length), "length " + std::to_string(length));
  }
}

// Without comments, which are most of a configuration, a case takes a quarter of the time.
TEST(MutationTest, EveryValueReplacedByEveryKindOfValue) {
  const auto configurations = Configurations(SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")));
  std::mt19937 random(3);
  for (const Lines& lines : configurations) {
    for (const DocumentedKey& key : DocumentedKeys(lines)) {
      if (&lines != &configurations[0] && lines[key.line] == configurations[0][key.line]) continue;
      for (const char* value : {"", "~", "[]", "{}", "[a]", "{a: b}", "-1", "\"\"", "0", "5", "x",
                                "true", "0s", "10s", "64MiB", "a/"}) {
        if (random() % Step() != 0) continue;
        Lines changed = lines;
        EraseLive(changed, key.line + 1, EndOfValue(lines, key.line, Indent(lines[key.line])));
        changed = WithKey(changed, key, *value == '\0' ? " " : value);
        std::erase_if(changed, [](const std::string& line) { return !IsLive(line); });
        CheckAnswer(JoinLines(changed), lines[key.line]);
      }
    }
  }
}

}  // namespace
}  // namespace sash
