#include "daemon/probe/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/key_watch.h"
#include "connectors/replay/replay_files.h"
#include "connectors/replay/replay_source.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/letters/record_judge.h"
#include "daemon/memory/memory_limit.h"
#include "windows/base/utf8.h"
#include "windows/ingest/operation_name.h"

namespace sash {
namespace {

constexpr const char* kWhere = "source.replay.path";
constexpr std::chrono::seconds kPatience{5};
constexpr std::size_t kQueueBytes = 1 << 20;  // so that little more than the beginning is read

std::string KeyText(KeyRef key, const EventBatch& batch, KeyKind kind) {
  constexpr std::size_t kLongest = 60;
  if (kind == KeyKind::kInteger) return std::to_string(key.integer());
  const std::string_view text = batch.Text(key.text());
  // As JSON, so that a key cannot act on the terminal.
  return JsonText().Text(Beginning(text, kLongest)).text() + (text.size() > kLongest ? "..." : "");
}

// The first batch that is not empty; empty when none came in time.
std::optional<EventBatch> FirstBatch(BatchQueue& queue, const Clock& clock) {
  const SteadyTime deadline = clock.Steady() + kPatience;
  while (clock.Steady() < deadline) {
    std::optional<EventBatch> batch = queue.Pop(std::chrono::milliseconds(100));
    if (batch && (!batch->events().empty() || !batch->marks().empty() || batch->end_of_source)) {
      return batch;
    }
  }
  return std::nullopt;
}

struct RecordCount {
  std::size_t records = 0;
  std::size_t refused = 0;  // all their edges or some
};

RecordCount CountRecords(const EventBatch& batch) {
  const std::vector<EdgeEvent>& events = batch.events();
  RecordCount count;
  for (const EdgeEvent& event : events) count.records += event.further ? 0 : 1;
  std::optional<std::int64_t> last;  // the offset of the last refused record
  for (const Mark& mark : batch.marks()) {
    if (std::exchange(last, mark.offset) == mark.offset) continue;
    ++count.refused;
    const bool has_others =
        mark.before_event < events.size() && events[mark.before_event].offset == mark.offset;
    if (!has_others) ++count.records;
  }
  return count;
}

void TellBatch(const EventBatch& batch, const FirstRefusal& refusals, const SourceConfig& source,
               Findings& findings) {
  const auto [records, refused] = CountRecords(batch);
  if (records == 0) {
    findings.Warn(kWhere, "it holds no record", "is it the right file?");
    return;
  }
  const std::string fix = "fix source.format or source.time.unit, or the file";
  if (refused > 0) {
    const std::string what =
        fmt::format("of the first {} records {} do not decode; the first, at offset {}: {}: {}",
                    records, refused, refusals.offset, refusals.reason, refusals.detail);
    if (batch.events().empty()) {
      findings.Fail(kWhere, what, fix);
      return;
    }
    findings.Warn(kWhere, what, fix);
  }
  KeyWatch watch(source.format.keys);
  watch.Look(batch);
  for (std::string& warning : watch.Warnings()) findings.Warn(kWhere, std::move(warning), "");
  const auto found = std::ranges::find(batch.events(), false, &EdgeEvent::filtered);
  if (found == batch.events().end()) {
    findings.Warn(kWhere,
                  fmt::format("all of the first {} records are filtered (where, skip)", records),
                  "are the expression and the words right?");
    return;
  }
  const EdgeEvent& first = *found;
  const auto place = static_cast<std::size_t>(found - batch.events().begin());
  const std::string edge = fmt::format("the first record that decodes, at offset {}: {}",
                                       first.offset, RecordText(place, batch, source.format.keys));
  const std::string odd = OddTime(first.time, source.time, false, SystemClock().Now());
  if (odd.empty()) {
    findings.Ok(kWhere, edge);
  } else {
    findings.Warn(kWhere, fmt::format("{}; {}", edge, odd), "is source.time.unit right?");
  }
}

}  // namespace

std::string EdgeText(const EdgeEvent& event, const EventBatch& batch, KeyKind keys) {
  const std::string source = KeyText(event.source, batch, keys);
  const std::string time = TimeText(event.time);
  const TextRef type_text = batch.TypeOf(event);
  const std::string type =
      type_text.length == 0 ? "" : fmt::format(", type {}", batch.Text(type_text));
  if (event.operation == Operation::kRemoveVertex) {
    return fmt::format("{}, event time {}, {}{}", source, time, OperationName(event.operation),
                       type);
  }
  return fmt::format(
      "{} -> {}, weight {}, event time {}, {}{}", source, KeyText(event.target, batch, keys),
      JsonText().WeightValue(event.weight).text(), time, OperationName(event.operation), type);
}

std::string RecordText(std::size_t first, const EventBatch& batch, KeyKind keys) {
  std::string text = EdgeText(batch.events()[first], batch, keys);
  const std::size_t more = batch.RecordEnd(first) - first - 1;
  if (more > 0) text += fmt::format(", and {} more edge{}", more, more == 1 ? "" : "s");
  return text;
}

std::string OddTime(EventTime time, const TimePolicy& policy, bool live, EventTime now) {
  constexpr std::chrono::sys_days kOldest = std::chrono::year(1980) / 1 / 1;
  if (time < kOldest) return "its time is long ago";
  if (!live || !policy.check_ahead || now >= time || time - now <= policy.ahead_limit) return "";
  return fmt::format(
      "it would be refused: its time is more than source.time.ahead_limit ({}) "
      "ahead of the clock",
      FormatDuration(policy.ahead_limit));
}

void ProbeReplayFile(const SourceConfig& source, Findings& findings) {
  ReplaySpec spec = std::get<ReplaySpec>(source.connector);
  spec.pace = ReplayPace::kFull;
  const Result<std::vector<std::string>> files = FilesOf(spec.paths);
  if (!files.ok()) {
    findings.Fail(kWhere, files.error().message, "fix source.replay.path");
    return;
  }
  std::error_code unknown;
  // Reading a pipe would take away the data that the run needs.
  const bool is_pipe = std::ranges::any_of(files.value(), [&](const std::string& path) {
    return path == "-" || std::filesystem::is_fifo(path, unknown);
  });
  if (is_pipe) {
    findings.Ok(kWhere, "a pipe, which can be read once only: nothing is read from it here");
    return;
  }
  PartitionTable partitions;
  BatchQueue queue(kQueueBytes);
  FirstRefusal refusals;
  SystemClock clock;
  StreamProgress progress;
  ReplaySource file(spec, source.format, partitions, queue, refusals, clock, progress);
  const Status started = file.Start();
  if (!started) {
    findings.Fail(kWhere, started.error().message, "fix source.replay.path or source.format");
    return;
  }
  std::uintmax_t size = 0;
  bool is_known = true;
  for (const std::string& path : files.value()) {
    size += std::filesystem::file_size(path, unknown);
    is_known = is_known && !unknown;
  }
  if (is_known) {
    findings.Ok(kWhere,
                fmt::format("`{}` can be read, {}", NameOf(files.value()),
                            size < kQueueBytes ? fmt::format("{} bytes", size) : SizeText(size)));
  }
  const std::optional<EventBatch> batch = FirstBatch(queue, clock);
  file.Stop();
  if (const auto failure = file.status().failure) {
    findings.Fail(kWhere, *failure, "name a file that can be read to its end");
  } else if (!batch) {
    findings.Warn(kWhere, fmt::format("no record came within {} s", kPatience.count()),
                  "is it a slow device?");
  } else {
    TellBatch(*batch, refusals, source, findings);
  }
}

}  // namespace sash
