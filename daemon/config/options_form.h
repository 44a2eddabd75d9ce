// OptionsForm: `options` of a source or sink, for librdkafka.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "daemon/config/key_row.h"

namespace sash {

using KafkaOptions = std::map<std::string, std::string>;

// `why_owned` returns why an option cannot be set there.
void ReadKafkaOptions(const Section& section, std::string_view key, WhyOwned why_owned,
                      KafkaOptions& options, KafkaOptions& references);
// Secrets are shown as their references, or not at all.
void PrintKafkaOptions(YamlPrinter& out, int depth, std::string_view key,
                       const KafkaOptions& options, const KafkaOptions& references);

// Form for a struct with members `options` and `option_references`.
struct OptionsForm {
  WhyOwned why_owned;

  std::vector<Shape> Shapes() const { return {FreeMapping{FreeMapping::Kind::kOptions}}; }
  template <typename Spec>
  void Read(const Section& section, const KeySpec& key, Spec& spec) const {
    ReadKafkaOptions(section, key.name, why_owned, spec.options, spec.option_references);
  }
  template <typename Spec>
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Spec& spec) const {
    PrintKafkaOptions(out, depth, key.name, spec.options, spec.option_references);
  }
  template <typename Spec>
  bool Same(const Spec& a, const Spec& b) const {
    return a.options == b.options && a.option_references == b.option_references;
  }
};

}  // namespace sash
