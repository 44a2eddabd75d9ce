#include "connectors/sinks/kafka/kafka_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "connectors/sinks/kafka/topic_producer.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/result_key.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kAskEvery{50};
// What a message weighs beside key and value, in librdkafka's count.
constexpr std::size_t kFrameBytes = 128;

}  // namespace

Result<std::unique_ptr<KafkaSink>> KafkaSink::Open(const KafkaSinkSpec& spec,
                                                   const VertexDictionary& keys, bool discard,
                                                   EventLog& log) {
  Result<std::unique_ptr<Outbox>> outbox = Outbox::Open(spec.outbox, discard);
  if (!outbox) return std::move(outbox).error().Within("kafka sink " + spec.topic);
  std::unique_ptr<KafkaSink> sink(new KafkaSink(spec, keys, std::move(outbox).value(), log));
  if (const std::uint64_t waiting = sink->outbox_->waiting(); waiting > 0) {
    log.Log(LogSeverity::kInfo, fmt::format("{}: {} results wait in {} since an earlier life",
                                            sink->name_, waiting, spec.outbox.path));
  }
  sink->sender_.Start();
  return sink;
}

KafkaSink::KafkaSink(const KafkaSinkSpec& spec, const VertexDictionary& keys,
                     std::unique_ptr<Outbox> outbox, EventLog& log)
    : spec_(spec),
      keys_(keys),
      name_("kafka sink " + spec.topic),
      most_bytes_(MostMessageBytes(spec.options)),
      state_(log),
      outbox_(std::move(outbox)),
      sender_(spec_, name_, *outbox_, state_) {}

KafkaSink::~KafkaSink() = default;

bool KafkaSink::Wants(const std::string& job) const {
  return spec_.jobs.empty() || std::ranges::find(spec_.jobs, job) != spec_.jobs.end();
}

std::optional<std::string> KafkaSink::TextOf(const CompletedRun& run) {
  if (spec_.content == SinkContent::kDiffs) return diffs_.Next(run.result);
  return ResultJson(run, {.top = {}, .vertices = spec_.vertices}, keys_);
}

void KafkaSink::Deliver(const CompletedRun& run) {
  if (!Wants(run.result->job)) return;
  const std::optional<std::string> text = TextOf(run);
  if (!text) return;
  const std::string& value = *text;
  const std::string key = ResultKey(*run.result);
  if (key.size() + value.size() + kFrameBytes > most_bytes_) {
    sender_.Refuse(key, fmt::format("it is larger than message.max.bytes ({}); raise that here and "
                                    "at the broker, or list less",
                                    most_bytes_));
    return;
  }
  if (!outbox_->Append(key, value)) {
    if (dropped_++ == 0) {
      state_.Set("full", "full",
                 fmt::format("{}: the outbox {} is full, results are dropped and committing stops; "
                             "a restart produces them",
                             name_, spec_.outbox.path),
                 LogSeverity::kError);
    }
    return;
  }
  sender_.Wake();
}

Status KafkaSink::Flush() {
  if (Status flushed = outbox_->Flush(); !flushed) {
    return std::move(flushed).error().Within(name_);
  }
  if (dropped_ > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("{}: {} results did not fit into the outbox {}; a restart produces "
                             "them",
                             name_, dropped_.load(), spec_.outbox.path)};
  }
  return Ok{};
}

Status KafkaSink::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  while (!sender_.AwaitEmpty(kAskEvery)) {
    if (go_on() && (!only_while_ready || state_.Reasons().empty())) continue;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: {} results are not delivered; they wait in {}", name_,
                             outbox_->waiting(), spec_.outbox.path)};
  }
  return Ok{};
}

std::vector<std::string> KafkaSink::NotReady() const { return state_.Reasons(); }

KafkaSinkCounts KafkaSink::Counts() const {
  return {.topic = spec_.topic,
          .sink = "kafka:" + spec_.topic,
          .delivered = sender_.delivered(),
          .retries = sender_.retries(),
          .refused = sender_.refused(),
          .dropped = dropped_,
          .waiting = outbox_->waiting(),
          .outbox_bytes = outbox_->bytes(),
          .ready = state_.Reasons().empty()};
}

}  // namespace sash
