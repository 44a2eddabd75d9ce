#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "daemon/config/address_text.h"
#include "daemon/config/destination_form.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

constexpr std::string_view kEmbedded = "embedded";

// For the brokers of the source: copies the source's connection options that `to` does not set.
void TakeConnection(const KafkaSpec& source, KafkaDestination& to) {
  for (const auto& [option, value] : source.options) {
    if (!IsConnectionOption(option) || !to.options.emplace(option, value).second) continue;
    const auto reference = source.option_references.find(option);
    if (reference != source.option_references.end()) to.option_references.insert(*reference);
  }
}

void ReadBrokers(const Section& section, const KafkaSpec* source, KafkaDestination& to) {
  if (!section.Has("brokers") && source != nullptr) {
    to.brokers = source->brokers;
    TakeConnection(*source, to);
    return;
  }
  if (!section.Has("brokers"))
    section.Fail("brokers", fmt::format("is required: give {}", kDestinationBrokers));
  section.Read("brokers", to.brokers, kDestinationBrokers, ParseBrokers);
  if (to.brokers == kEmbedded && (source == nullptr || source->brokers != kEmbedded)) {
    section.Fail("brokers", fmt::format("is `embedded`, but there is no embedded broker: "
                                        "source.kafka.brokers starts it; give {}",
                                        kDestinationBrokers));
  }
}

void ReadOutbox(const Section& section, std::string_view keys, Uses& uses, OutboxSpec& spec) {
  if (!section.Has("outbox")) {
    const auto [use, fresh] = uses.emplace(NormalPath(spec.path), section.path());
    if (!fresh) {
      section.Fail("outbox", fmt::format("its path would be `{}`, which is used by {} already; "
                                         "give another",
                                         spec.path, use->second));
    }
    return;
  }
  const Section outbox = section.Child("outbox", keys);
  outbox.Read("path", spec.path, "the path of a folder", ParseFilePath);
  const auto [use, fresh] = uses.emplace(NormalPath(spec.path), section.path());
  if (!fresh) {
    outbox.Fail("path", fmt::format("`{}` is used by {} already; give each its own", spec.path,
                                    use->second));
  }
  outbox.Read("limit", spec.limit_bytes);
}

void CheckTopic(const Section& section, const KafkaSpec* source, const KafkaDestination& to,
                Uses& uses) {
  if (source != nullptr && to.brokers == source->brokers &&
      std::ranges::find(source->topics, to.topic) != source->topics.end()) {
    section.Fail("topic", fmt::format("`{}` is a topic that source.kafka reads, but the records "
                                      "written here are not edges; give another",
                                      to.topic));
    return;
  }
  const auto [use, fresh] = uses.emplace(to.brokers + "//" + to.topic, section.path());
  if (fresh) return;
  section.Fail("topic", fmt::format("`{}` is the topic of {} already; give each its own", to.topic,
                                    use->second));
}

}  // namespace

void ReadDestination(const Section& section, std::string_view outbox_keys, const KafkaSpec* source,
                     Uses& uses, KafkaDestination& to) {
  ReadKafkaOptions(section, "options", WhyOwnedByProducer, to.options, to.option_references);
  ReadBrokers(section, source, to);
  if (section.Require("topic", to.topic, "the name of a topic", ParseTopic)) {
    CheckTopic(section, source, to, uses);
  }
  to.outbox.path = "outbox-" + to.topic;
  ReadOutbox(section, outbox_keys, uses, to.outbox);
}

}  // namespace sash
