#include "daemon/pipeline/bounded_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "daemon/config/scalar_text.h"
#include "daemon/log/exit_code.h"

namespace sash {
namespace {

// Whether a window of this kind can both begin and end in the span.
bool CanHold(const ReplaySpan& span, const WindowSpec& window) {
  if (window.by != WindowAxis::kEventTime || !window.length) return true;
  const std::int64_t from = span.from.time_since_epoch().count();
  const std::int64_t to = span.to.time_since_epoch().count();
  if (to - from < *window.length) return false;
  return EndAfter(window, from + *window.length - 1) <= to;
}

bool HoldsSomething(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return !unknown && size > 0;
}

std::optional<ReplayRefusal> FindOccupiedFile(const Config& config) {
  const auto refuse = [](const std::string& key, const std::string& path) {
    return ReplayRefusal{kExitConfiguration,
                         fmt::format("{}: `{}` is not empty, and --replay overwrites nothing; "
                                     "give another path, or start sashd in an empty folder "
                                     "(relative paths begin in the folder where it starts)",
                                     key, path)};
  };
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    const auto* file = std::get_if<FileSinkSpec>(&config.sinks[i]);
    if (file != nullptr && HoldsSomething(file->path)) {
      return refuse(fmt::format("sinks[{}].file.path", i), file->path);
    }
  }
  const std::string& letters = config.source.dead_letters.path;
  if (HoldsSomething(letters)) return refuse("source.dead_letters.path", letters);
  return std::nullopt;
}

std::optional<std::string> FindMisfit(const Config& config) {
  if (config.source.slices() != nullptr) return std::nullopt;
  const auto* kafka = std::get_if<KafkaSpec>(&config.source.connector);
  if (kafka == nullptr) {
    return "source.replay: --replay reads topics, or exported slices; a file is replayed by "
           "--config alone";
  }
  if (kafka->brokers == "embedded") {
    return "source.kafka.brokers: the embedded broker has no history; give host:port";
  }
  if (kafka->shard) {
    return "source.kafka.partitions: --replay reads all partitions; leave it out";
  }
  if (config.source.format.time_origin == TimeOrigin::kClock) {
    return "source.time.from: is `clock`, and the time of arrival is not in the topic; give field "
           "or kafka";
  }
  for (std::size_t i = 0; i < config.windows.size(); ++i) {
    if (config.windows[i].by != WindowAxis::kProcessingTime) continue;
    return fmt::format(
        "windows[{}].by: is `processing_time`, and the time of arrival is not in the "
        "topic; leave the window out",
        i);
  }
  return std::nullopt;
}

}  // namespace

Result<ReplaySpan> ParseSpan(std::string_view from, std::string_view to) {
  const Result<EventTime> begin = ParsePointInTime(from);
  if (!begin) return Error(begin.error()).Within("--from");
  const Result<EventTime> end = ParsePointInTime(to);
  if (!end) return Error(end.error()).Within("--to");
  if (begin.value() >= end.value()) {
    return Error{ErrorCode::kInvalidArgument, "--from: must be before --to"};
  }
  return ReplaySpan{.from = begin.value(), .to = end.value()};
}

std::optional<ReplayRefusal> MakeBoundedReplay(const ReplaySpan& span, Config& config) {
  if (const auto misfit = FindMisfit(config)) return ReplayRefusal{kExitConfiguration, *misfit};
  const auto holds = [&](const WindowSpec& window) { return CanHold(span, window); };
  if (std::ranges::none_of(config.windows, holds)) {
    return ReplayRefusal{kExitUsage,
                         "--to: no window of the configuration lies between --from and this"};
  }
  if (auto occupied = FindOccupiedFile(config)) return occupied;
  if (auto* const slices = std::get_if<SliceSourceSpec>(&config.source.connector)) {
    slices->span = span;
    slices->at_end = SourceEnd::kExit;
  } else {
    ReplaySpan& asked = std::get<KafkaSpec>(config.source.connector).span.emplace(span);
    asked.pane = Duration(PaneOf(config.windows, WindowAxis::kEventTime));
  }
  // A partition that has been read to the end of the span has no further records: it does not delay
  // the others, and no clock replaces it.
  config.source.time.idle_after = Duration(0);
  config.source.time.on_silence = SilencePolicy::kHold;
  config.source.time.check_ahead = false;  // the neighbouring events show whether an event is ahead
  config.recovery.kind = RecoveryConfig::Kind::kReplay;  // the state belongs to the live process
  config.source.dead_letters.kafka.reset();              // it got them at the first reading
  config.http.port = 0;
  return std::nullopt;
}

bool HoldsWhole(const ReplaySpan& span, const std::vector<WindowSpec>& windows,
                const Provenance& window) {
  if (window.window_end > span.to) return false;
  const auto spec = std::ranges::find(windows, window.window, &WindowSpec::name);
  const bool begins_with_stream =
      spec != windows.end() && (!spec->length || spec->by == WindowAxis::kEvents);
  return begins_with_stream || window.window_start >= span.from;
}

}  // namespace sash
