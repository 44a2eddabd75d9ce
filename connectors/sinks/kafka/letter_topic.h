// LetterTopic: sends dead letters to a Kafka topic, through an outbox on disk.
//
// A letter has the key and the value (none: a tombstone) of the refused record, byte for byte, and
// the headers of the record that the letter has (a null is an empty value). The reason is in the
// headers after them, all of them text: sash.topic, sash.partition, sash.offset, sash.timestamp
// (RFC 3339), sash.reason, sash.stage, sash.error, and sash.places if only some edges are refused.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) Refuse() never waits for a broker and never fails. A letter that does not fit into the
//       outbox, or is larger than message.max.bytes, is counted, and does not reach the topic.
//   (2) After Flush(), every earlier letter is in the topic, on disk, or counted as lost.
#pragma once

#include <atomic>
#include <memory>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/kafka/outbox_topic.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

class LetterTopic final : public RefusalSink {
 public:
  // Like OutboxTopic::Open().
  static Result<std::unique_ptr<LetterTopic>> Open(const KafkaDestination& to, bool replay,
                                                   EventLog& log);

  void Refuse(const RefusedRecord& record) override;
  Status Flush();

  OutboxTopic& topic() { return *topic_; }

 private:
  LetterTopic(const KafkaDestination& to, std::unique_ptr<OutboxTopic> topic, EventLog& log)
      : outbox_path_(to.outbox.path), topic_(std::move(topic)), log_(log) {}

  const std::string outbox_path_;
  const std::unique_ptr<OutboxTopic> topic_;
  EventLog& log_;
  std::atomic<bool> said_too_large_ = false;
};

// The message for a letter.
TopicMessage LetterMessage(const DeadLetter& letter);

// The letter in a message of such a topic; an error when a header is missing or wrong.
Result<DeadLetter> LetterOf(const TopicMessage& message);

}  // namespace sash
