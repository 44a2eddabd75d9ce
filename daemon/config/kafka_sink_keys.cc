#include <fmt/format.h>

#include <string>
#include <utility>

#include "daemon/config/destination_form.h"
#include "daemon/config/sink_rows.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

// Reads the transactional id, by which brokers recognise the sink after a restart.
void ReadTransactions(const Section& kafka, const KafkaSpec* source, Uses& uses,
                      KafkaSinkSpec& spec) {
  bool transactional = false;
  kafka.Read("transactional", transactional);
  std::string id = source == nullptr ? "sash-" + spec.topic
                                     : fmt::format("sash-{}-{}", source->group, spec.topic);
  const bool given = kafka.Read("transactional_id", id, "the name of the sink", ParseNonEmpty);
  if (!transactional) {
    if (given) {
      kafka.Fail("transactional_id", "needs `transactional: true`; set that, too, or leave it out");
    }
    return;
  }
  if (spec.brokers == "embedded") {
    kafka.Fail("transactional",
               "is `true`, but the embedded broker shows readers aborted messages, too; leave it "
               "out, or give the `brokers` of a real cluster");
  }
  const auto [use, fresh] = uses.emplace(spec.brokers + "//transactions of " + id, kafka.path());
  if (!fresh) {
    kafka.Fail("transactional_id",
               fmt::format("`{}` is used by {} already; give each its own", id, use->second));
  } else if (source != nullptr && spec.brokers == source->brokers && id == source->group) {
    kafka.Fail("transactional_id", fmt::format("`{}` is used by source.kafka.group already, and "
                                               "offsets are kept under either; give another",
                                               id));
  }
  spec.transactional_id = std::move(id);
}

}  // namespace

const KeyRows<OutboxSpec>& SinkOutboxRows() {
  static const KeyRows<OutboxSpec> rows = OutboxRows(
      "How much may wait. At the limit, results are dropped, and no offsets are committed any "
      "more.");
  return rows;
}

const KeyRows<KafkaSinkSpec, SinkContext>& KafkaSinkRows() {
  using Key = KeyRow<KafkaSinkSpec, SinkContext>;
  const auto destination = [](auto& sink) { return &sink; };
  const auto transactional = [](const KafkaSinkSpec& sink) {
    return !sink.transactional_id.empty();
  };
  static const KeyRows<KafkaSinkSpec, SinkContext> rows = {
      // The keys of the destination are read together, because they depend on each other.
      Key("brokers", destination, BrokersForm(), kBrokersAbout)
          .Default("none, but needed by `transactional: true` where the source is embedded")
          .Range(kBrokersRange)
          .ReadBy([](const Section& kafka, KafkaSinkSpec& spec, SinkContext& context) {
            ReadDestination(kafka, "sinks[].kafka.outbox", context.source, context.uses, spec);
            ReadTransactions(kafka, context.source, context.uses, spec);
          }),
      Key("topic", destination, TopicForm(),
          "The topic; nothing else in the configuration may read or write it. A result larger than "
          "message.max.bytes is not delivered. Results and diffs have the same keys: use a "
          "separate topic for each.",
          kRequired)
          .ReadBy(nullptr),
      SinkNameRow<KafkaSinkSpec>().InTurn(2),
      JobNamesRow<KafkaSinkSpec>().InTurn(2),
      VerticesRow<KafkaSinkSpec>().InTurn(2),
      PartialRow<KafkaSinkSpec>().InTurn(2),
      ContentRow<KafkaSinkSpec>().InTurn(2),
      Key(
          {"transactional",
           {Flag{}},
           "Writes results in transactions: a reader with isolation.level=read_committed sees all "
           "results of an advance or none, and each result once, even after restarts. Not possible "
           "with the embedded broker. The sink needs permission to write to the group with the "
           "name of the id, and to read its offsets."},
          nullptr,
          [transactional](YamlPrinter& out, int depth, const KafkaSinkSpec& sink) {
            out.Line(depth, "transactional", transactional(sink) ? "true" : "false");
          },
          nullptr)
          .InTurn(1),
      Key("transactional_id", &KafkaSinkSpec::transactional_id,
          TextForm{kAnyText, "the name of the sink", ParseNonEmpty},
          "Identifies the sink to the brokers across restarts; only with `transactional: true`. "
          "The last process to use an id sends, all others stop. So no two sinks may have the same "
          "id, and it may not be source.kafka.group.")
          .Default("sash-<group>-<topic>")
          .ReadBy(nullptr)
          .InTurn(1),
      Key("outbox", destination, OutboxForm("sinks[].kafka.outbox", SinkOutboxRows()),
          "A folder in which results wait until the brokers have them, even after a restart.")
          .ReadBy(nullptr),
      Key("options", destination, ProducerOptionsForm(), kProducerOptionsAbout).ReadBy(nullptr),
  };
  return rows;
}

}  // namespace sash
