// TrialLines: what the records of a trial become, as lines of JSON (record_trial.h), with their
// counts and with what is suspicious about them.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/key_watch.h"
#include "connectors/sinks/json_text.h"
#include "daemon/config/config.h"
#include "daemon/letters/record_judge.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"

namespace sash {

struct TrialCounts {
  std::uint64_t records = 0;
  std::uint64_t edges = 0;
  std::uint64_t filtered = 0;
  std::map<std::string, std::uint64_t> refused{};  // by reason; no entry is 0
  std::vector<std::string> warnings{};             // about edges that are probably wrong

  // "5 records: 3 edges, 2 dead letters (1 invalid_time, 1 missing_field)"
  std::string Summary() const;
};

// Receives one or more whole lines. If it returns an error, reading stops and returns it.
using TakeLines = std::function<Status(const std::string& lines)>;

class TrialLines {
 public:
  // `topic`: of the records, for messages. Everything passed by reference outlives this object.
  TrialLines(const SourceConfig& source, std::string topic, const Clock& clock)
      : source_(source), topic_(std::move(topic)), clock_(clock), watch_(source.format.keys) {}

  // The record of line `line`. `decoder` has decoded it last.
  void Add(std::uint64_t line, const RecordVerdict& verdict, const EventBatch& batch,
           Decoder& decoder);

  // Whether the lines should be flushed before more are added.
  bool is_full() const { return lines_.size() >= kFlushBytes; }
  Status Flush(const TakeLines& take);

  // Must be called last.
  TrialCounts TakeCounts();

 private:
  static constexpr std::size_t kFlushBytes = 64 << 10;

  void WriteEdges(std::uint64_t line, const EventBatch& batch, Decoder& decoder);
  void WriteEdge(const EventBatch& batch, std::size_t place, Decoder& decoder,
                 JsonText& json) const;
  void WriteKey(KeyRef key, const EventBatch& batch, JsonText& json) const;
  void LookAtTime(std::uint64_t line, EventTime time);

  const SourceConfig& source_;
  const std::string topic_;
  const Clock& clock_;
  KeyWatch watch_;
  std::uint64_t odd_times_ = 0;
  std::string first_odd_time_;
  std::string lines_;
  TrialCounts counts_;
};

}  // namespace sash
