#include "connectors/sinks/dead_letters.h"

#include <utility>

namespace sash {

Result<std::unique_ptr<DeadLetters>> DeadLetters::Open(const DeadLetterSpec& spec, bool replay,
                                                       EventLog& log) {
  Result<std::unique_ptr<DeadLetterFile>> file = DeadLetterFile::Open(spec, replay, log);
  if (!file) return std::move(file).error();
  std::unique_ptr<LetterTopic> topic;
  if (spec.kafka) {
    Result<std::unique_ptr<LetterTopic>> opened = LetterTopic::Open(*spec.kafka, replay, log);
    if (!opened) return std::move(opened).error();
    topic = std::move(opened).value();
  }
  return std::unique_ptr<DeadLetters>(new DeadLetters(std::move(file).value(), std::move(topic)));
}

void DeadLetters::Refuse(const RefusedRecord& record) {
  // The topic first: a letter in the file counts as sent to the topic.
  if (topic_ && !file_->Repeats(record)) topic_->Refuse(record);
  file_->Refuse(record);
}

Status DeadLetters::Flush() {
  if (topic_) (void)topic_->Flush().ok();  // it reports its own state
  return file_->Flush();
}

Status DeadLetters::MakeDurable() {
  Status durable = topic_ ? topic_->Flush() : Ok{};
  (void)file_->Flush().ok();  // it reports its own state
  return durable;
}

Status DeadLetters::Drain(const std::function<bool()>& go_on, bool only_while_ready) {
  return topic_ ? topic_->topic().Drain(go_on, only_while_ready) : Ok{};
}

std::vector<std::string> DeadLetters::NotReady() const {
  return topic_ ? topic_->topic().NotReady() : std::vector<std::string>();
}

std::vector<KafkaSinkCounts> DeadLetters::KafkaCounts() const {
  if (!topic_) return {};
  return {topic_->topic().Counts()};
}

}  // namespace sash
