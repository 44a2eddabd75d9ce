// KafkaSink: sends one message to a Kafka topic for each run of its jobs, for each row of its
// result, or for each alert, through an outbox on disk.
//
// The value is the same JSON as a line of the file sink. The key is the identity of the result or
// alert. A message that is delivered again (after a restart, in a replay) has the same key.
//
// Thread safety: like ResultSink; the rest may be called from any thread. The sink has its own
// sending thread.
//
// Invariants
//   (1) After Flush() succeeds, every delivered result is in the topic or in the outbox. It is sent
//       again, also after a restart, until the brokers acknowledge it. Commits never wait for
//       brokers.
//   (2) In a replay, Deliver() waits for room in the outbox while the brokers take messages.
//       Otherwise a result that does not fit into the outbox is dropped and counted, and every
//       later Flush() of the process fails: nothing is committed past that result, and a restart
//       produces it again.
//   (3) A result that is larger than message.max.bytes, or that the brokers refuse because of its
//       content, can never be delivered. It is counted and reported, and the sink is not ready
//       until a result of the same job is delivered. Commits continue.
//   (4) The rows of a result are put into the outbox together: all of them or none.
//   (5) With a transactional id, the results of an advance are put into the outbox together, when
//       the advance is complete. Flush() makes only results of complete advances durable. A result
//       on an earlier advance goes into the outbox at once, between those of two advances.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/kafka/outbox_topic.h"
#include "connectors/sinks/kafka_sink_counts.h"
#include "connectors/sinks/sink_counts.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

class KafkaSink final : public CountedSink, public AlertReceiver {
 public:
  // Like OutboxTopic::Open(). `keys` and `log` must outlive the sink.
  static Result<std::unique_ptr<KafkaSink>> Open(const KafkaSinkSpec& spec,
                                                 const VertexDictionary& keys, bool replay,
                                                 EventLog& log);

  void Deliver(const CompletedRun& run) override;
  // Left out while the outbox is more than half full. Not with a transactional id.
  bool DeliverPartial(const CompletedRun& run) override;
  // Not taken while the outbox would be more than half full. With a transactional id, too.
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override;
  void Complete(const AdvanceReport& report) override;
  void Notify(std::uint64_t advance, const AlertMessage& alert) override;
  Status Flush() override;

  // See OutboxTopic.
  void Begin() { topic_->Begin(); }
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready = false) {
    return topic_->Drain(go_on, only_while_ready);
  }
  std::vector<std::string> NotReady() const { return topic_->NotReady(); }
  KafkaSinkCounts Counts() const { return topic_->Counts(); }
  void AddCounts(SinkCounts& counts) const override;

 private:
  struct Kept {
    std::uint64_t advance = 0;  // the number of the advance
    std::string key;
    std::string text;
  };

  KafkaSink(const KafkaSinkSpec& spec, const VertexDictionary& keys, bool replay,
            std::unique_ptr<OutboxTopic> topic)
      : spec_(spec), chosen_(spec, keys), replay_(replay), topic_(std::move(topic)) {}

  void DeliverRows(const CompletedRun& run);
  // Nothing: it has no rows.
  std::vector<Kept> PastMessages(const CompletedRun& run) const;
  // Why they are not durably in the outbox; empty: they are.
  std::string WhyNotPosted(std::span<const Kept> messages);
  void Post(const std::string& key, const std::string& text);
  void PostTogether(std::span<const Kept> messages);
  void SayFull();

  const KafkaSinkSpec spec_;
  ChosenResults chosen_;
  const bool replay_;
  std::vector<Kept> kept_;  // results of advances that are not complete
  const std::unique_ptr<OutboxTopic> topic_;
};

}  // namespace sash
