// Compares the scanner with another parser on random records, valid and damaged.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "tests/connectors/codec/decoding.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

class RecordWriter {
 public:
  explicit RecordWriter(unsigned seed) : random_(seed) {}

  std::string Record() {
    std::string text = Blanks();
    Object(3, text);
    return text + Blanks();
  }

  // Puts bytes with a meaning in JSON at random places.
  void Damage(std::string& text) {
    constexpr std::string_view kBytes =
        "{}[]\",:\\ \t\n\r-+.eE0123456789tfnu/\x01\x1f\x7f\x80\xc3\xff";
    for (int i = Draw(2); i >= 0 && !text.empty(); --i) {
      const std::size_t at = static_cast<std::size_t>(Draw(static_cast<int>(text.size()) - 1));
      const char byte = kBytes[static_cast<std::size_t>(Draw(static_cast<int>(kBytes.size()) - 1))];
      const int what = Draw(3);
      if (what == 0) text.erase(at, 1);
      if (what == 1) text.insert(at, 1, byte);
      if (what == 2) text[at] = byte;
      if (what == 3) text.resize(at);
    }
  }

  int Draw(int limit) { return std::uniform_int_distribution(0, limit)(random_); }

 private:
  std::string Blanks() {
    std::string blanks;
    while (Draw(4) == 0) blanks.push_back(" \t\n\r"[Draw(3)]);
    return blanks;
  }

  void String(std::string_view text, std::string& out) {
    out.push_back('"');
    for (const char c : text) {
      if (Draw(30) == 0) {
        constexpr char kHex[] = "0123456789abcdef";
        out += std::string("\\u00") + kHex[c >> 4 & 15] + kHex[c & 15];
      } else {
        out.push_back(c);
      }
    }
    // Lengths around the size of a word, so that special bytes occur at every position in a word.
    for (int i = Draw(3) == 0 ? Draw(20) : 0; i > 0; --i) {
      constexpr const char* kPieces[] = {
          "a",          "\\n",     "\\\"", "\\\\", "ä", "€", "\\ud83d\\ude00",
          "\U0001F600", "\\u20ac", "\x7f", "\\/",  "b"};
      out += kPieces[Draw(std::size(kPieces) - 1)];
    }
    out.push_back('"');
  }

  void Value(int depth, std::string& out) {
    constexpr const char* kWords[] = {"true", "false", "null"};
    constexpr const char* kNumbers[] = {"0",   "-0",      "7",    "-12",  "1700000000000",
                                        "0.5", "-1.25e3", "1E+2", "2e-3", "9223372036854775807"};
    switch (Draw(depth > 0 ? 5 : 3)) {
      case 0:
        out += kWords[Draw(std::size(kWords) - 1)];
        return;
      case 1:
        out += kNumbers[Draw(std::size(kNumbers) - 1)];
        return;
      case 2:
      case 3:
        return String("v" + std::to_string(Draw(9)), out);
      case 4:
        return Object(depth - 1, out);
      default:
        out += "[";
        for (int i = Draw(3); i > 0; --i) {
          out += Blanks();
          Value(depth - 1, out);
          out += i > 1 ? Blanks() + "," : "";
        }
        out += Blanks() + "]";
    }
  }

  void Object(int depth, std::string& out) {
    constexpr const char* kNames[] = {"from", "to", "ts", "from", "to", "ts", "w", "x", ""};
    out += "{" + Blanks();
    for (int i = Draw(9); i > 0; --i) {
      const std::string name = kNames[Draw(std::size(kNames) - 1)];
      String(name, out);
      out += Blanks() + ":" + Blanks();
      // Mostly values that the mapping accepts, so that many records are accepted.
      if (name == "ts" && Draw(9) > 0) {
        out += "1700000000123";
      } else if ((name == "from" || name == "to") && Draw(9) > 0) {
        String(name + std::to_string(Draw(99)), out);
      } else {
        Value(depth, out);
      }
      out += i > 1 ? Blanks() + "," + Blanks() : "";
    }
    out += Blanks() + "}";
  }

  std::mt19937 random_;
};

// No value when the other parser fails because a number is too large.
std::optional<bool> IsJson(const std::string& record) {
  try {
    const nlohmann::json parsed = nlohmann::json::parse(record);
    return !parsed.is_discarded();
  } catch (const nlohmann::json::parse_error&) {
    return false;
  } catch (const nlohmann::json::out_of_range&) {
    return std::nullopt;
  }
}

TEST(JsonRandomTest, RecordsAreJsonExactlyWhenAnotherParserSaysSo) {
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/from", .target = "/to", .weight = {}, .time = "/ts", .operation = {}};
  Decoding decoding(format);
  std::size_t accepted = 0;
  std::size_t broken = 0;
  const auto records = static_cast<unsigned>(testing::Rounds(60'000));
  for (unsigned seed = 1; seed <= records; ++seed) {
    RecordWriter writer(seed);
    std::string record = writer.Record();
    if (writer.Draw(1) == 0) writer.Damage(record);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << record);
    const Decoded edge = decoding.Decode(record);
    const bool is_json = edge.refused != RefusalReason::kInvalidSyntax &&
                         edge.refused != RefusalReason::kInvalidUtf8;
    const std::optional<bool> expected = IsJson(record);
    if (!expected) continue;
    ASSERT_EQ(is_json, *expected) << edge.detail;
    broken += is_json ? 0 : 1;
    if (edge.refused) continue;
    ++accepted;
    const nlohmann::json parsed = nlohmann::json::parse(record);
    const auto key = [&](const char* name) {
      const nlohmann::json& value = parsed.at(name);
      return value.is_string() ? value.get<std::string>() : value.dump();
    };
    // The other parser knows integers of 64 bits only, and no -0.
    if (!parsed.at("from").is_number_float()) {
      ASSERT_EQ(edge.source, key("from"));
    }
    if (!parsed.at("to").is_number_float()) {
      ASSERT_EQ(edge.target, key("to"));
    }
  }
  EXPECT_GT(accepted, records / 60);
  EXPECT_GT(broken, records / 6);
}

}  // namespace
}  // namespace sash
