#include "connectors/sinks/sink_set.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "connectors/sinks/file_sink.h"
#include "connectors/sinks/terminal_sink.h"

namespace sash {

void SinkSet::Deliver(const CompletedRun& run) {
  for (const auto& sink : sinks_) sink->Deliver(run);
}

bool SinkSet::DeliverPartial(const CompletedRun& run) {
  bool is_taken = true;
  for (const auto& sink : sinks_) {
    if (sink->DeliverPartial(run)) continue;
    is_taken = false;
    ++partial_left_out_;
  }
  return is_taken;
}

void SinkSet::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) {
  for (const auto& sink : sinks_) sink->DeliverPast(run, deliveries);
}

void SinkSet::Complete(const AdvanceReport& report) {
  for (const auto& sink : sinks_) sink->Complete(report);
}

Status SinkSet::Flush() {
  Status first = Ok{};
  for (const auto& sink : sinks_) {
    Status flushed = sink->Flush();
    if (first.ok() && !flushed.ok()) first = std::move(flushed);
  }
  return first;
}

void SinkSet::Acknowledged(std::uint64_t advances) {
  for (const auto& sink : sinks_) sink->Acknowledged(advances);
}

void SinkSet::LookAtFiles() {
  for (FileSink* const sink : files_) sink->Look();
}

void SinkSet::Begin() {
  for (KafkaSink* const sink : kafka_) sink->Begin();
}

Status SinkSet::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  Status first = Ok{};
  for (KafkaSink* const sink : kafka_) {
    Status drained = sink->Drain(go_on, only_while_ready);
    if (first.ok() && !drained.ok()) first = std::move(drained);
  }
  for (WebhookSink* const sink : webhooks_) {
    Status drained = sink->Drain(go_on, only_while_ready);
    if (first.ok() && !drained.ok()) first = std::move(drained);
  }
  return first;
}

std::vector<std::string> SinkSet::NotReady() const {
  std::vector<std::string> reasons;
  for (const KafkaSink* const sink : kafka_)
    std::ranges::move(sink->NotReady(), std::back_inserter(reasons));
  for (const WebhookSink* const sink : webhooks_)
    std::ranges::move(sink->NotReady(), std::back_inserter(reasons));
  return reasons;
}

SinkCounts SinkSet::Counts() const {
  SinkCounts counts;
  counts.partial_left_out = partial_left_out_;
  for (const CountedSink* const sink : counted_) sink->AddCounts(counts);
  return counts;
}

namespace {

Result<std::unique_ptr<FileSink>> Open(const FileSinkSpec& spec, const VertexDictionary& keys,
                                       OutputMode mode, EventLog& log) {
  return FileSink::Open(spec, keys, mode == OutputMode::kReplay, log);
}
Result<std::unique_ptr<KafkaSink>> Open(const KafkaSinkSpec& spec, const VertexDictionary& keys,
                                        OutputMode mode, EventLog& log) {
  return KafkaSink::Open(spec, keys, mode != OutputMode::kLive, log);
}
Result<std::unique_ptr<WebhookSink>> Open(const WebhookSinkSpec& spec, const VertexDictionary& keys,
                                          OutputMode mode, EventLog& log) {
  return WebhookSink::Open(spec, keys, mode != OutputMode::kLive, log);
}
Result<std::unique_ptr<TerminalSink>> Open(const TerminalSinkSpec&, const VertexDictionary&,
                                           OutputMode, EventLog&) {
  return std::make_unique<TerminalSink>(STDOUT_FILENO);
}

}  // namespace

Result<std::unique_ptr<SinkSet>> OpenSinks(std::span<const SinkSpec> specs,
                                           const VertexDictionary& keys, OutputMode mode,
                                           EventLog& log) {
  auto sinks = std::make_unique<SinkSet>();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Status opened = std::visit(
        [&](const auto& spec) -> Status {
          auto sink = Open(spec, keys, mode, log);
          if (!sink) return std::move(sink).error().Within("sinks[" + std::to_string(i) + "]");
          if constexpr (requires { spec.content; }) {
            if (spec.content == SinkContent::kAlerts) {
              sinks->AddReceiver(spec.name, sink.value().get());
            }
          }
          sinks->Add(std::move(sink).value());
          return Ok{};
        },
        specs[i]);
    if (!opened) return opened.error();
  }
  return sinks;
}

}  // namespace sash
