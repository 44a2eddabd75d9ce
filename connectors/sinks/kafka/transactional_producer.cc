#include "connectors/sinks/kafka/transactional_producer.h"

#include <librdkafka/rdkafka.h>
#include <pthread.h>

#include <array>
#include <utility>

#include "connectors/kafka/detached_call.h"
#include "connectors/kafka/kafka_options.h"
#include "connectors/kafka/partition_list.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using Outcome = TransactionalProducer::Outcome;
using Step = TransactionalProducer::Step;

constexpr const char* kNoAnswer = "the brokers do not answer";

std::optional<Step> FatalOf(rd_kafka_t* producer) {
  std::array<char, kKafkaErrorBytes> text{};
  switch (rd_kafka_fatal_error(producer, text.data(), text.size())) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      return std::nullopt;
    case RD_KAFKA_RESP_ERR__FENCED:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
      return Step{Outcome::kFenced, text.data()};
    default:
      return Step{Outcome::kFatal, text.data()};
  }
}

// Takes ownership of the error.
Step StepOf(rd_kafka_t* producer, rd_kafka_error_t* error) {
  if (error == nullptr) return {};
  Step step{Outcome::kAbort, rd_kafka_error_string(error)};
  if (rd_kafka_error_is_retriable(error) != 0) step.outcome = Outcome::kAgain;
  if (rd_kafka_error_is_fatal(error) != 0) step.outcome = Outcome::kFatal;
  rd_kafka_error_destroy(error);
  return FatalOf(producer).value_or(step);
}

int Milliseconds(milliseconds patience) { return static_cast<int>(patience.count()); }

Step SendOffsets(rd_kafka_t* producer, const std::string& group,
                 const rd_kafka_topic_partition_list_t* offsets, milliseconds patience) {
  rd_kafka_consumer_group_metadata_t* const who =
      rd_kafka_consumer_group_metadata_new(group.c_str());
  rd_kafka_error_t* const error =
      rd_kafka_send_offsets_to_transaction(producer, offsets, who, Milliseconds(patience));
  rd_kafka_consumer_group_metadata_destroy(who);
  return StepOf(producer, error);
}

}  // namespace

Result<std::unique_ptr<TransactionalProducer>> TransactionalProducer::Open(
    const KafkaDestination& to, const std::string& id, TopicProducer::Spread spread) {
  auto producer = TopicProducer::Open(to.brokers, to.topic, to.options, spread, id);
  if (!producer) return std::move(producer).error();
  return std::unique_ptr<TransactionalProducer>(
      new TransactionalProducer(std::move(producer).value()));
}

Step TransactionalProducer::Init(milliseconds patience) {
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_init_transactions(producer, Milliseconds(patience)));
}

Step TransactionalProducer::Begin() {
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_begin_transaction(producer));
}

// librdkafka 2.0.2 waits in this call for an answer until socket.timeout.ms (60 s), whatever its
// timeout is. So it has a thread of its own.
Step TransactionalProducer::Commits(const std::string& group,
                                    std::span<const PartitionOffset> offsets,
                                    milliseconds patience) {
  if (!sending_.valid()) {
    sending_ = CallDetached(
        [producer = producer_, group, list = MakePartitionList(offsets), patience]() mutable {
          pthread_setname_np(pthread_self(), "kafka offsets");
          Step step = SendOffsets(producer->native(), group, list.get(), patience);
          producer.reset();  // destroys it here if its owner has given it up
          return step;
        });
  }
  if (IsSending(patience)) return {Outcome::kAgain, kNoAnswer};
  return sending_.get();
}

bool TransactionalProducer::IsSending(milliseconds patience) {
  return sending_.valid() && sending_.wait_for(patience) != std::future_status::ready;
}

Step TransactionalProducer::Commit(milliseconds patience) {
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_commit_transaction(producer, Milliseconds(patience)));
}

Step TransactionalProducer::Abort(milliseconds patience) {
  if (IsSending(patience)) return {Outcome::kAgain, kNoAnswer};
  sending_ = {};
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_abort_transaction(producer, Milliseconds(patience)));
}

std::optional<Step> TransactionalProducer::Fatal() const { return FatalOf(producer_->native()); }

}  // namespace sash
