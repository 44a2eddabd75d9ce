#include "daemon/pipeline/output_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/pipeline/source_factory.h"

namespace sash {

Result<std::unique_ptr<OutputSet>> OutputSet::Open(const Config& config,
                                                   const VertexDictionary& keys, OutputMode mode,
                                                   EventLog& log) {
  std::unique_ptr<OutputSet> set(new OutputSet(config.source));
  Result<std::unique_ptr<EmbeddedBroker>> broker = StartEmbeddedBroker(config.source, log);
  if (!broker) return broker.error();
  set->broker_ = std::move(broker).value();
  DeadLetterSpec letter_spec = config.source.dead_letters;
  if (letter_spec.kafka) set->ResolveEmbedded(*letter_spec.kafka);
  Result<std::unique_ptr<DeadLetters>> letters =
      DeadLetters::Open(letter_spec, config.source.is_replay(), log);
  if (!letters) return letters.error();
  set->dead_letters_ = std::move(letters).value();
  set->refusals_.emplace(*set->dead_letters_, log);
  std::vector<SinkSpec> sink_specs = config.sinks;
  for (SinkSpec& spec : sink_specs) {
    if (auto* kafka = std::get_if<KafkaSinkSpec>(&spec)) set->ResolveEmbedded(*kafka);
  }
  Result<std::unique_ptr<SinkSet>> sinks = OpenSinks(sink_specs, keys, mode, log);
  if (!sinks) return sinks.error();
  set->sinks_ = std::move(sinks).value();
  return set;
}

// Fills in the address of the embedded broker, which cannot be configured.
void OutputSet::ResolveEmbedded(KafkaDestination& to) const {
  if (to.brokers == "embedded") to.brokers = broker_->bootstrap_servers();
}

std::array<std::uint64_t, kRefusalReasons> OutputSet::RefusedByReason() const {
  std::array<std::uint64_t, kRefusalReasons> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = dead_letters_->file().Count(static_cast<RefusalReason>(i));
  }
  return counts;
}

std::optional<std::string> OutputSet::WhyTooManyRefused(std::uint64_t records) const {
  const std::optional<std::string> why = refusals_->WhyTooMany(records, source_.refuse_at_most);
  if (!why) return std::nullopt;
  const DeadLetterFile& file = dead_letters_->file();
  const bool is_whole = file.rotated() == 0 && file.lost() == 0;
  const DeadLetterSpec& letters = source_.dead_letters;
  return fmt::format("{}; {} in {}{}", *why, is_whole ? "they are" : "the newest of them are",
                     letters.path,
                     letters.kafka ? " and in the topic " + letters.kafka->topic : "");
}

SinkCounts OutputSet::CountSinks() const {
  SinkCounts counts = sinks_->Counts();
  std::ranges::move(dead_letters_->KafkaCounts(), std::back_inserter(counts.kafka));
  return counts;
}

}  // namespace sash
