#include "connectors/sinks/dead_letter_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kWithoutLimit = std::numeric_limits<std::size_t>::max();

RefusedRecord Record(std::optional<std::string_view> key, std::optional<std::string_view> payload) {
  return {.topic = "interactions",
          .partition = 3,
          .offset = 1'000'000'000'000,
          .timestamp = EventTime(std::chrono::milliseconds(1'767'225'600'123)),
          .reason = RefusalReason::kInvalidWeight,
          .detail = "weight is \"x\"",
          .stage = "decode",
          .payload = payload,
          .key = key};
}

TEST(DeadLetterLineTest, WhatIsReadIsWhatWasRefusedWhateverTheBytes) {
  std::mt19937 random(1);
  const auto bytes = [&]() -> std::optional<std::string> {
    if (random() % 5 == 0) return std::nullopt;
    std::string text;
    const bool ascii = random() % 2 == 0;
    for (std::size_t left = random() % 40; left > 0; --left) {
      text += static_cast<char>(random() % (ascii ? 128 : 256));
    }
    return text;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::optional<std::string> key = bytes();
    const std::optional<std::string> payload = bytes();
    const std::string line = DeadLetterLine(Record(key, payload), kWithoutLimit);
    EXPECT_EQ(line.find_first_of("\n\t"), line.size() - 1) << "not valid in an outbox";
    const Result<DeadLetter> read = ParseDeadLetter(line);
    ASSERT_TRUE(read.ok()) << read.error().message << line;
    ASSERT_EQ(read.value().key, key) << line;
    ASSERT_EQ(read.value().payload, payload) << line;
    ASSERT_FALSE(read.value().truncated);
  }
}

TEST(DeadLetterLineTest, PlacesNameTheirMapping) {
  const std::vector<RefusedPlace> places = {
      {.place = {}, .detail = "w", .mapping = "cash", .is_whole = true},
      {.place = {.element = 4, .edge = 2}, .detail = "x", .mapping = "paid"}};
  RefusedRecord record = Record("k", "value");
  record.places = places;
  const std::string line = DeadLetterLine(record, kWithoutLimit);
  EXPECT_THAT(line, HasSubstr(R"("places":[{"mapping":"cash","reason":"invalid_syntax",)"
                              R"("detail":"w"},{"mapping":"paid","element":4,"edge":2,)"));
  const Result<DeadLetter> read = ParseDeadLetter(line);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(MappedPlacesText(read.value().places), "cash,paid:4/2");
  EXPECT_EQ(ParseMappedPlaces("cash,paid:4/2"), read.value().places);
  EXPECT_EQ(MappedPlacesText(ParseMappedPlaces("4/2,5/0").value()), "4/2,5/0");
  for (const char* wrong : {"", "paid:", "paid:4", "4/", "paid:4/2,", ":4/2", "paid:4/2x"}) {
    EXPECT_EQ(ParseMappedPlaces(wrong), std::nullopt) << wrong;
  }
}

TEST(DeadLetterLineTest, HeadersAreReadAsTheyWere) {
  const std::vector<RecordHeader> headers = {
      {"id", "17"}, {"id", ""}, {"none", std::nullopt}, {"b\xff", "\xfe\n"}};
  RefusedRecord record = Record("k", "value");
  record.headers = headers;
  const std::string line = DeadLetterLine(record, kWithoutLimit);
  EXPECT_EQ(line.find_first_of("\n\t"), line.size() - 1) << "not valid in an outbox";
  const Result<DeadLetter> read = ParseDeadLetter(line);
  ASSERT_TRUE(read.ok()) << read.error().message << line;
  EXPECT_EQ(read.value().headers,
            (OwnHeaders{{"id", "17"}, {"id", ""}, {"none", std::nullopt}, {"b\xff", "\xfe\n"}}));
  EXPECT_FALSE(read.value().truncated);

  const Result<DeadLetter> cut = ParseDeadLetter(DeadLetterLine(record, 8));
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_EQ(cut.value().payload, "value");
  EXPECT_EQ(cut.value().headers, OwnHeaders()) << "they have more bytes than are left";
  EXPECT_TRUE(cut.value().truncated);
  for (const char* wrong : {R"("headers":{})", R"("headers":[{"value":"a"}])"}) {
    std::string changed = line;
    changed.replace(changed.find("\"headers\""), std::string::npos, std::string(wrong) + "}\n");
    EXPECT_FALSE(ParseDeadLetter(changed).ok()) << changed;
  }
}

TEST(DeadLetterLineTest, ReadsEverythingElse) {
  const Result<DeadLetter> read = ParseDeadLetter(DeadLetterLine(Record("k", "v"), kWithoutLimit));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().topic, "interactions");
  EXPECT_EQ(read.value().partition, 3);
  EXPECT_EQ(read.value().offset, 1'000'000'000'000);
  EXPECT_EQ(read.value().timestamp, EventTime(std::chrono::milliseconds(1'767'225'600'123)));
  EXPECT_EQ(read.value().reason, "invalid_weight");
  EXPECT_EQ(read.value().stage, "decode");
  EXPECT_EQ(read.value().detail, "weight is \"x\"");
}

TEST(DeadLetterLineTest, WhatDoesNotFitIsMarked) {
  const Result<DeadLetter> read = ParseDeadLetter(DeadLetterLine(Record("keys", "value"), 6));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().key, "keys");
  EXPECT_EQ(read.value().payload, "va");
  EXPECT_TRUE(read.value().truncated);
}

TEST(DeadLetterLineTest, SaysWhatIsWrongWithOtherLines) {
  const std::string good = DeadLetterLine(Record("k", "v"), kWithoutLimit);
  for (const auto& [from, to, why] : std::vector<std::array<const char*, 3>>{
           {R"("offset")", R"("of")", "offset"},
           {R"("partition":3)", R"("partition":"x")", "partition is not an integer"},
           {R"("partition":3)", R"("partition":4294967299)", "partition is not an integer"},
           {R"("offset":1000)", R"("offset":92233720368000)", "offset is not an integer"},
           {R"("offset":1000)", R"("offset":1.000)", "offset is not an integer"},
           {"2026-01-01T", "2026-13-01T", "timestamp"},
           {R"("payload":"v")", R"("payload_base64":"v")", "payload_base64 is not Base64"}}) {
    std::string wrong = good;
    wrong.replace(wrong.find(from), std::string_view(from).size(), to);
    const Result<DeadLetter> read = ParseDeadLetter(wrong);
    ASSERT_FALSE(read.ok()) << wrong;
    EXPECT_THAT(read.error().message, HasSubstr("not a dead letter: "));
    EXPECT_THAT(read.error().message, HasSubstr(why));
  }
  EXPECT_FALSE(ParseDeadLetter("").ok());
  EXPECT_THAT(ParseDeadLetter(R"({"topic":)" + testing::NestedLists() + "}").error().message,
              HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace sash
