// StartForm: where reading of Kafka begins (source.kafka.start): a word, a time or offsets.
#pragma once

#include <string>
#include <vector>

#include "daemon/config/key_row.h"
#include "daemon/config/sections.h"

namespace sash {

void ReadStart(const Section& kafka, KafkaSpec& spec);
std::string StartText(const StartPolicy& start);

// Explicit offsets name topics of the source.
struct StartForm {
  std::vector<Shape> Shapes() const {
    return {Words{{"committed", "earliest", "latest"}}, SectionShape{"source.kafka.start"}};
  }
  void Read(const Section& kafka, const KeySpec& /*key*/, KafkaSpec& spec) const {
    ReadStart(kafka, spec);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const KafkaSpec& spec) const {
    out.Line(depth, key.name, StartText(spec.start));
  }
  bool Same(const KafkaSpec& a, const KafkaSpec& b) const { return a.start == b.start; }
};

// StartForm reads and prints its keys.
SectionSpec StartSection();

}  // namespace sash
