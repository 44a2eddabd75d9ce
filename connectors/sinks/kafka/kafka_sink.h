// KafkaSink: one message for each run of its jobs to a Kafka topic, by way of an outbox on disk.
//
// The value is the same JSON as a line of the file sink (the result, or what changed), the key the
// result's identity. What is delivered again (after a restart, in a replay) has the same key.
//
// Thread safety: like ResultSink; the rest may be called from any thread. A thread of its own
// sends.
//
// Invariants
//   (1) What Flush() called durable is in the topic or in the outbox, and is sent again and again,
//       by the next process too, until the brokers acknowledge it. Commits never wait for brokers.
//   (2) In a replay Deliver() waits for room in the outbox, as long as brokers take what is there.
//       Else a result that does not fit into it is dropped and counted, and Flush() fails for
//       the rest of the process's life: nothing is committed past it, and after a restart it is
//       produced again.
//   (3) A result larger than message.max.bytes, or that the brokers refuse for what it is, can
//       never be delivered: it is counted, said, and a reason not to be ready until a result of its
//       job passes. Commits go on.
//   (4) With a transactional id, the results of an advance come to the outbox together, when it is
//       complete; Flush() makes durable those of complete advances.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/kafka/kafka_sink_counts.h"
#include "connectors/sinks/kafka/outbox_topic.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class KafkaSink final : public ResultSink {
 public:
  // As OutboxTopic::Open(). `keys` and `log` outlive the sink.
  static Result<std::unique_ptr<KafkaSink>> Open(const KafkaSinkSpec& spec,
                                                 const VertexDictionary& keys, bool replay,
                                                 EventLog& log);

  void Deliver(const CompletedRun& run) override;
  bool Compares(const JobSpec& job) const override { return chosen_.Compares(job); }
  void Recall(const CompletedRun& run) override { chosen_.Recall(run); }
  void Complete(const AdvanceReport& report) override;
  Status Flush() override;

  // See OutboxTopic.
  void Begin() { topic_->Begin(); }
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready = false) {
    return topic_->Drain(go_on, only_while_ready);
  }
  std::vector<std::string> NotReady() const { return topic_->NotReady(); }
  KafkaSinkCounts Counts() const { return topic_->Counts(); }

 private:
  struct Kept {
    std::uint64_t advance = 0;  // its number
    std::string key;
    std::string text;
  };

  KafkaSink(const KafkaSinkSpec& spec, const VertexDictionary& keys, bool replay,
            std::unique_ptr<OutboxTopic> topic)
      : spec_(spec), chosen_(spec, keys), replay_(replay), topic_(std::move(topic)) {}

  void SayFull();

  const KafkaSinkSpec spec_;
  ChosenResults chosen_;
  const bool replay_;
  std::vector<Kept> kept_;  // of advances that are not complete
  const std::unique_ptr<OutboxTopic> topic_;
};

}  // namespace sash
