// A wide record is read along an index, a narrow one byte by byte. Blanks behind a record make it
// wide and change nothing else, so both ways have to agree.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/json_index.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"

namespace sash {
namespace {

constexpr std::array<std::string_view, 5> kPointers = {"/a", "/b/c", "/list/1", "/list/0/a", "/n"};

PointerNode WidePointers() {
  PointerNode root;
  for (std::size_t i = 0; i < kPointers.size(); ++i) {
    EXPECT_TRUE(AddPointer(kPointers[i], i, root).ok());
  }
  return root;
}

class JsonTexts {
 public:
  explicit JsonTexts(std::uint32_t seed) : random_(seed) {}

  std::string Value(int depth) {
    switch (Number(depth > 4 ? 6 : 8)) {
      case 0:
        return Pick({"true", "false", "null"});
      case 1:
        return Pick({"0", "-0", "7", "-12", "123456789012345678901234567890123456", "1e5",
                     "-2.5E-3", "0.25", "-27.043", "34.40199999999999", "100.0"});
      case 2:
        return std::to_string(random_());
      case 3:
      case 4:
      case 5:
        return Text();
      case 6:
        return List(depth);
      default:
        return Object(depth);
    }
  }
  std::string Object(int depth) {
    std::string text = "{" + Blanks();
    for (std::size_t i = 0, count = Number(5); i < count; ++i) {
      text += (i == 0 ? "" : "," + Blanks()) + Name() + Blanks() + ":" + Blanks() +
              Value(depth + 1) + Blanks();
    }
    return text + "}";
  }
  // One to three bytes of `text` are others.
  std::string Changed(std::string text) {
    constexpr std::string_view kBytes = "{}[]:,\" \n\t\x0C\x1A\\0123.eE-+tfnul\xC3\xA4\x00";
    for (std::size_t i = 0, count = 1 + Number(3); i < count && !text.empty(); ++i) {
      const std::size_t at = Number(text.size());
      const char byte = kBytes[Number(kBytes.size())];
      switch (Number(3)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1);
      }
    }
    return text;
  }
  std::size_t Number(std::size_t below) { return random_() % below; }

 private:
  std::string Pick(std::vector<std::string> from) { return from[Number(from.size())]; }
  std::string Blanks() { return Pick({"", "", "", " ", "\n", "\t \r\n"}); }
  std::string Name() {
    return Pick({"\"a\"", "\"b\"", "\"c\"", "\"list\"", "\"n\"", "\"\"", "\"other\""});
  }
  std::string Text() {
    return Pick({"\"\"", "\"x\"", "\"a text, with: [brackets] {and} commas\"",
                 "\"\xC3\xA4\xE2\x82\xAC\"", "\"a\\n\\\"b\"", "\"\\\\\"", "\"\\ud83d\\ude00\"",
                 "\"\\u00\"", "\"\\x\"", "\"" + std::string(Number(70), 'y') + "\""});
  }
  std::string List(int depth) {
    std::string text = "[" + Blanks();
    for (std::size_t i = 0, count = Number(4); i < count; ++i) {
      text += (i == 0 ? "" : "," + Blanks()) + Value(depth + 1) + Blanks();
    }
    return text + "]";
  }

  std::mt19937 random_;
};

std::string Found(const JsonScanner& scanner) {
  std::string found;
  for (std::size_t i = 0; i < kPointers.size(); ++i) {
    const JsonElement* const element = scanner.Find(i);
    if (element == nullptr) continue;
    found += std::string(kPointers[i]) + " " + std::to_string(static_cast<int>(element->kind)) +
             " " + std::string(element->text) + " " + (element->has_escapes ? "escaped " : "") +
             (element->is_true ? "true " : "") +
             (element->is_short ? std::to_string(element->integer) : "") + "\n";
  }
  return found;
}

TEST(JsonWideTest, BothWaysAcceptTheSameTextsAndFindTheSame) {
  JsonScanner narrow(WidePointers());
  JsonScanner wide(WidePointers());
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (std::uint32_t seed = 0; seed < 20'000; ++seed) {
    JsonTexts texts(seed);
    std::string text = texts.Object(0);
    if (seed % 2 == 1) text = texts.Changed(std::move(text));
    if (text.size() >= JsonIndex::kWideBytes) continue;
    const std::string padded = text + std::string(JsonIndex::kWideBytes + texts.Number(70), ' ');
    const char* const why_not = narrow.Scan(text);
    const char* const why_not_wide = wide.Scan(padded);
    ASSERT_EQ(why_not == nullptr, why_not_wide == nullptr) << "seed " << seed << ": " << text;
    ++(why_not == nullptr ? accepted : refused);
    if (why_not == nullptr) {
      ASSERT_EQ(Found(narrow), Found(wide)) << "seed " << seed << ": " << text;
    }
  }
  EXPECT_GT(accepted, 5000U);
  EXPECT_GT(refused, 2000U);
}

TEST(JsonWideTest, BytesThatAreNotUtf8AreLeftToTheCaller) {
  JsonScanner scanner(WidePointers());
  const std::string blanks(JsonIndex::kWideBytes, ' ');
  EXPECT_EQ(scanner.Scan("{\"a\":\"\xC3\xA4\"}" + blanks), nullptr);
  EXPECT_FALSE(scanner.has_wide_characters()) << "they have been checked";
  EXPECT_EQ(scanner.Scan("{\"a\":\"\xC3\"}" + blanks), nullptr);
  EXPECT_TRUE(scanner.has_wide_characters());
}

TEST(JsonWideTest, ATextIsIndexedUnlessItsStringsOrCharactersAreBroken) {
  JsonIndex index;
  const std::uint32_t* const places = index.Make("{\"a\": 12}");
  ASSERT_NE(places, nullptr);
  EXPECT_EQ((std::vector<std::uint32_t>(places, places + 6)),
            (std::vector<std::uint32_t>{0, 1, 4, 6, 8, 9}));
  EXPECT_NE(index.Make("{\"a\":\"\\n\"}"), nullptr);
  EXPECT_EQ(index.Make("{\"a\":\"\n\"}"), nullptr);
  EXPECT_EQ(index.Make("{\"a"), nullptr);
  EXPECT_EQ(index.Make("\"\xFF\""), nullptr);
}

}  // namespace
}  // namespace sash
