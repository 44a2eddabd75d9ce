#include "connectors/codec/time_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

FormatSpec In(TimeUnit unit, std::string format = {}, std::string zone = {}) {
  FormatSpec spec;
  spec.mapping =
      JsonMapping{.source = "/s", .target = "/t", .weight = {}, .time = "/at", .operation = {}};
  spec.time_unit = unit;
  spec.time_format = std::move(format);
  spec.time_zone = std::move(zone);
  return spec;
}

FormatSpec Steps(Duration step, const char* base) {
  FormatSpec spec = In(TimeUnit::kStep);
  spec.time_step = step;
  if (base != nullptr) spec.time_base = ParseRfc3339(base).value();
  return spec;
}

// A JSON value as a time: nanoseconds since 1970 in RFC 3339, or the refusal's detail.
std::string TimeOf(const FormatSpec& spec, const std::string& json) {
  const Decoded edge = Decoding(spec).Decode(R"({"s":"a","t":"b","at":)" + json + "}");
  if (edge.refused) return std::string(Name(*edge.refused)) + ": " + edge.detail;
  const auto ns = edge.event.time.time_since_epoch();
  const auto day = std::chrono::floor<std::chrono::days>(edge.event.time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(edge.event.time - day);
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02d.%09lldZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<long long>(clock.subseconds().count()));
  EXPECT_EQ(ParseRfc3339(text).value().time_since_epoch(), ns);
  return text;
}

std::string Text(const std::string& text) { return '"' + text + '"'; }

// One row for each system whose spelling is supported.
TEST(TimeReaderTest, ReadsTheSpellingsOfManySystems) {
  const FormatSpec iso = In(TimeUnit::kIso8601);
  const FormatSpec utc = In(TimeUnit::kIso8601, "", "UTC");
  EXPECT_EQ(TimeOf(iso, Text("2017-06-16T16:46:36.337463+0000")), "2017-06-16T16:46:36.337463000Z")
      << "Suricata";
  EXPECT_EQ(TimeOf(iso, Text("2010-01-03T15:10:31.499+00:00")), "2010-01-03T15:10:31.499000000Z")
      << "LDBC";
  EXPECT_EQ(TimeOf(iso, Text("2026-01-01 12:30:00.5+02")), "2026-01-01T10:30:00.500000000Z")
      << "Postgres";
  EXPECT_EQ(TimeOf(utc, Text("2026-01-01 12:30:00")), "2026-01-01T12:30:00.000000000Z") << "pandas";
  EXPECT_EQ(TimeOf(utc, Text("2013-12-31 16:39:18")), "2013-12-31T16:39:18.000000000Z") << "Reddit";
  EXPECT_EQ(TimeOf(In(TimeUnit::kFormat, "%Y/%m/%d %H:%M", "UTC"), Text("2022/09/01 00:20")),
            "2022-09-01T00:20:00.000000000Z")
      << "IBM AML";
  EXPECT_EQ(TimeOf(In(TimeUnit::kFormat, "%d/%m/%Y %H:%M:%S", "America/Halifax"),
                   Text("3/7/2017 8:55:58")),
            "2017-07-03T11:55:58.000000000Z")
      << "CICIDS";
  const FormatSpec gdelt = In(TimeUnit::kFormat, "%Y%m%d%H%M%S", "UTC");
  EXPECT_EQ(TimeOf(gdelt, "20260101123000"), "2026-01-01T12:30:00.000000000Z") << "a number";
  EXPECT_EQ(TimeOf(gdelt, Text("20260101123000")), "2026-01-01T12:30:00.000000000Z");
}

TEST(TimeReaderTest, NumbersMayBeText) {
  const FormatSpec seconds = In(TimeUnit::kSeconds);
  for (const char* json :
       {"42", "42.0", "\"42\"", "\"42.0\"", "\"4.2e1\"", "4.2e1", "\"42.\\u0030\""}) {
    EXPECT_EQ(TimeOf(seconds, json), "1970-01-01T00:00:42.000000000Z") << json;
  }
  EXPECT_EQ(TimeOf(seconds, "\"1767225600.123456789\""), "2026-01-01T00:00:00.123456789Z");
  EXPECT_EQ(TimeOf(seconds, "\"\""), "missing_field: time /at is missing or null" + kAbsent);
  for (const char* json :
       {"\" 42\"", "\"+42\"", "\"0x2a\"", "\"nan\"", "\"1e\"", "\"2026-01-01\""}) {
    EXPECT_THAT(TimeOf(seconds, json),
                HasSubstr("is not a decimal number (for a date: unit: rfc3339 or iso8601, or a"))
        << json;
  }
  EXPECT_THAT(TimeOf(seconds, "\"1e400\""), HasSubstr("invalid_time"));
}

