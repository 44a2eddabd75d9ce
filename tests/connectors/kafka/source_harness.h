// SourceHarness: a KafkaSource with everything that it needs, and what it has delivered so far.
//
// Its decoder reads records "source target milliseconds", and refuses the word "broken" and
// everything else; with format.registry it is that of the format. The harness plays the engine: it
// pops batches when a test asks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_source.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

std::unique_ptr<Decoder> MakeWordDecoder();
std::vector<std::unique_ptr<Decoder>> MakeWordDecoders(int count);

class RecordingLog final : public EventLog {
 public:
  void Write(const LogLine& line) override;
  // Waits until a line of at least info severity contains `part`; false after 20 s.
  bool WaitFor(std::string_view part);
  std::size_t Count(std::string_view part) const;
  std::string Text() const;

 private:
  std::size_t CountLocked(std::string_view part) const SASH_REQUIRES(mutex_);
  mutable Mutex mutex_;
  CondVar added_;
  std::vector<std::string> lines_ SASH_GUARDED_BY(mutex_);
};

class RecordingRefusals final : public RefusalSink {
 public:
  struct Seen {
    std::string topic;
    std::int32_t partition;
    std::int64_t offset;
    EventTime timestamp;
    RefusalReason reason;
    std::string stage;
    std::optional<std::string> payload;
    std::optional<std::string> key;
    std::string detail;
    OwnHeaders headers;
  };
  void Refuse(const RefusedRecord& record) override;
  std::vector<Seen> seen() const;

 private:
  mutable Mutex mutex_;
  std::vector<Seen> seen_ SASH_GUARDED_BY(mutex_);
};

struct SourceHarness {
  explicit SourceHarness(const std::string& brokers, std::size_t queue_bytes = 64 << 20);
  ~SourceHarness();

  void Start();  // with spec, format and policy as they are now
  void Stop() { source->Stop(); }

  // Pops batches and remembers them until `done` holds; false after 20 s.
  bool PopUntil(const std::function<bool()>& done);
  bool PopEvents(std::size_t count);
  bool PopCaughtUp();  // until the newest batch leaves every partition at its end

  std::vector<std::int64_t> Offsets(std::int32_t partition) const;
  std::size_t Marks(Mark::Kind kind) const;
  std::size_t Marks(Mark::Kind kind, std::int32_t partition) const;

  KafkaSpec spec;
  FormatSpec format;
  std::shared_ptr<SchemaSource> schemas;  // of format.registry
  TimePolicy policy;
  std::unique_ptr<Clock> clock = std::make_unique<SystemClock>();
  StreamProgress progress;
  PartitionTable partitions;
  BatchQueue queue;
  RecordingRefusals refusals;
  RecordingLog log;
  std::unique_ptr<KafkaSource> source;

  std::vector<StreamStart> starts;
  std::vector<EdgeEvent> events;
  std::vector<std::string> sources;  // the source keys of the events
  std::vector<Mark> marks;
  std::map<PartitionIndex, RecordAnchor> anchors;
  bool first_batch_starts = false;
  bool caught_up = false;  // by the newest batch
};

}  // namespace sash
