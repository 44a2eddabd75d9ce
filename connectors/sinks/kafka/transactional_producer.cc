#include "connectors/sinks/kafka/transactional_producer.h"

#include <librdkafka/rdkafka.h>

#include <array>

#include "connectors/kafka/kafka_options.h"
#include "connectors/kafka/partition_list.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using Outcome = TransactionalProducer::Outcome;
using Step = TransactionalProducer::Step;

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

Step TransactionalProducer::Commits(const std::string& group,
                                    std::span<const PartitionOffset> offsets,
                                    milliseconds patience) {
  rd_kafka_t* const producer = producer_->native();
  const PartitionList list = MakePartitionList(offsets);
  rd_kafka_consumer_group_metadata_t* const who =
      rd_kafka_consumer_group_metadata_new(group.c_str());
  rd_kafka_error_t* const error =
      rd_kafka_send_offsets_to_transaction(producer, list.get(), who, Milliseconds(patience));
  rd_kafka_consumer_group_metadata_destroy(who);
  return StepOf(producer, error);
}

Step TransactionalProducer::Commit(milliseconds patience) {
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_commit_transaction(producer, Milliseconds(patience)));
}

Step TransactionalProducer::Abort(milliseconds patience) {
  rd_kafka_t* const producer = producer_->native();
  return StepOf(producer, rd_kafka_abort_transaction(producer, Milliseconds(patience)));
}

std::optional<Step> TransactionalProducer::Fatal() const { return FatalOf(producer_->native()); }

}  // namespace sash