TEST(TimeReaderTest, StepsCountFromTheBase) {
  const FormatSpec paysim = Steps(std::chrono::hours(1), "2026-01-01T00:00:00Z");
  EXPECT_EQ(TimeOf(paysim, "743"), "2026-01-31T23:00:00.000000000Z");
  EXPECT_EQ(TimeOf(paysim, "\"1.5\""), "2026-01-01T01:30:00.000000000Z");
  EXPECT_EQ(TimeOf(paysim, "1.5"), "2026-01-01T01:30:00.000000000Z");
  EXPECT_EQ(TimeOf(paysim, "-1"), "2025-12-31T23:00:00.000000000Z");
  EXPECT_EQ(TimeOf(paysim, "\"-0.25\""), "2025-12-31T23:45:00.000000000Z");
  EXPECT_EQ(TimeOf(Steps(std::chrono::days(1), nullptr), "20454"),
            "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(TimeOf(Steps(Duration(1'500'000'003), nullptr), "\"0.999999999\""),
            "1970-01-01T00:00:01.500000001Z")
      << "to the nanosecond";
  FormatSpec seconds = In(TimeUnit::kSeconds);
  seconds.time_base = ParseRfc3339("2026-01-01T00:00:00Z").value();
  EXPECT_EQ(TimeOf(seconds, "90"), "2026-01-01T00:01:30.000000000Z");
  for (const char* json :
       {"9223372036854775807", "-9223372036854775808", "1e300", "-1e300", "9e15",
        "\"9223372036854775807\"", "\"99999999999999999999\"", "2000000", "\"-3000000\""}) {
    EXPECT_THAT(TimeOf(paysim, json), HasSubstr("is not in the years 1700 to 2200")) << json;
  }
}

TEST(TimeReaderTest, Iso8601IsLooserThanRfc3339) {
  const FormatSpec iso = In(TimeUnit::kIso8601);
  const FormatSpec berlin = In(TimeUnit::kIso8601, "", "Europe/Berlin");
  for (const char* text : {"2026-07-01T12:00:00Z", "2026-07-01T12:00Z", "2026-07-01 12:00+0000",
                           "2026-07-01T14:00:00,000+02", "2026-07-01t09:30:00-0230"}) {
    EXPECT_EQ(TimeOf(iso, Text(text)), "2026-07-01T12:00:00.000000000Z") << text;
    EXPECT_EQ(TimeOf(berlin, Text(text)), "2026-07-01T12:00:00.000000000Z") << text;
  }
  EXPECT_EQ(TimeOf(berlin, Text("2026-07-01 14:00")), "2026-07-01T12:00:00.000000000Z");
  EXPECT_EQ(TimeOf(berlin, Text("2026-01-01 13:00:00.25")), "2026-01-01T12:00:00.250000000Z");
  EXPECT_THAT(TimeOf(iso, Text("2026-07-01 14:00")), HasSubstr("give source.time.zone"));
  for (const char* text :
       {"2026-07-01", "2026-7-1 14:00Z", "2026-07-01T14Z", "20260701T140000Z",
        "2026-07-01T14:00:00.Z", "2026-07-01T14:00:00+2", "2026-07-01T14:00 Z",
        "2026-07-01T14:00:00+02:0", "2026-07-01T14:00:00+02:", " 2026-07-01T14:00Z",
        "2026-07-01T14:00:00+24:00", "2026-07-01T14:00:00+000"}) {
    EXPECT_THAT(TimeOf(iso, Text(text)), HasSubstr("is not ISO 8601, as in")) << text;
  }
  EXPECT_THAT(TimeOf(iso, Text("2026-02-29T14:00Z")), HasSubstr("is not a valid date"));
  EXPECT_THAT(TimeOf(iso, Text("1600-01-01T14:00Z")), HasSubstr("1700 to 2200"));
  EXPECT_THAT(TimeOf(berlin, Text("9999-01-01T14:00")), HasSubstr("1700 to 2200"));
  EXPECT_THAT(TimeOf(iso, "1767225600"), HasSubstr("wrong_type"));
}

TEST(TimeReaderTest, Rfc3339StaysStrictAndNamesTheLooserUnit) {
  const FormatSpec strict = In(TimeUnit::kRfc3339);
  EXPECT_EQ(TimeOf(strict, Text("2026-07-01 12:00:00Z")), "2026-07-01T12:00:00.000000000Z");
  EXPECT_THAT(TimeOf(strict, Text("2026-07-01T12:00:00+0000")),
              HasSubstr("(unit: iso8601 reads it"));
  EXPECT_THAT(TimeOf(strict, Text("2026-07-01 12:00")),
              HasSubstr("(unit: iso8601 with zone reads"));
  EXPECT_THAT(TimeOf(strict, Text("1 July")), ::testing::Not(HasSubstr("iso8601")));
}

TEST(TimeReaderTest, ARefusalNamesTextFormatAndAnExample) {
  EXPECT_EQ(
      TimeOf(In(TimeUnit::kFormat, "%Y/%m/%d %H:%M", "UTC"), Text("2022-09-01 00:20")),
      "invalid_time: time /at: \"2022-09-01 00:20\" does not fit (format %Y/%m/%d %H:%M, as in "
      "2026/01/31 20:15)");
}

