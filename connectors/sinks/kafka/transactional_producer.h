// TransactionalProducer: a TopicProducer with transactions. The messages of a transaction, and the
// offsets that a group commits in it, are in the topic all together or not at all.
//
// Thread safety: none; one thread makes all calls.
//
// Invariants
//   (1) No step waits longer than its patience. A step that returns kAgain continues in the
//       background: call it again, and until it ends call nothing else except producer().
//   (2) After kFatal and kFenced this producer cannot be used any more; a new one can.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "connectors/kafka/partition_offset.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/result.h"

namespace sash {

class TransactionalProducer {
 public:
  enum class Outcome : std::uint8_t {
    kDone,
    kAgain,   // no answer yet
    kAbort,   // the transaction has failed and must be aborted
    kFatal,   // this producer has failed
    kFenced,  // like kFatal: its transaction timed out, or another producer uses its id
  };
  struct Step {
    Outcome outcome = Outcome::kDone;
    std::string why{};
  };

  // Does not contact a broker. An error means a wrong option.
  static Result<std::unique_ptr<TransactionalProducer>> Open(const KafkaDestination& to,
                                                             const std::string& id,
                                                             TopicProducer::Spread spread);

  // Aborts open transactions of earlier producers with this id, and fences them. Call it once,
  // first.
  Step Init(std::chrono::milliseconds patience);

  Step Begin();
  // Adds the offsets that `group` commits to the transaction. If it is given up after kAgain, the
  // next call is Abort(), or the destructor: librdkafka's producer then ends by itself, later.
  Step Commits(const std::string& group, std::span<const PartitionOffset> offsets,
               std::chrono::milliseconds patience);
  Step Commit(std::chrono::milliseconds patience);
  Step Abort(std::chrono::milliseconds patience);

  // Why this producer cannot be used any more; no value while it can.
  std::optional<Step> Fatal() const;

  TopicProducer& producer() { return *producer_; }

 private:
  explicit TransactionalProducer(std::unique_ptr<TopicProducer> producer)
      : producer_(std::move(producer)) {}

  bool IsSending(std::chrono::milliseconds patience);

  const std::shared_ptr<TopicProducer> producer_;  // shared with the thread of Commits()
  std::future<Step> sending_;                      // valid while Commits() is not done
};

}  // namespace sash
