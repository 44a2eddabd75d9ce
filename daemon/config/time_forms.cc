#include "daemon/config/time_forms.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "connectors/codec/time_plan.h"
#include "connectors/codec/time_reader.h"
#include "connectors/codec/zone_table.h"
#include "connectors/sinks/time_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

struct UnitWord {
  std::string_view word;
  TimeUnit unit;
  Duration meaning;  // the time that the number 1 counts; less than 0: not a number
};
constexpr std::array<UnitWord, 6> kUnitWords = {
    {{"s", TimeUnit::kSeconds, std::chrono::seconds(1)},
     {"ms", TimeUnit::kMilliseconds, std::chrono::milliseconds(1)},
     {"us", TimeUnit::kMicroseconds, std::chrono::microseconds(1)},
     {"ns", TimeUnit::kNanoseconds, std::chrono::nanoseconds(1)},
     {"rfc3339", TimeUnit::kRfc3339, Duration(-1)},
     {"iso8601", TimeUnit::kIso8601, Duration(-2)}}};

bool AreNumbers(const FormatSpec& format) {
  return CountsIn(format.time_unit) || format.time_unit == TimeUnit::kStep;
}

std::string UnitText(const FormatSpec& format) {
  for (const UnitWord& known : kUnitWords) {
    if (known.unit == format.time_unit) return std::string(known.word);
  }
  return FormatDuration(format.time_step);
}

constexpr std::string_view kFormatText = "a format such as \"%Y-%m-%d %H:%M:%S\"";
constexpr std::string_view kZoneText = "an IANA name such as Europe/Berlin, or UTC";

Result<std::string> ParseFormat(std::string_view text) {
  const Result<TimePlan> plan = TimePlan::Compile(text);
  if (!plan.ok()) return Wrong(fmt::format("`{}` {}", text, plan.error().message));
  return std::string(text);
}

// Unlike other times it may be before 1970, as where spreadsheets begin to count (1899-12-30).
Result<EventTime> ParseBase(std::string_view text) {
  if (text.find('-', 1) == std::string_view::npos) return ParsePointInTime(text);
  Result<EventTime> time = ReadInstant(text);
  if (time.ok()) return time;
  return Wrong(
      fmt::format("`{}` is not a time in the years 1700 to 2200; give RFC 3339, such as "
                  "1899-12-30T00:00:00Z, or milliseconds since 1970",
                  text));
}

Result<std::string> ParseZone(std::string_view text) {
  const Result<ZoneTable> zone = ZoneTable::Load(std::string(text));
  if (!zone.ok()) return Wrong(fmt::format("`{}` {}", text, zone.error().message));
  return std::string(text);
}

}  // namespace

std::vector<Shape> TimeUnitForm::Shapes() const {
  Words words;
  for (const UnitWord& known : kUnitWords) words.words.push_back(known.word);
  return {std::move(words), TimeSpan{.zero = false}};
}

void TimeUnitForm::Read(const Section& time, const KeySpec& key, FormatSpec& format) const {
  std::vector<std::pair<std::string_view, Duration>> words;
  for (const UnitWord& known : kUnitWords) words.emplace_back(known.word, known.meaning);
  Duration meaning{};
  time.ReadOr(key.name, meaning, words);
  if (meaning == Duration()) return;
  format.time_unit = TimeUnit::kStep;
  for (const UnitWord& known : kUnitWords) {
    if (known.meaning == meaning) format.time_unit = known.unit;
  }
  if (format.time_unit == TimeUnit::kStep) format.time_step = meaning;
}

void TimeUnitForm::Print(YamlPrinter& out, int depth, const KeySpec& key,
                         const FormatSpec& format) const {
  if (format.time_unit != TimeUnit::kFormat) out.Line(depth, key.name, UnitText(format));
}

bool TimeUnitForm::Same(const FormatSpec& a, const FormatSpec& b) const {
  return a.time_unit == b.time_unit && a.time_step == b.time_step;
}

std::vector<Shape> TimeBaseForm::Shapes() const { return InstantShapes(); }

void TimeBaseForm::Read(const Section& time, const KeySpec& key, EventTime& base) const {
  time.Read(key.name, base, "a time, such as 2026-01-01T00:00:00Z", ParseBase);
}

