#include <fmt/format.h>

#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

ReplaySpec ReadReplay(const Section& replay) {
  ReplaySpec spec;
  replay.Require("path", spec.path, "the path of a file, or \"-\" for standard input",
                 ParseNonEmpty);
  replay.Choose("pace", spec.pace,
                {{"full", ReplayPace::kFull}, {"event_time", ReplayPace::kEventTime}});
  return spec;
}

void ReadOrigin(const Section& time, bool replay, std::optional<bool> maps_time,
                TimeOrigin& origin) {
  if (!time.Choose("from", origin,
                   {{"field", TimeOrigin::kField},
                    {"kafka", TimeOrigin::kKafka},
                    {"clock", TimeOrigin::kClock}})) {
    return;
  }
  if (origin == TimeOrigin::kField && maps_time == false) {
    time.Fail("from", fmt::format("is `field`, but the format maps no time; map `time` in "
                                  "source.format, or give {}",
                                  replay ? "clock" : "kafka or clock"));
  }
  if (origin == TimeOrigin::kKafka && replay) {
    time.Fail("from", "is `kafka`, but a replay has no Kafka timestamps; give field or clock");
  }
}

void ReadTime(const Section& time, FormatSpec& format, TimePolicy& policy) {
  time.Choose("unit", format.time_unit,
              {{"s", TimeUnit::kSeconds},
               {"ms", TimeUnit::kMilliseconds},
               {"us", TimeUnit::kMicroseconds},
               {"ns", TimeUnit::kNanoseconds},
               {"rfc3339", TimeUnit::kRfc3339}});
  time.Read("disorder", policy.disorder);
  time.Read("idle_after", policy.idle_after);
  time.Choose("on_silence", policy.on_silence,
              {{"hold", SilencePolicy::kHold}, {"clock", SilencePolicy::kClock}});
  constexpr Duration kAuto(-1);
  Duration limit = kAuto;
  time.ReadOr("ahead_limit", limit, {{"auto", kAuto}});
  policy.auto_ahead_limit = limit == kAuto;
  if (!policy.auto_ahead_limit) policy.ahead_limit = limit;
  time.Choose("late", policy.late,
              {{"drop", LatePolicy::kDrop},
               {"dead_letter", LatePolicy::kDeadLetter},
               {"next_slice", LatePolicy::kNextSlice}});
  time.Read("max_drift", policy.max_drift);
}

void ReadDeadLetters(const Section& source, const KafkaSpec* kafka, DeadLetterSpec& spec) {
  if (!source.Has("dead_letters")) return;
  const Section letters = source.Child("dead_letters", "source.dead_letters");
  letters.Read("path", spec.path, "the path of a file", ParseFilePath);
  letters.Read("limit", spec.limit_bytes);
  if (letters.Has("topic")) {
    Uses uses{{NormalPath(spec.path), "source.dead_letters.path"}};
    spec.kafka.emplace();
    ReadDestination(letters, "source.dead_letters.outbox", kafka, uses, *spec.kafka);
    return;
  }
  for (const char* key : {"brokers", "outbox", "options"}) {
    if (!letters.Has(key)) continue;
    letters.Fail(key, "is of no use without a topic; give topic, or leave it out");
  }
}

// Writing into the file that is being replayed would destroy it.
void CheckDeadLetterPath(const Section& source, const SourceConfig& config) {
  const auto* replay = std::get_if<ReplaySpec>(&config.connector);
  if (replay == nullptr || replay->path == "-") return;
  if (NormalPath(replay->path) != NormalPath(config.dead_letters.path)) return;
  const std::string message =
      fmt::format("`{}` is the file that source.replay.path reads; give another file",
                  config.dead_letters.path);
  if (source.Has("dead_letters")) {
    source.Child("dead_letters", "source.dead_letters").Fail("path", message);
  } else {
    source.Fail("dead_letters", message);
  }
}

}  // namespace

SourceConfig ReadSource(const Section& root) {
  SourceConfig config;
  if (!root.Has("source")) {
    root.FailMissing("source", "give kafka: {topics: [...]} or replay: {path: ...}, and a format");
    return config;
  }
  const Section source = root.Child("source", "source");
  const auto connector =
      source.ExactlyOne({"kafka", "replay"}, "kafka: {topics: [...]} or replay: {path: ...}");
  const bool replay = connector == "replay";
  if (connector == "kafka") config.connector = ReadKafka(source.Child("kafka", "source.kafka"));
  if (replay) {
    const Section file = source.Child("replay", "source.replay");
    config.connector = ReadReplay(file);
    file.Read("refuse_at_most", config.refuse_at_most, "a percentage such as 50%", ParsePercentage);
  }

  ReadFormatResult format = ReadFormat(source);
  format.spec.time_origin = format.maps_time.value_or(true) ? TimeOrigin::kField
                            : replay                        ? TimeOrigin::kClock
                                                            : TimeOrigin::kKafka;
  if (source.Has("time")) {
    const Section time = source.Child("time", "source.time");
    ReadOrigin(time, replay, format.maps_time, format.spec.time_origin);
    ReadTime(time, format.spec, config.time);
  }
  config.format = std::move(format.spec);
  config.time.check_ahead = !replay;
  ReadDeadLetters(source, std::get_if<KafkaSpec>(&config.connector), config.dead_letters);
  CheckDeadLetterPath(source, config);
  return config;
}

}  // namespace sash
