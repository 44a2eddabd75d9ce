// DeadLetters: writes refused records to a file of bounded size and, if configured, to a Kafka
// topic.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A letter that is in the file is also in the outbox or in the topic, or was counted as lost
//       to the topic. So a letter that is read again after a restart goes to neither.
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
  // A replay empties the file and uses a separate outbox. `log` must outlive the object.
  static Result<std::unique_ptr<DeadLetters>> Open(const DeadLetterSpec& spec, bool replay,
                                                   EventLog& log);

  void Refuse(const RefusedRecord& record) override;

  // Flushes the outbox of the topic, then the file. Returns the file's error, which is also in
  // file().TakeChange().
  Status Flush();

  // Succeeds once the letters for a topic are durable; then the source may commit the records that
  // were refused before. Problems with the file never delay this: lines that it cannot write are
  // counted as lost.
  Status MakeDurable();

  DeadLetterFile& file() { return *file_; }

  // These three concern the topic. Without one they return at once, with nothing to report.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);
  std::vector<std::string> NotReady() const;
  std::vector<KafkaSinkCounts> KafkaCounts() const;

 private:
  DeadLetters(std::unique_ptr<DeadLetterFile> file, std::unique_ptr<LetterTopic> topic)
      : file_(std::move(file)), topic_(std::move(topic)) {}

  const std::unique_ptr<DeadLetterFile> file_;
  const std::unique_ptr<LetterTopic> topic_;  // null: no topic is configured
};

}  // namespace sash
