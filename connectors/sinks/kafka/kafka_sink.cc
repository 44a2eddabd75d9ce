#include "connectors/sinks/kafka/kafka_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "connectors/sinks/kafka/log_events.h"
#include "connectors/sinks/result_key.h"

namespace sash {
namespace {

const char* ThingsOf(SinkContent content) {
  switch (content) {
    case SinkContent::kAlerts:
      return "alerts";
    case SinkContent::kRows:
      return "rows";
    case SinkContent::kResults:
    case SinkContent::kDiffs:
      break;
  }
  return "results";
}

}  // namespace

Result<std::unique_ptr<KafkaSink>> KafkaSink::Open(const KafkaSinkSpec& spec,
                                                   const VertexDictionary& keys, bool replay,
                                                   EventLog& log) {
  OutboxCargo cargo{.name = "kafka sink " + spec.topic,
                    .things = ThingsOf(spec.content),
                    .sink = "kafka:" + spec.topic,
                    .head = kResultKeyHead,
                    .unpack = [](const Outbox::Message& message) -> Result<TopicMessage> {
                      return TopicMessage{.key = message.key, .value = message.value};
                    }};
  Result<std::unique_ptr<OutboxTopic>> topic =
      OutboxTopic::Open(spec, std::move(cargo), replay, log);
  if (!topic) return std::move(topic).error();
  return std::unique_ptr<KafkaSink>(new KafkaSink(spec, keys, replay, std::move(topic).value()));
}

void KafkaSink::Deliver(const CompletedRun& run) {
  if (spec_.content == SinkContent::kRows) return DeliverRows(run);
  std::optional<std::string> text = chosen_.TextOf(run);
  if (!text) return;
  const std::string key = ResultKey(*run.result);
  if (topic_->is_transactional()) {
    if (!topic_->IsTooLarge(key.size() + text->size())) {
      kept_.push_back({run.advance->number, key, std::move(*text)});
      return;
    }
    topic_->CountTooLarge();
    return topic_->SayTooLarge(key);
  }
  Post(key, *text);
}

bool KafkaSink::DeliverPartial(const CompletedRun& run) {
  if (!spec_.partial) return true;
  const KafkaSinkCounts counts = topic_->Counts();
  if (counts.outbox_bytes > counts.outbox_limit_bytes / 2) return !chosen_.Wants(run.result->job);
  const std::optional<std::string> text = chosen_.TextOf(run);
  if (text) Post(ResultKey(*run.result), *text);
  return true;
}

void KafkaSink::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) {
  std::optional<PastDelivery> past = chosen_.PlanPast(run.result->job, topic_->Counts().sink);
  if (!past) return;
  if (past->state != PastDelivery::State::kLeftOut) {
    const std::vector<Kept> messages = PastMessages(run);
    past->why = messages.empty() ? "the result has no rows" : WhyNotPosted(messages);
    if (messages.empty()) {
      past->state = PastDelivery::State::kLeftOut;
    } else if (!past->why.empty()) {
      past->state = PastDelivery::State::kFailed;
    }
  }
  deliveries.push_back(*std::move(past));
}

std::vector<KafkaSink::Kept> KafkaSink::PastMessages(const CompletedRun& run) const {
  const std::string key = ResultKey(*run.result);
  std::vector<Kept> messages;
  if (std::optional<std::string> text = chosen_.TextOf(run)) {
    messages.push_back({0, key, *std::move(text)});
  } else if (const std::optional<RowList> rows = chosen_.RowsOf(run)) {
    for (std::size_t i = 0; i < rows->rows; ++i) {
      messages.push_back({0, RowKey(key, i + 1), RowText(*rows, i)});
    }
  }
  return messages;
}

std::string KafkaSink::WhyNotPosted(std::span<const Kept> messages) {
  OutboxTopic& topic = *topic_;
  std::vector<Outbox::Pair> together;
  for (const Kept& message : messages) {
    if (topic.IsTooLarge(message.key.size() + message.text.size())) {
      return fmt::format("{} is larger than message.max.bytes ({})", message.key,
                         topic.most_bytes());
    }
    together.push_back({message.key, message.text});
  }
  if (!topic.TryPost(together)) return "more than half of its outbox would be in use";
  const Status flushed = topic.Flush();
  return flushed.ok() ? std::string() : flushed.error().message + "; it waits in memory";
}

void KafkaSink::DeliverRows(const CompletedRun& run) {
  const std::optional<RowList> rows = chosen_.RowsOf(run);
  if (!rows) return;
  const std::string result_key = ResultKey(*run.result);
  std::vector<Kept> alone;
  std::vector<Kept>& messages = topic_->is_transactional() ? kept_ : alone;
  for (std::size_t i = 0; i < rows->rows; ++i) {
    std::string key = RowKey(result_key, i + 1);
    std::string text = RowText(*rows, i);
    if (topic_->IsTooLarge(key.size() + text.size())) {
      topic_->CountTooLarge();
      topic_->SayTooLarge(key);
      continue;
    }
    messages.push_back({run.advance->number, std::move(key), std::move(text)});
  }
  PostTogether(alone);
}

void KafkaSink::Notify(std::uint64_t /*advance*/, const AlertMessage& alert) {
  Post(ResultKey(alert.identity), alert.json);
}

void KafkaSink::Post(const std::string& key, const std::string& text) {
  const std::size_t bytes = key.size() + text.size();
  switch (replay_ ? topic_->PostWhenRoom(key, text, bytes) : topic_->Post(key, text, bytes)) {
    case OutboxTopic::Posted::kTaken:
      return;
    case OutboxTopic::Posted::kTooLarge:
      return topic_->SayTooLarge(key);
    case OutboxTopic::Posted::kFull:
      return SayFull();
  }
}

void KafkaSink::Complete(const AdvanceReport& report) {
  const auto later = std::ranges::stable_partition(
      kept_, [&](const Kept& kept) { return kept.advance <= report.advance->number; });
  PostTogether({kept_.begin(), later.begin()});
  kept_.erase(kept_.begin(), later.begin());
}

void KafkaSink::PostTogether(std::span<const Kept> messages) {
  if (messages.empty()) return;
  std::vector<Outbox::Pair> together;
  together.reserve(messages.size());
  for (const Kept& message : messages) together.push_back({message.key, message.text});
  const auto posted = replay_ ? topic_->PostWhenRoom(together) : topic_->Post(together);
  if (posted == OutboxTopic::Posted::kFull) SayFull();
}

// Reported once; the state does not end.
void KafkaSink::SayFull() {
  topic_->state().Set(
      "full", outbox_events::kFull, "full",
      fmt::format("{}: the outbox {} is full, results are dropped and committing stops; a "
                  "restart produces them",
                  topic_->name(), spec_.outbox.path),
      {{"sink", topic_->name()}});
}

Status KafkaSink::Flush() {
  if (Status flushed = topic_->Flush(); !flushed) return flushed;
  if (const std::uint64_t dropped = topic_->Counts().dropped; dropped > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("{}: {} {} did not fit into the outbox {}; a restart produces them",
                             topic_->name(), dropped, ThingsOf(spec_.content), spec_.outbox.path)};
  }
  return Ok{};
}

void KafkaSink::AddCounts(SinkCounts& counts) const {
  KafkaSinkCounts own = Counts();
  // Another sink has a topic of the same name at other brokers.
  const auto same = std::ranges::count(counts.kafka, own.topic, &KafkaSinkCounts::topic);
  if (same > 0) own.sink += "#" + std::to_string(same + 1);
  counts.kafka.push_back(std::move(own));
}

}  // namespace sash
