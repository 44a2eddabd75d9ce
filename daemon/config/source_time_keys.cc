#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "daemon/config/scalar_text.h"
#include "daemon/config/source_keys.h"
#include "daemon/config/time_forms.h"

namespace sash {
namespace {

void CheckOrigin(const Section& time, const TimeContext& context, TimeOrigin origin) {
  if (origin == TimeOrigin::kField && context.maps_time == false) {
    time.Fail("from", fmt::format("is `field`, but the format maps no time; map `time` in "
                                  "source.format, or give {}",
                                  context.replay ? "clock" : "kafka or clock"));
  }
  if (origin == TimeOrigin::kKafka && context.replay) {
    time.Fail("from", "is `kafka`, but a replay has no Kafka timestamps; give field or clock");
  }
}

struct AheadLimitForm {
  std::vector<Shape> Shapes() const { return {TimeSpan{}, Words{{"auto"}}}; }
  void Read(const Section& time, const KeySpec& key, TimePolicy& policy) const {
    constexpr Duration kAuto(-1);
    Duration limit = kAuto;
    time.ReadOr(key.name, limit, {{"auto", kAuto}});
    policy.auto_ahead_limit = limit == kAuto;
    if (!policy.auto_ahead_limit) policy.ahead_limit = limit;
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const TimePolicy& policy) const {
    out.Line(depth, key.name,
             policy.auto_ahead_limit ? "auto" : FormatDuration(policy.ahead_limit));
  }
  bool Same(const TimePolicy& a, const TimePolicy& b) const {
    return a.auto_ahead_limit == b.auto_ahead_limit && a.ahead_limit == b.ahead_limit &&
           a.check_ahead == b.check_ahead;
  }
};

// A row of the format, as one of the source.
KeyRow<SourceConfig, TimeContext> OfFormat(const KeyRow<FormatSpec>& row) {
  return {row.key,
          [row](const Section& time, SourceConfig& source, TimeContext& /*context*/) {
            NoContext none;
            row.Read(time, source.format, none);
          },
          [row](YamlPrinter& out, int depth, const SourceConfig& source) {
            row.binding->Print(out, depth, source.format);
          },
          [row](const SourceConfig& a, const SourceConfig& b) {
            return row.binding->Same(a.format, b.format);
          }};
}

KeyRows<SourceConfig, TimeContext> MakeTimeRows() {
  using Key = KeyRow<SourceConfig, TimeContext>;
  const auto policy = [](auto member) { return Of(&SourceConfig::time, member); };
  const auto format = [](auto member) { return Of(&SourceConfig::format, member); };
  static const OneOf<TimeOrigin> origins{
      {"field", TimeOrigin::kField}, {"kafka", TimeOrigin::kKafka}, {"clock", TimeOrigin::kClock}};
  KeyRows<SourceConfig, TimeContext> rows = {
      Key("from", format(&FormatSpec::time_origin), origins,
          "Where event time comes from. Without this key: field, if the format maps a time; "
          "otherwise kafka (the timestamps of the records), or in a replay clock. kafka is not "
          "possible in a replay.")
          .Default("field")
          .ReadBy([](const Section& time, SourceConfig& source, TimeContext& context) {
            TimeOrigin& origin = source.format.time_origin;
            if (time.Choose("from", origin, origins.choices)) CheckOrigin(time, context, origin);
          }),
      Key("disorder", policy(&TimePolicy::disorder), TimeSpan{},
          "How far the events of a partition may be out of order; events further behind are late."),
      Key("idle_after", policy(&TimePolicy::idle_after), TimeSpan{.zero = false},
          "After this time of silence, a partition that is read to its end no longer holds the "
          "watermark back."),
      Key("on_silence", policy(&TimePolicy::on_silence),
          OneOf<SilencePolicy>{{"hold", SilencePolicy::kHold}, {"clock", SilencePolicy::kClock}},
          "When all partitions are idle: the watermark stays where it is (hold), or follows the "
          "clock (clock)."),
      Key("ahead_limit", &SourceConfig::time, AheadLimitForm{},
          "An event that is further ahead of the wall clock than this waits until it is clear "
          "whether the event or the clock is wrong; a wrong event goes to dead letters. While 90 % "
          "of the newest 1,000 records are ahead, the clock seems to be wrong: nothing is refused, "
          "reading waits, and /readyz reports it. A replay has no clock: it refuses an event that "
          "is later than all previous ones by more than this, if 90 % of the next 100 events are "
          "earlier by as much. auto: the greatest of the shortest event-time slide, disorder and "
          "1m, as configured at the start."),
      Key("late", policy(&TimePolicy::late),
          OneOf<LatePolicy>{{"drop", LatePolicy::kDrop},
                            {"dead_letter", LatePolicy::kDeadLetter},
                            {"next_slice", LatePolicy::kNextSlice}},
          "What happens to late events."),
      Key("max_drift", policy(&TimePolicy::max_drift), TimeSpan{.zero = false},
          "A partition that is ahead of the slowest one by more than this, in event time, is "
          "paused."),
  };
  std::size_t place = 1;
  for (const KeyRow<FormatSpec>& row : TimeTextRows()) {
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place++), OfFormat(row));
  }
  return rows;
}

}  // namespace

const KeyRows<SourceConfig, TimeContext>& TimeRows() {
  static const KeyRows<SourceConfig, TimeContext> rows = MakeTimeRows();
  return rows;
}

}  // namespace sash
