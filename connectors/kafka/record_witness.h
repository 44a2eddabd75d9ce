// RecordWitness: reads single records again, to tell whether a partition is still the one that was
// read (DESIGN: topic identity). It has a consumer of its own for as long as that takes, so that
// the stream's is not disturbed.
//
// Thread safety: belongs to one thread. What is read is read in another, which RecordWitness owns.
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
    kOther,    // another one is, or the log does not reach as far: it is another log
    kGone,     // compaction or retention has removed it, or it cannot be read: nothing is known
    kUnknown,  // no answer in time
  };
  Kind kind = Kind::kUnknown;
  std::string text;  // of all but kSame: what was found
};

using Anchors = std::map<TopicPartition, RecordAnchor>;
using Testimonies = std::map<TopicPartition, Testimony>;

using OnTestimony = std::function<void(const TopicPartition&, const Testimony&)>;

// Tells one for each anchor, as they come. Waits for answers, `patience` at most.
void ReadAgain(const KafkaSpec& spec, const Anchors& anchors, std::chrono::milliseconds patience,
               const std::stop_token& stop, const OnTestimony& on_testimony);

class RecordWitness {
 public:
  explicit RecordWitness(KafkaSpec spec) : spec_(std::move(spec)) {}

  // One question at a time.
  void Ask(Anchors anchors);
  bool is_asked() const { return is_asked_; }
  // What it has found since the last call; waits for something, `patience` at most. It can be asked
  // again when it has found everything and its consumer is gone.
  Testimonies Take(std::chrono::milliseconds patience);

 private:
  const KafkaSpec spec_;
  bool is_asked_ = false;
  Mutex mutex_;
  CondVar told_;
  Testimonies found_ SASH_GUARDED_BY(mutex_);
  bool done_ SASH_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // of the newest question
};

}  // namespace sash
