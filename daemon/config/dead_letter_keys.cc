#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "daemon/config/destination_form.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/sections.h"
#include "daemon/config/source_keys.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

// Reads the topic together with the keys to reach it; these are errors without a topic.
void ReadLettersTopic(const Section& letters, DeadLetterSpec& spec, LettersContext& context) {
  if (letters.Has("topic")) {
    Uses uses{{NormalPath(spec.path), "source.dead_letters.path"}};
    spec.kafka.emplace();
    ReadDestination(letters, "source.dead_letters.outbox", context.source, uses, *spec.kafka);
    return;
  }
  for (const char* key : {"brokers", "outbox", "options"}) {
    if (!letters.Has(key)) continue;
    letters.Fail(key, "has no effect without a topic; give topic, or leave it out");
  }
}

}  // namespace

const KeyRows<OutboxSpec>& LettersOutboxRows() {
  static const KeyRows<OutboxSpec> rows = OutboxRows(
      "How much may wait. At the limit, letters do not reach the topic and are counted; the file "
      "contains them.");
  return rows;
}

const KeyRows<DeadLetterSpec, LettersContext>& LettersRows() {
  using Key = KeyRow<DeadLetterSpec, LettersContext>;
  const auto topic = [](auto& letters) { return letters.kafka ? &*letters.kafka : nullptr; };
  static const KeyRows<DeadLetterSpec, LettersContext> rows = {
      Key("path", &DeadLetterSpec::path, TextForm{kFile, "the path of a file", ParseFilePath},
          "The file; nothing else in the configuration may use it."),
      Key("limit", &DeadLetterSpec::limit_bytes, ByteSize{4096},
          "At this size, the file loses its older half."),
      Key("topic", topic, TopicForm(),
          "A topic to which each record is written too, with its key and value unchanged, and with "
          "headers that say where it was and why it was refused "
          "(connectors/sinks/dead-letters.md). It may not be a topic of the source.")
          .ReadBy(ReadLettersTopic)
          .InTurn(1),
      Key("brokers", topic, BrokersForm(), kBrokersAbout).Range(kBrokersRange).ReadBy(nullptr),
      Key("outbox", topic, OutboxForm("source.dead_letters.outbox", LettersOutboxRows()),
          "A folder in which letters wait until the brokers have them, even after a restart.")
          .ReadBy(nullptr)
          .InTurn(2),
      Key("options", topic, ProducerOptionsForm(), kProducerOptionsAbout).ReadBy(nullptr).InTurn(2),
  };
  return rows;
}

void CheckDeadLetterPath(const Section& source, const SourceConfig& config) {
  const auto* replay = std::get_if<ReplaySpec>(&config.connector);
  if (replay == nullptr) return;
  const std::string letters = NormalPath(config.dead_letters.path);
  if (std::ranges::none_of(replay->paths, [&](const std::string& path) {
        return path != "-" && NormalPath(path) == letters;
      })) {
    return;
  }
  const std::string message =
      fmt::format("`{}` is the file that source.replay.path reads; give another file",
                  config.dead_letters.path);
  if (source.Has("dead_letters")) {
    source.Child("dead_letters", "source.dead_letters").Fail("path", message);
  } else {
    source.Fail("dead_letters", message);
  }
}

}  // namespace sash
