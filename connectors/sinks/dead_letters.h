// DeadLetters: where refused records go: a file of bounded size, and a Kafka topic where one is
// configured.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A letter that the file holds is in the outbox or in the topic, or was counted as lost to
//       it: so one that comes again after a restart goes to neither.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connectors/sinks/dead_letter_file.h"
#include "connectors/sinks/kafka/letter_topic.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

class DeadLetters final : public RefusalSink {
 public:
  // A replay begins the file anew and has an outbox of its own. `log` outlives it.
  static Result<std::unique_ptr<DeadLetters>> Open(const DeadLetterSpec& spec, bool replay,
                                                   EventLog& log);

  void Refuse(const RefusedRecord& record) override;

  // The outbox of the topic, then the file, whose errors are also in file().TakeChange().
  Status Flush();

  // Whether what was refused before may be forgotten by the source: the letters for a topic are
  // durable. The file keeps what it can, and counts what it cannot: it holds nothing up.
  Status MakeDurable();

  DeadLetterFile& file() { return *file_; }

  // Of the topic; nothing to wait for, and nothing to say, without one.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);
  std::vector<std::string> NotReady() const;
  std::vector<KafkaSinkCounts> KafkaCounts() const;

 private:
  DeadLetters(std::unique_ptr<DeadLetterFile> file, std::unique_ptr<LetterTopic> topic)
      : file_(std::move(file)), topic_(std::move(topic)) {}

  const std::unique_ptr<DeadLetterFile> file_;
  const std::unique_ptr<LetterTopic> topic_;  // null without one
};

}  // namespace sash
