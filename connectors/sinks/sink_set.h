// SinkSet: several sinks as one.
//
// Thread safety: like ResultSink. Any thread may call the members that only some sinks have. All
// sinks must be added before the first result is delivered.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/file_sink.h"
#include "connectors/sinks/kafka/kafka_sink.h"
#include "connectors/sinks/sink_counts.h"
#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/webhook/webhook_sink.h"
#include "windows/base/event_log.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class SinkSet final : public ResultSink {
 public:
  // The members below that only some sinks have concern it too, as its class says.
  template <std::derived_from<ResultSink> Sink>
  void Add(std::unique_ptr<Sink> sink) {
    if constexpr (std::derived_from<Sink, CountedSink>) counted_.push_back(sink.get());
    if constexpr (std::same_as<Sink, FileSink>) files_.push_back(sink.get());
    if constexpr (std::same_as<Sink, KafkaSink>) kafka_.push_back(sink.get());
    if constexpr (std::same_as<Sink, WebhookSink>) webhooks_.push_back(sink.get());
    sinks_.push_back(std::move(sink));
  }

  // One of the sinks also takes alerts.
  void AddReceiver(std::string name, AlertReceiver* receiver) {
    receivers_.emplace_back(std::move(name), receiver);
  }
  const std::vector<std::pair<std::string, AlertReceiver*>>& receivers() const {
    return receivers_;
  }

  void Deliver(const CompletedRun& run) override;
  bool DeliverPartial(const CompletedRun& run) override;
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override;
  void Complete(const AdvanceReport& report) override;

  // Flushes every sink, also after an error. Returns the first error.
  Status Flush() override;
  void Acknowledged(std::uint64_t advances) override;

  // Calls FileSink::Look() of the sinks that write to files. May be called from any thread.
  void LookAtFiles();

  // Tells Kafka sinks that no other process works in place of this one (OutboxSender::Begin()).
  // Webhook sinks send from the moment they are made.
  void Begin();
  // Returns the first error; see KafkaSink.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);
  std::vector<std::string> NotReady() const;

  SinkCounts Counts() const;

 private:
  std::vector<std::unique_ptr<ResultSink>> sinks_;
  std::vector<KafkaSink*> kafka_;  // of sinks_
  std::vector<WebhookSink*> webhooks_;
  std::vector<FileSink*> files_;
  std::vector<const CountedSink*> counted_;
  std::vector<std::pair<std::string, AlertReceiver*>> receivers_;
  std::atomic<std::uint64_t> partial_left_out_ = 0;
};

// Opens the sinks in `specs`; a terminal sink writes to standard output. `log` must outlive them.
// Returns the first error, which names the place in `specs` as in the configuration ("sinks[1]").
Result<std::unique_ptr<SinkSet>> OpenSinks(std::span<const SinkSpec> specs,
                                           const VertexDictionary& keys, OutputMode mode,
                                           EventLog& log);

}  // namespace sash
