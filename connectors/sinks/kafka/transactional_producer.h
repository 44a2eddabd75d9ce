// TransactionalProducer: a TopicProducer whose messages are in the topic all together or not at
// all, and with them what a group has committed.
//
// Thread safety: none; one thread does everything.
//
// Invariants
//   (1) No step waits for longer than its patience. One that says kAgain goes on in the background:
//       it is to be asked again, and nothing else meanwhile but of producer().
//   (2) After kFatal and kFenced this producer can do nothing more; another one can.
#pragma once

#include <chrono>
#include <cstdint>
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
    kAgain,   // nobody has answered yet
    kAbort,   // the transaction has failed, and has to be aborted
    kFatal,   // this producer has failed
    kFenced,  // the same, since its transaction timed out or another one has its id
  };
  struct Step {
    Outcome outcome = Outcome::kDone;
    std::string why{};
  };

  // Contacts nobody yet. An error is a wrong option.
  static Result<std::unique_ptr<TransactionalProducer>> Open(const KafkaDestination& to,
                                                             const std::string& id,
                                                             TopicProducer::Spread spread);

  // Ends the transactions of those who had the id before, and fences them. Once, first.
  Step Init(std::chrono::milliseconds patience);

  Step Begin();
  // Part of the transaction: what `group` commits.
  Step Commits(const std::string& group, std::span<const PartitionOffset> offsets,
               std::chrono::milliseconds patience);
  Step Commit(std::chrono::milliseconds patience);
  Step Abort(std::chrono::milliseconds patience);

  // Why it can do nothing more, if so.
  std::optional<Step> Fatal() const;

  TopicProducer& producer() { return *producer_; }

 private:
  explicit TransactionalProducer(std::unique_ptr<TopicProducer> producer)
      : producer_(std::move(producer)) {}

  const std::unique_ptr<TopicProducer> producer_;
};

}  // namespace sash
