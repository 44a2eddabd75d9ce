#include "connectors/codec/mapping_text.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

namespace sash {
namespace {

FormatSpec JsonFormat() {
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/s", .target = "/t", .weight = {}, .time = "/at", .operation = {}};
  return format;
}

FormatSpec CsvFormat() {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = 1u, .target = 2u, .weight = {}, .time = 3u, .operation = {}};
  return format;
}

TEST(MappingTextTest, SaysWhatGivesEdgesTheirMeaning) {
  EXPECT_EQ(MappingText(JsonFormat()),
            "edges[0].operation: none\nedges[0].source: \"/s\"\nedges[0].target: \"/t\"\n"
            "edges[0].time: \"/at\"\nedges[0].weight: none\nkeys: string\nrecords: json\n"
            "time.from: field\ntime.unit: ms\ntombstone: ignore\n");
}

TEST(MappingTextTest, EveryPartThatCountsChangesTheDigest) {
  const std::vector<std::function<void(FormatSpec&)>> changes = {
      [](FormatSpec&) {},
      [](FormatSpec& f) { f.keys = KeyKind::kInteger; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).source = "$key"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).unwrap = Unwrap::kConnect; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).unwrap = Unwrap::kCloudEvents; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).text_at = ""; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).text_at = "/message"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).source = "$header.s"; },
      [](FormatSpec& f) { f.tombstone = TombstonePolicy::kRemove; },
      [](FormatSpec& f) { f.tombstone = TombstonePolicy::kDeadLetter; },
      [](FormatSpec& f) { f.time_origin = TimeOrigin::kKafka; },
      [](FormatSpec& f) { f.time_origin = TimeOrigin::kClock; },
      [](FormatSpec& f) { f.time_unit = TimeUnit::kSeconds; },
      [](FormatSpec& f) { f.time_unit = TimeUnit::kRfc3339; },
      [](FormatSpec& f) { f.time_unit = TimeUnit::kIso8601; },
      [](FormatSpec& f) {
        f.time_unit = TimeUnit::kIso8601;
        f.time_zone = "Europe/Berlin";
      },
      [](FormatSpec& f) {
        f.time_unit = TimeUnit::kFormat;
        f.time_format = "%F";
        f.time_zone = "Europe/Berlin";
      },
      [](FormatSpec& f) {
        f.time_unit = TimeUnit::kFormat;
        f.time_format = "%D";
        f.time_zone = "Europe/Berlin";
      },
      [](FormatSpec& f) {
        f.time_unit = TimeUnit::kStep;
        f.time_step = std::chrono::hours(1);
      },
      [](FormatSpec& f) {
        f.time_unit = TimeUnit::kStep;
        f.time_step = std::chrono::hours(2);
      },
      [](FormatSpec& f) { f.time_base = EventTime(std::chrono::hours(1)); },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).time_rest = {{"/clock"}, " "};
      },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).time_rest = {{"/clock"}, "T"};
      },
      [](FormatSpec& f) {
        std::swap(std::get<JsonMapping>(f.mapping).source, std::get<JsonMapping>(f.mapping).target);
      },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).weight = "/w"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).weight = ""; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).time = "/when"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).operation = "/op"; },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).source = "/s\"\nedges[0].target: \"/t";
      },
      [](FormatSpec& f) { f = CsvFormat(); },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).delimiter = ';';
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).delimiter = kBlanks;
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).quotes = false;
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).comment = "#";
      },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).each = "/l"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).each = ""; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).both_directions = true; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).more_edges.emplace_back(); },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).more_edges.emplace_back().both_directions = true;
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).both_directions = true;
      },
      [](FormatSpec& f) { f.where = "/a == 1"; },
      [](FormatSpec& f) { f.where = "/a == 1\n"; },
      [](FormatSpec& f) { f.nulls = {""}; },
      [](FormatSpec& f) {
        f.nulls = {"-", ""};
      },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).type = "/kind"; },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).type_word = "/kind"; },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).type = "/kind";
        std::get<JsonMapping>(f.mapping).type_parts.text.trim = true;
      },
      [](FormatSpec& f) { std::get<JsonMapping>(f.mapping).id = "/kind"; },
      [](FormatSpec& f) {
        std::get<JsonMapping>(f.mapping).id = "/kind";
        std::get<JsonMapping>(f.mapping).id_parts = {{{"/b"}, "-"}, {}};
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).source = "1";
      },
      [](FormatSpec& f) {
        f = CsvFormat();
        std::get<CsvMapping>(f.mapping).source = 4u;
      },
  };
  std::set<std::string> digests;
  for (const auto& change : changes) {
    FormatSpec format = JsonFormat();
    change(format);
    digests.insert(MappingDigest(MappingText(format)));
  }
  EXPECT_EQ(digests.size(), changes.size());
}

TEST(MappingTextTest, SaysWhatIdsDo) {
  EXPECT_EQ(MappingText(JsonFormat(), std::chrono::seconds(1)),
            "dedupe: 1000000000ns\n" + MappingText(JsonFormat()));
}

TEST(MappingTextTest, NamesTheFurtherEdges) {
  FormatSpec format = JsonFormat();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.each = "/l";
  mapping.more_edges.push_back(mapping);
  mapping.more_edges[0].both_directions = true;
  EXPECT_EQ(MappingText(format),
            "each: \"/l\"\n"
            "edges[0].operation: none\nedges[0].source: \"/s\"\nedges[0].target: \"/t\"\n"
            "edges[0].time: \"/at\"\nedges[0].weight: none\nedges[1].direction: both\n"
            "edges[1].operation: none\nedges[1].source: \"/s\"\nedges[1].target: \"/t\"\n"
            "edges[1].time: \"/at\"\nedges[1].weight: none\nkeys: string\nrecords: json\n"
            "time.from: field\ntime.unit: ms\ntombstone: ignore\n");
}

TEST(MappingTextTest, WhatHasNoEffectDoesNotChangeIt) {
  FormatSpec format = JsonFormat();
  format.time_origin = TimeOrigin::kKafka;
  const std::string text = MappingText(format);
  format.time_unit = TimeUnit::kSeconds;
  std::get<JsonMapping>(format.mapping).time.reset();
  EXPECT_EQ(MappingText(format), text);
}

TEST(MappingTextTest, ADifferenceNamesBothValues) {
  FormatSpec changed = JsonFormat();
  changed.keys = KeyKind::kInteger;
  std::get<JsonMapping>(changed.mapping).source = "/from";
  const std::string before = MappingText(JsonFormat());
  EXPECT_EQ(MappingDifference(before, before), "");
  EXPECT_EQ(MappingDifference(before, MappingText(changed)),
            "edges[0].source was \"/s\" and is \"/from\"; keys was string and is integer");
  EXPECT_EQ(MappingDifference(before + "id: \"/tx\"\n", before), "id was \"/tx\" and is none")
      << "a line that another version wrote";
}

}  // namespace
}  // namespace sash
