#include "tests/connectors/kafka/source_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

namespace sash {
namespace {

constexpr std::chrono::seconds kLimit{20};

class WordDecoder final : public Decoder {
 public:
  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override {
    return Read(std::string(record), place, Operation::kAdd, batch);
  }
  std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                         EventBatch& batch) override {
    return Read(std::string(key), place, Operation::kRemove, batch);
  }

 private:
  static std::optional<Refused> Read(const std::string& text, const RecordPlace& place,
                                     Operation operation, EventBatch& batch) {
    std::istringstream words(text);
    std::string source;
    std::string target;
    if (!(words >> source >> target)) return Refused{RefusalReason::kInvalidSyntax, "two words"};
    EdgeEvent event;
    event.payload = batch.Store(text);
    std::int64_t milliseconds = 0;
    event.time =
        words >> milliseconds ? EventTime(std::chrono::milliseconds(milliseconds)) : place.time;
    event.offset = place.offset;
    event.partition = place.partition;
    event.operation = operation;
    event.source = KeyRef::Text(batch.Store(source));
    event.target = KeyRef::Text(batch.Store(target));
    batch.Add(event);
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Decoder> MakeWordDecoder() { return std::make_unique<WordDecoder>(); }

std::vector<std::unique_ptr<Decoder>> MakeWordDecoders(int count) {
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (int i = 0; i < count; ++i) decoders.push_back(MakeWordDecoder());
  return decoders;
}

void RecordingLog::Write(const LogLine& line) {
  if (line.event.severity == LogSeverity::kDebug) return;
  const MutexLock lock(mutex_);
  lines_.emplace_back(line.message);
  added_.NotifyAll();
}

std::size_t RecordingLog::CountLocked(std::string_view part) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      lines_, [&](const std::string& line) { return line.find(part) != std::string::npos; }));
}

bool RecordingLog::WaitFor(std::string_view part) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + kLimit;
  const MutexLock lock(mutex_);
  while (CountLocked(part) == 0 && added_.WaitUntil(mutex_, deadline)) continue;
  return CountLocked(part) > 0;
}

std::size_t RecordingLog::Count(std::string_view part) const {
  const MutexLock lock(mutex_);
  return CountLocked(part);
}

std::string RecordingLog::Text() const {
  const MutexLock lock(mutex_);
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  return text;
}

void RecordingRefusals::Refuse(const RefusedRecord& record) {
  const MutexLock lock(mutex_);
  Seen& seen = seen_.emplace_back();
  seen.topic = record.topic;
  seen.partition = record.partition;
  seen.offset = record.offset;
  seen.timestamp = record.timestamp;
  seen.reason = record.reason;
  seen.stage = record.stage;
  if (record.payload) seen.payload.emplace(*record.payload);
  if (record.key) seen.key.emplace(*record.key);
  seen.detail = record.detail;
  for (const RecordHeader& header : record.headers) {
    seen.headers.emplace_back(header.name, header.value);
  }
}

std::vector<RecordingRefusals::Seen> RecordingRefusals::seen() const {
  const MutexLock lock(mutex_);
  return seen_;
}

SourceHarness::SourceHarness(const std::string& brokers, std::size_t queue_bytes)
    : queue(queue_bytes) {
  spec.brokers = brokers;
  spec.topics = {"edges"};
  spec.decode_threads = 2;
  spec.start = StartEarliest{};
  spec.options = {{"reconnect.backoff.max.ms", "200"}, {"fetch.wait.max.ms", "50"}};
}

SourceHarness::~SourceHarness() = default;

void SourceHarness::Start() {
  std::vector<std::unique_ptr<Decoder>> decoders;
  if (format.registry) {
    decoders.push_back(MakeDecoder(format, {}, schemas).value());
  } else {
    decoders = MakeWordDecoders(spec.decode_threads);
  }
  source = std::make_unique<KafkaSource>(spec, format, std::move(decoders), partitions, queue,
                                         refusals, *clock, progress, policy, log, schemas);
  const Status started = source->Start();
  ASSERT_TRUE(started.ok()) << started.error().message;
}

bool SourceHarness::PopUntil(const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + kLimit;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    const std::optional<EventBatch> batch = queue.Pop(std::chrono::milliseconds(20));
    if (!batch) continue;
    if (starts.empty() && events.empty() && marks.empty())
      first_batch_starts = batch->start.has_value();
    if (batch->start) starts.push_back(*batch->start);
    for (const Mark& mark : batch->marks()) {
      marks.push_back(mark);
      marks.back().before_event += events.size();
    }
    for (const PartitionAnchor& known : batch->anchors) anchors[known.partition] = known.anchor;
    for (const EdgeEvent& event : batch->events()) {
      events.push_back(event);
      sources.emplace_back(batch->Text(event.source.text()));
    }
    caught_up = batch->caught_up;
  }
  return true;
}

bool SourceHarness::PopEvents(std::size_t count) {
  return PopUntil([&] { return events.size() >= count; });
}

bool SourceHarness::PopCaughtUp() {
  caught_up = false;
  return PopUntil([&] { return caught_up; });
}

std::vector<std::int64_t> SourceHarness::Offsets(std::int32_t partition) const {
  std::vector<std::int64_t> offsets;
  for (const EdgeEvent& event : events) {
    if (partitions.At(event.partition).partition == partition) offsets.push_back(event.offset);
  }
  return offsets;
}

std::size_t SourceHarness::Marks(Mark::Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(marks, [&](const Mark& mark) { return mark.kind == kind; }));
}

std::size_t SourceHarness::Marks(Mark::Kind kind, std::int32_t partition) const {
  return static_cast<std::size_t>(std::ranges::count_if(marks, [&](const Mark& mark) {
    return mark.kind == kind && partitions.At(mark.partition).partition == partition;
  }));
}

}  // namespace sash
