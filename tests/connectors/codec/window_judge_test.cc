// Which filters of windows the edges of a record pass (EventBatch::PassesOf).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "windows/ingest/window_filter.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Types = std::vector<std::string>;

// Decodes records with filters of windows.
class Judged {
 public:
  explicit Judged(const FormatSpec& format, std::string_view header = {})
      : size_(format.window_filters.size()) {
    auto made = MakeDecoder(format, header);
    error = made.ok() ? "" : made.error().message;
    if (made.ok()) decoder = std::move(made).value();
  }

  // For each edge of the record, a 1 for each filter that it passes, else a 0; or the reason why
  // the record is refused.
  std::vector<std::string> Take(std::string_view record) {
    const std::size_t before = batch.events().size();
    const RecordPlace place{.partition = 0, .offset = 7, .time = {}, .envelope = &envelope};
    if (const auto refused = decoder->Decode(record, place, batch)) {
      if (refused->places.empty()) return {std::string(Name(refused->reason))};
    }
    std::vector<std::string> passed;
    for (std::size_t i = before; i < batch.events().size(); ++i) {
      const FilterBits bits = batch.PassesOf(batch.events()[i]);
      EXPECT_TRUE(size_ == kMostFilters || bits >> size_ == kPassesAll >> size_);
      std::string text(batch.events()[i].filtered ? "~" : "");
      for (std::size_t f = 0; f < size_; ++f) text += (bits >> f & 1) != 0 ? '1' : '0';
      passed.push_back(std::move(text));
    }
    return passed;
  }

  std::string error;
  RecordEnvelope envelope{.topic = "payments", .partition = 3, .key = "k1", .timestamp_ms = 99};
  std::unique_ptr<Decoder> decoder;
  EventBatch batch;

 private:
  const std::size_t size_;
};

FormatSpec Pointers(std::vector<std::string> filters, JsonMapping mapping = {.source = "/s",
                                                                             .target = "/t",
                                                                             .weight = {},
                                                                             .time = {},
                                                                             .operation = "/op"}) {
  FormatSpec format;
  format.mapping = std::move(mapping);
  format.time_origin = TimeOrigin::kKafka;
  format.window_filters = std::move(filters);
  return format;
}

TEST(WindowJudgeTest, EachFilterIsAskedForEachRecord) {
  Judged judged(Pointers({"/n > 5", "/n > 7 || /k == 'x'", "$topic == 'payments'"}));
  ASSERT_EQ(judged.error, "");
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6,"k":"x"})"), ElementsAre("111"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6,"k":"y"})"), ElementsAre("101"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b"})"), ElementsAre("001"));
  EXPECT_THAT(judged.Take(R"({"s":"a","n":8})"), ElementsAre("missing_field"));
  judged.envelope.topic = "logins";
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","k":"\u0078"})"), ElementsAre("010"));
  EXPECT_EQ(judged.decoder->counts().filter_failures, 0u);
}

TEST(WindowJudgeTest, WithoutAValueTheRecordDoesNotPassAndIsCounted) {
  Judged judged(Pointers({"/n > 5", "/n % 2 == 0", "true"}));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":"6"})"), ElementsAre("001"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6.0})"), ElementsAre("101"));
  EXPECT_EQ(judged.decoder->counts().filter_failures, 3u);
}

TEST(WindowJudgeTest, RemovalsPassEveryFilter) {
  FormatSpec format = Pointers({"/n > 5"});
  format.tombstone = TombstonePolicy::kRemove;
  Judged judged(format);
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":1,"op":"remove"})"), ElementsAre("1"));
  EXPECT_THAT(judged.Take(R"({"s":"a","op":"remove_vertex"})"), ElementsAre("1"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":1})"), ElementsAre("0"));
  const RecordPlace place{.partition = 0, .offset = 8, .time = {}, .envelope = &judged.envelope};
  ASSERT_FALSE(judged.decoder->DecodeTombstone(R"({"s":"a","t":"b"})", place, judged.batch));
  EXPECT_EQ(judged.batch.PassesOf(judged.batch.events().back()), kPassesAll);
}

TEST(WindowJudgeTest, WhereOfTheSourceIsAskedFirst) {
  FormatSpec format = Pointers({"/n > 5", "/k == 1"});
  format.where = "has(/k) && /k < 3";
  Judged judged(format);
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6,"k":1})"), ElementsAre("11"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":"x","k":9})"), ElementsAre("~11"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6,"k":2})"), ElementsAre("10"));
  EXPECT_EQ(judged.decoder->counts().filter_failures, 0u);
}

TEST(WindowJudgeTest, AllEdgesOfARecordPassWhatTheRecordPasses) {
  Judged elements(Pointers({"/n > 5"}, {.source = "$record/s",
                                        .target = "/t",
                                        .weight = {},
                                        .time = {},
                                        .operation = "/op",
                                        .both_directions = true,
                                        .each = "/to"}));
  ASSERT_EQ(elements.error, "");
  EXPECT_THAT(elements.Take(R"({"s":"a","n":6,"to":[{"t":"b"},{"t":"a"}]})"),
              ElementsAre("1", "1", "1"));
  EXPECT_THAT(elements.Take(R"({"s":"a","n":5,"to":[{"t":"b"},{"t":"c","op":"remove"}]})"),
              ElementsAre("0", "0", "1", "1"));
  EXPECT_THAT(elements.Take(R"({"s":"a","n":4,"to":[{},{"t":"a"}]})"), ElementsAre("0"));

  Judged lines(Pointers(
      {"/n > 5", "/k == 1"},
      {.source = "/s", .target = "/t", .weight = {}, .time = {}, .operation = {}, .lines = true}));
  EXPECT_THAT(lines.Take("{\"s\":\"a\",\"t\":\"b\",\"n\":6}\n{\"s\":\"a\",\"t\":\"b\",\"k\":1}"),
              ElementsAre("10", "01"));
}

