// RecordWitness: reads single records again, to find out whether a partition is still the one that
// was read (connectors/README.md, "Topics that are created again"). It opens its own consumer for
// that, so the stream's consumer is not disturbed.
//
// Thread safety: belongs to one thread. It owns another thread, which reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/record_intake.h"
#include "windows/base/mutex.h"
#include "windows/ingest/record_anchor.h"

namespace sash {

RecordAnchor AnchorOf(const KafkaRecord& record);

struct Testimony {
  enum class Kind : std::uint8_t {
    kSame,     // the record is there
    kOther,    // it is another log: another record is there, or the log ends before
    kGone,     // removed by compaction or retention, or unreadable: the identity is not known
    kUnknown,  // no answer in time
  };
  Kind kind = Kind::kUnknown;
  std::string text;  // what was found; empty for kSame
};

using Anchors = std::map<TopicPartition, RecordAnchor>;
using Testimonies = std::map<TopicPartition, Testimony>;

using OnTestimony = std::function<void(const TopicPartition&, const Testimony&)>;

// Calls `on_testimony` once for each anchor, as the answers come. Waits for at most `patience`.
void ReadAgain(const KafkaSpec& spec, const Anchors& anchors, std::chrono::milliseconds patience,
               const std::stop_token& stop, const OnTestimony& on_testimony);

class RecordWitness {
 public:
  explicit RecordWitness(KafkaSpec spec) : spec_(std::move(spec)) {}

  // One question at a time.
  void Ask(Anchors anchors);
  bool is_asked() const { return is_asked_; }
  // The answers since the last call; waits for one for at most `patience`. Ask() may be called
  // again when all answers are there and the consumer is closed: is_asked() is then false.
  Testimonies Take(std::chrono::milliseconds patience);

 private:
  const KafkaSpec spec_;
  bool is_asked_ = false;
  Mutex mutex_;
  CondVar told_;
  Testimonies found_ SASH_GUARDED_BY(mutex_);
  bool done_ SASH_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // for the newest question
};

}  // namespace sash
