// The keys of a topic to write to, shared by sinks and dead letters.
#pragma once

#include <string_view>

#include "connectors/sinks/kafka/producer_options.h"
#include "connectors/sinks/sink_spec.h"
#include "daemon/config/address_text.h"
#include "daemon/config/key_row.h"
#include "daemon/config/options_form.h"
#include "daemon/config/text_shapes.h"

namespace sash {

inline constexpr std::string_view kDestinationBrokers = "host:port,host:port";
inline constexpr std::string_view kBrokersRange =
    "host:port with ports 1 to 65535, or embedded where the source is";
inline constexpr std::string_view kBrokersAbout =
    "Addresses to start from. By default the brokers of source.kafka, with the options to reach "
    "them (security.*, sasl.*, ssl.*). With source.replay there is no default, so brokers are "
    "required.";
inline constexpr std::string_view kProducerOptionsAbout =
    "Options of librdkafka's producer, passed on unchanged, as for source.kafka. The producer is "
    "idempotent, unless an option says otherwise.";

// Form for a destination that may be absent. ReadDestination() reads it, because its keys depend on
// each other and on the source.
template <typename Form, typename Member>
struct IfThere {
  Form form;
  Member member;

  std::vector<Shape> Shapes() const { return form.Shapes(); }
  void Read(const Section& /*section*/, const KeySpec& /*key*/, KafkaDestination* /*to*/) const {}
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const KafkaDestination* to) const {
    if (to != nullptr) form.Print(out, depth, key, std::invoke(member, *to));
  }
  bool Same(const KafkaDestination* a, const KafkaDestination* b) const {
    if (a == nullptr || b == nullptr) return a == b;
    if constexpr (requires { form.Same(std::invoke(member, *a), std::invoke(member, *b)); }) {
      return form.Same(std::invoke(member, *a), std::invoke(member, *b));
    } else {
      return std::invoke(member, *a) == std::invoke(member, *b);
    }
  }
};
template <typename Form, typename Member>
IfThere(Form, Member) -> IfThere<Form, Member>;

inline auto TopicForm() {
  return IfThere{TextForm{kTopic, "the name of a topic", ParseTopic}, &KafkaDestination::topic};
}
inline auto BrokersForm() {
  return IfThere{TextForm{Text{BrokersPattern(), kNothing, kDestinationBrokers},
                          kDestinationBrokers, ParseBrokers},
                 &KafkaDestination::brokers};
}
inline auto OutboxForm(std::string_view section, const KeyRows<OutboxSpec>& rows) {
  return IfThere{Nested<OutboxSpec>{section, rows}, &KafkaDestination::outbox};
}
inline auto ProducerOptionsForm() { return IfThere{OptionsForm{WhyOwnedByProducer}, kWhole}; }

inline KeyRows<OutboxSpec> OutboxRows(std::string_view limit_about) {
  using Key = KeyRow<OutboxSpec>;
  return {
      Key("path", &OutboxSpec::path, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "The folder; nothing else in the configuration may use it.")
          .Default("outbox-<topic>"),
      Key("limit", &OutboxSpec::limit_bytes, ByteSize{1 << 20}, limit_about),
  };
}

}  // namespace sash