TEST(WindowJudgeTest, OfAChangedRowTheRowAfterIsJudged) {
  FormatSpec format = Pointers({"/n > 5"}, {.source = "/s",
                                            .target = "/t",
                                            .weight = {},
                                            .time = {},
                                            .operation = {},
                                            .unwrap = Unwrap::kDebezium});
  format.where = "/t != 'z'";
  Judged judged(format);
  ASSERT_EQ(judged.error, "");
  EXPECT_THAT(judged.Take(R"({"op":"u","before":{"s":"a","t":"b"},)"
                          R"("after":{"s":"a","t":"b","n":1}})"),
              ElementsAre("1", "0"));
  EXPECT_THAT(judged.Take(R"({"op":"d","before":{"s":"a","t":"z"},"after":null})"),
              ElementsAre("~1"))
      << "the filter of the window does not ask for a column of the row before";
  EXPECT_EQ(judged.decoder->counts().filter_failures, 0u);
}

TEST(WindowJudgeTest, ColumnsAreFoundByNameOrNumber) {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = "from", .target = "to", .weight = {}, .time = {}, .operation = {}};
  format.time_origin = TimeOrigin::kClock;
  format.window_filters = {"kind == 'x'", "double(n) > 5.0 && kind != 'z'"};
  Judged names(format, "kind,from,n,to");
  ASSERT_EQ(names.error, "");
  EXPECT_THAT(names.Take("x,a,6,b"), ElementsAre("11"));
  EXPECT_THAT(names.Take("y,a,,b"), ElementsAre("00"));
  EXPECT_THAT(Judged(format, "from,n,to").error, HasSubstr("column \"kind\" is not in the header"));
  format.mapping =
      CsvMapping{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  format.window_filters = {"$3 == 'x'"};
  EXPECT_THAT(Judged(format).Take("a,b,x"), ElementsAre("1"));
  format.window_filters = {"kind == 'x'"};
  EXPECT_THAT(Judged(format).error,
              HasSubstr("where of a window: line 1, column 1: the columns have no names"));
}

TEST(WindowJudgeTest, TypesAreAskedOfEachEdge) {
  JsonMapping mapping = {
      .source = "/s", .target = "/t", .weight = {}, .time = {}, .operation = "/op"};
  mapping.type = "/kind";
  FormatSpec format = Pointers(
      {FilterText(Types{"x"}, ""), FilterText(Types{"y", "x"}, "/n > 5"), "/n > 7"}, mapping);
  Judged judged(format);
  ASSERT_EQ(judged.error, "");
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","kind":"x","n":6})"), ElementsAre("110"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","kind":"x","n":1})"), ElementsAre("100"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","kind":"y","n":6})"), ElementsAre("010"));
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":8})"), ElementsAre("001"));
  const std::string remove = R"({"s":"a","t":"b","op":"remove")";
  EXPECT_THAT(judged.Take(remove + "}"), ElementsAre("111")) << "it may be of any type";
  EXPECT_THAT(judged.Take(remove + R"(,"kind":"y"})"), ElementsAre("011"));
  EXPECT_THAT(judged.Take(remove + R"(,"kind":"z"})"), ElementsAre("001"));
  EXPECT_THAT(judged.Take(R"({"s":"a","op":"remove_vertex","kind":"z"})"), ElementsAre("111"));
}

TEST(WindowJudgeTest, AnExpressionIsForTheMappingsThatGiveItsTypes) {
  JsonMapping payments = {
      .source = "/s", .target = "/t", .weight = {}, .time = {}, .operation = {}};
  payments.type_word = "paid";
  FormatSpec paid =
      Pointers({FilterText(Types{"paid"}, "/n > 5"), FilterText(Types{"login"}, "")}, payments);
  paid.name = "paid";
  paid.topics = {"payments"};
  FormatSpec login = paid;
  CsvMapping rows{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  rows.type_word = "login";
  login.mapping = rows;
  login.name = "login";
  login.topics = {"logins"};
  FormatSpec untyped = login;
  rows.type_word.clear();
  untyped.mapping = rows;
  untyped.name = "untyped";
  FormatSpec format = paid;
  format.mappings = {paid, login, untyped};
  Judged judged(format);
  ASSERT_EQ(judged.error, "");
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":6})"), ElementsAre("10"));
  judged.envelope.topic = "logins";
  EXPECT_THAT(judged.Take("a,b"), ElementsAre("01", "00"));
}

TEST(WindowJudgeTest, EqualFieldsOfFiltersAreReadOnce) {
  std::vector<std::string> filters;
  for (std::size_t i = 0; i < kMostFilters; ++i) filters.push_back("/n > " + std::to_string(i));
  Judged judged(Pointers(filters));
  ASSERT_EQ(judged.error, "");
  EXPECT_THAT(judged.Take(R"({"s":"a","t":"b","n":62})"), ElementsAre(std::string(62, '1') + "00"));
  filters.push_back("/n > 64");
  EXPECT_EQ(Judged(Pointers(filters)).error,
            "where of a window: there are more than 64 different filters");
}

}  // namespace
}  // namespace sash
