// Claims about our own formats when read again: a letter, or the metadata of a commit, is refused
// with a reason, or can be written again and reads the same.
#include <string>

#include "connectors/kafka/rewind_metadata.h"
#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/kafka/letter_topic.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

bool Same(const DeadLetter& a, const DeadLetter& b) {
  return a.topic == b.topic && a.partition == b.partition && a.offset == b.offset &&
         a.timestamp == b.timestamp && a.reason == b.reason && a.stage == b.stage &&
         a.detail == b.detail && a.key == b.key && a.payload == b.payload;
}

// As a message of a topic, whose headers hold everything that was not truncated.
void CheckMessage(const DeadLetter& letter) {
  const Result<DeadLetter> again = LetterOf(LetterMessage(letter));
  SASH_CHECK(again && Same(again.value(), letter));
}

void ReadLine(std::string_view line) {
  const Result<DeadLetter> letter = ParseDeadLetter(line);
  if (!letter) {
    SASH_CHECK(letter.error().message.starts_with("not a dead letter: "));
    return;
  }
  CheckMessage(letter.value());
}

// "name: value" line by line, then an empty line and the value.
void ReadMessage(Choices& choices) {
  TopicMessage message;
  while (!choices.rest().empty()) {
    const std::string_view line = choices.Line();
    if (line.empty()) break;
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) {
      message.key = line;
    } else {
      message.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  if (!choices.rest().empty()) message.value = choices.rest();
  const Result<DeadLetter> letter = LetterOf(message);
  if (!letter) {
    SASH_CHECK(letter.error().message.starts_with("not a dead letter: "));
    return;
  }
  CheckMessage(letter.value());
}

void ReadMetadata(std::string_view text) {
  const std::optional<RewindMetadata> metadata = ParseRewindMetadata(text);
  if (!metadata) return;
  std::size_t left_out = 0;
  const std::string written = FormatRewindMetadata(*metadata, &left_out);
  SASH_CHECK(written.size() <= RewindMetadata::kMaxBytes);
  const std::optional<RewindMetadata> again = ParseRewindMetadata(written);
  SASH_CHECK(again.has_value());
  SASH_CHECK(left_out > 0 || *again == *metadata);
  RewindPoint point;
  const std::optional<RewindMetadata> both[] = {metadata, again};
  MergeRewindMetadata(both, point);
}

}  // namespace

void ReadLetter(std::string_view input) {
  Choices choices(input);
  switch (choices.Below(3)) {
    case 0:
      return ReadLine(choices.rest());
    case 1:
      return ReadMessage(choices);
    default:
      return ReadMetadata(choices.rest());
  }
}

}  // namespace sash::fuzz