void TimeBaseForm::Print(YamlPrinter& out, int depth, const KeySpec& key, EventTime base) const {
  if (base != EventTime()) out.Line(depth, key.name, Quote(TimeText(base)));
}

std::vector<Shape> TimeFormatForm::Shapes() const {
  return {Text{"", kNothing, "a format of times, as for strptime"}};
}

void TimeFormatForm::Read(const Section& time, const KeySpec& key, FormatSpec& format) const {
  if (time.Read(key.name, format.time_format, kFormatText, ParseFormat)) {
    format.time_unit = TimeUnit::kFormat;
  }
}

void TimeFormatForm::Print(YamlPrinter& out, int depth, const KeySpec& key,
                           const FormatSpec& format) const {
  if (format.time_unit == TimeUnit::kFormat) out.Line(depth, key.name, Quote(format.time_format));
}

bool TimeFormatForm::Same(const FormatSpec& a, const FormatSpec& b) const {
  return a.time_format == b.time_format;
}

TextForm ZoneForm() {
  return {Text{"", kNothing, "an IANA name of a time zone"}, kZoneText, ParseZone};
}

const KeyRows<FormatSpec>& TimeTextRows() {
  using Key = KeyRow<FormatSpec>;
  static const KeyRows<FormatSpec> rows = {
      Key("unit", kWhole, TimeUnitForm{},
          "How the field that is mapped as time is written. s, ms, us, ns: numbers of this unit "
          "since 1970, or text that is a number; a duration such as 1h: numbers of such steps; "
          "rfc3339: 2026-01-31T08:15:00.250Z; iso8601: also +0100 as offset, a comma before the "
          "fraction, no seconds, and with zone no offset."),
      Key("base", &FormatSpec::time_base, TimeBaseForm{}, "For numbers: the time that 0 means.")
          .Default("\"1970-01-01T00:00:00Z\"")
          .Range("RFC 3339 in the years 1700 to 2200, or milliseconds since 1970"),
      Key("format", kWhole, TimeFormatForm{},
          "In place of unit: how the field is written, as for strptime "
          "(connectors/README.md#times). %S also takes a fraction. Without %z, zone is needed.")
          .Range("a format that has the whole date"),
      Key("zone", &FormatSpec::time_zone, ZoneForm(),
          "The zone of times that are written without an offset. A local time that the zone skips "
          "or repeats has the offset from before the change, and is counted "
          "(sash_source_incidents_total, kind doubtful_times).")
          .Range("an IANA name, or UTC"),
  };
  return rows;
}

std::array<std::string_view, 4> TimeTextKeys() { return {"unit", "base", "format", "zone"}; }

void TakeTimeText(const FormatSpec& from, FormatSpec& to) {
  to.time_unit = from.time_unit;
  to.time_step = from.time_step;
  to.time_base = from.time_base;
  to.time_format = from.time_format;
  to.time_zone = from.time_zone;
}

void CheckTimeText(const Section& time, const FormatSpec& format) {
  if (time.Has("unit") && time.Has("format")) {
    return time.Fail("format", "cannot be given together with `unit`; leave out one of them");
  }
  const std::string unit = fmt::format("unit: {}", UnitText(format));
  if (time.Has("base") && !AreNumbers(format)) {
    time.Fail("base", fmt::format("has no effect {}, because it is for numbers; leave it out",
                                  time.Has("format") ? "with a format" : "with " + unit));
  }
  if (time.Has("format")) {
    const Result<TimePlan> plan = TimePlan::Compile(format.time_format);
    if (format.time_unit != TimeUnit::kFormat || !plan.ok()) return;  // already an error
    if (plan.value().has_offset() && time.Has("zone")) {
      time.Fail("zone", "has no effect, because the format has %z; leave out one of them");
    } else if (!plan.value().has_offset() && !time.Has("zone")) {
      time.Fail("format",
                "has no %z, so the zone of the times is not known; give zone, such as "
                "zone: UTC");
    }
  } else if (time.Has("zone") && format.time_unit != TimeUnit::kIso8601) {
    time.Fail("zone", fmt::format("has no effect with {}; leave it out, or give unit: iso8601 or a "
                                  "format",
                                  unit));
  }
}

}  // namespace sash
