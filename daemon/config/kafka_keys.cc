#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "daemon/config/address_text.h"
#include "daemon/config/options_form.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/start_form.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/topics_form.h"

namespace sash {
namespace {

constexpr std::string_view kTopics = "source.kafka.topics";
// ShardForm reads and prints them.
constexpr std::string_view kPartitions = "source.kafka.partitions";
const WholeNumber kShardNumber{1, StreamShard::kMost};

// `partitions`, which splits them among several processes.
struct ShardForm {
  std::vector<Shape> Shapes() const { return {SectionShape{kPartitions}}; }
  void Read(const Section& kafka, const KeySpec& key, KafkaSpec& spec) const {
    if (!kafka.Has(key.name)) return;
    const Section shard = kafka.Child(key.name, kPartitions);
    StreamShard read;
    const bool has_number = shard.Require("shard", read.number);
    if (!shard.Require("of", read.of) || !has_number) return;
    if (read.number > read.of) {
      return shard.Fail("shard",
                        fmt::format("must be from 1 to `of` ({}), not {}", read.of, read.number));
    }
    spec.shard = read;
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const KafkaSpec& spec) const {
    if (!spec.shard) return;
    out.Line(depth, key.name,
             fmt::format("{{shard: {}, of: {}}}", spec.shard->number, spec.shard->of));
  }
  bool Same(const KafkaSpec& a, const KafkaSpec& b) const { return a.shard == b.shard; }
};

SectionSpec ShardSection() {
  return {kPartitions,
          {{"shard",
            {kShardNumber},
            "The number of this shard.",
            kRequired,
            Change::kRestart,
            "",
            "1 to `of`"},
           {"of", {kShardNumber}, "The number of shards, the same in all of them.", kRequired}},
          {}};
}

}  // namespace

const KeyRows<KafkaSpec>& KafkaRows() {
  using Key = KeyRow<KafkaSpec>;
  static const KeyRows<KafkaSpec> rows = {
      Key("brokers", &KafkaSpec::brokers,
          TextForm{Text{BrokersPattern(), kNothing, "embedded or host:port,host:port"},
                   "`embedded` or host:port,host:port", ParseBrokers},
          "Addresses of brokers, separated by commas; IPv6 addresses in brackets. `embedded` "
          "starts a broker inside the process, for trials; --check, the log and /readyz report "
          "this.")
          .Range("embedded, or host:port with ports 1 to 65535"),
      Key("topics", kWhole,
          TopicsForm{.pattern_section = kTopics,
                     .example = "a list of topics, such as [interactions]",
                     .is_required = true},
          "Topics to read: a list, or a pattern. With a pattern, all topics whose names match are "
          "read, those that are created later too, from their beginning; a topic that is deleted "
          "leaves. The pattern is a regular expression (RE2) of which any part of a name may "
          "match. Topics to which sashd writes, and those that begin with __, never match.",
          kRequired)
          .Range("at least one name, each once; or a pattern"),
      Key("group", &KafkaSpec::group,
          TextForm{kAnyText, "the name of a consumer group", ParseNonEmpty},
          "The consumer group under which offsets are stored."),
      Key("partitions", kWhole, ShardForm{},
          "Makes this process one of several that read the topics together. Shard 1 of 4 reads the "
          "partitions 0, 4, 8, ... of each topic: partition p belongs to shard p mod 4 + 1. A "
          "shard only exports its slices, in a folder of its own (exports[].parquet with `slices: "
          "true` is required); the pane and the filters come from `windows`. It runs no window, "
          "job, sink or alert of the file and leaves duplicates to the reader of the slices. "
          "connectors/export/slices/README.md describes shards.",
          kOptional),
      Key("start", kWhole, StartForm{},
          "Where reading begins. committed: at the stored offset of each partition; if there is "
          "none, at the earliest record. timestamp: at the first record at or after this time (RFC "
          "3339, or milliseconds since 1970). explicit: at these offsets; in other partitions, at "
          "the earliest record.")
          .Range("the forms shown here, times from 1970, offsets from 0"),
      Key("stall_after", &KafkaSpec::stall_after, TimeSpan{.zero = false},
          "If a partition that has more records delivers none for this time, reading of the "
          "partition starts again, and /readyz reports the partition until its next record."),
      Key("decode_threads", &KafkaSpec::decode_threads, OrWord{WholeNumber{1, 64}, "auto", 0},
          "How many threads decode records. Each decodes a range of the fetched records, so "
          "several threads help even with a single partition. auto: a quarter of the cores, from 1 "
          "to 8. More threads help if records are long or many, and cores are idle. --replay uses "
          "one thread."),
      Key("options", kWhole, OptionsForm{WhyOwnedBySource},
          "Options of librdkafka, passed on unchanged. Options that sashd sets itself are refused; "
          "the message gives the reason. --print-config prints secret values as <redacted>; it "
          "prints ${env:NAME} and ${file:PATH} as they are, so give secrets in this form. The "
          "default of check.crcs is true."),
  };
  return rows;
}

std::vector<SectionSpec> KafkaSections() {
  return {SectionFrom("source.kafka", KafkaRows()),
          PatternSection(
              kTopics,
              "A regular expression (RE2); any part of a name may match, so begin it with ^ and "
              "end it with $ where the name must. Topics that match later are read from their "
              "beginning."),
          ShardSection(), StartSection()};
}

}  // namespace sash