TEST(TimeReaderTest, TimesOfAZoneThatAreNoneOrTwoAreCounted) {
  FormatSpec spec = In(TimeUnit::kFormat, "%F %R", "Europe/Berlin");
  auto decoder = MakeDecoder(spec).value();
  EventBatch batch;
  const auto decode = [&](const char* local) {
    const std::string record = R"({"s":"a","t":"b","at":")" + std::string(local) + "\"}";
    EXPECT_FALSE(decoder->Decode(record, {}, batch));
    return batch.events().back().time;
  };
  const EventTime skipped = decode("2026-03-29 02:30");
  EXPECT_EQ(skipped, ParseRfc3339("2026-03-29T03:30:00+02:00").value());
  EXPECT_EQ(decoder->counts().doubtful_times, 1u);
  const EventTime repeated = decode("2026-10-25 02:30");
  EXPECT_EQ(repeated, ParseRfc3339("2026-10-25T02:30:00+02:00").value());
  EXPECT_EQ(decoder->counts().doubtful_times, 2u);
  decode("2026-10-25 03:00");
  EXPECT_EQ(decoder->counts().doubtful_times, 2u);
  EXPECT_TRUE(decoder->Decode(R"({"s":"","t":"b","at":"2026-10-25 02:30"})", {}, batch));
  EXPECT_EQ(decoder->counts().doubtful_times, 2u) << "a refused record is not an event";
}

// Call records and Zeek's cousins: a date and a time of day in fields of their own.
TEST(TimeReaderTest, FieldsAreJoined) {
  FormatSpec spec = In(TimeUnit::kFormat, "%d.%m.%Y %H:%M:%S", "Europe/Berlin");
  auto& json = std::get<JsonMapping>(spec.mapping);
  json.time = "/date";
  json.time_rest = {{"/clock/0"}, " "};
  Decoding decoding(spec);
  const auto decode = [&](const std::string& members) {
    return decoding.Decode(R"({"s":"a","t":"b",)" + members + "}");
  };
  const EventTime noon = ParseRfc3339("2026-07-01T12:00:00+02:00").value();
  EXPECT_EQ(decode(R"("date":"01.07.2026","clock":["12:00:00"])").event.time, noon);
  EXPECT_EQ(decode(R"("clock":["12:\u00300:00"],"date":"1.7.2026")").event.time, noon);
  EXPECT_EQ(decode(R"("date":"01.07.2026")").detail, "time /clock/0 is missing or null" + kAbsent);
  EXPECT_EQ(decode(R"("date":"","clock":["12:00:00"])").detail,
            "time /date is missing or null" + kAbsent);
  EXPECT_EQ(decode(R"("date":"01.07.2026","clock":[true])").detail,
            "time /clock/0 is a boolean; joined fields are strings or integers");
  EXPECT_EQ(decode(R"("date":"01.07.2026","clock":["noon"])").detail,
            "time /date + /clock/0: \"01.07.2026 noon\" does not fit (format %d.%m.%Y %H:%M:%S, as "
            "in 31.01.2026 20:15:00)");

  spec = In(TimeUnit::kFormat, "%Y%m%d%H%M%S", "UTC");
  spec.mapping = CsvMapping{.source = "a",
                            .target = "b",
                            .weight = {},
                            .time = "day",
                            .operation = {},
                            .time_rest = {{"clock"}, ""}};
  Decoding rows(spec, "a,day,clock,b");
  EXPECT_EQ(rows.Decode("x,20260701,100000,y").event.time, noon);
  EXPECT_EQ(rows.Decode("x,20260701,,y").detail, "time (column \"clock\") is empty" + kAbsent);
  EXPECT_EQ(rows.Decode("x,,100000,y").detail, "time (column \"day\") is empty" + kAbsent);
  EXPECT_THAT(rows.Decode("x,20260701,soon,y").detail,
              HasSubstr("time (column \"day\") + time (column \"clock\"): \"20260701soon\" does"));
  std::get<CsvMapping>(spec.mapping).time_rest.more = {"a", "a", "a", "a"};
  EXPECT_FALSE(MakeDecoder(spec, "a,day,clock,b").ok()) << "too many fields";
}

TEST(TimeReaderTest, AWrongFormatOrZoneMakesNoDecoder) {
  const auto why = [](const FormatSpec& spec) {
    const auto made = MakeDecoder(spec);
    return made.ok() ? "made" : made.error().message;
  };
  EXPECT_THAT(why(In(TimeUnit::kFormat, "%q", "UTC")), HasSubstr("the time format: `%q` at"));
  EXPECT_THAT(why(In(TimeUnit::kFormat, "%F", "Mars")), HasSubstr("the zone Mars: is not a time"));
  EXPECT_THAT(why(In(TimeUnit::kFormat, "%F")), HasSubstr("the time format has no %z"));
  EXPECT_EQ(why(In(TimeUnit::kFormat, "%F %z")), "made");
}

}  // namespace
}  // namespace sash
