#include "connectors/kafka/kafka_options.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

using Reason = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kCommits = "Sash commits by itself, as windows advance; remove it";
constexpr std::string_view kAssigned =
    "the group has one member, which reads all partitions; remove it";
constexpr std::string_view kMock =
    "Sash starts the embedded broker itself: use `brokers: embedded`";
constexpr std::string_view kWiring = "it is set inside the process; remove it";

// Options that users may not change, because the daemon's guarantees depend on them, and what to do
// instead.
constexpr std::array<Reason, 17> kOwned = {{
    {"bootstrap.servers", "set `source.kafka.brokers` instead"},
    {"metadata.broker.list", "set `source.kafka.brokers` instead"},
    {"group.id", "set `source.kafka.group` instead"},
    {"group.instance.id", kAssigned},
    {"partition.assignment.strategy", kAssigned},
    {"enable.auto.commit", kCommits},
    {"auto.commit.enable", kCommits},
    {"auto.commit.interval.ms", kCommits},
    {"enable.auto.offset.store", kCommits},
    {"offset.store.method", kCommits},
    {"offset.store.path", kCommits},
    {"offset.store.sync.interval.ms", kCommits},
    {"auto.offset.reset",
     "an offset out of range is handled here and marks results `gap: true`; set "
     "`source.kafka.start` instead"},
    {"enable.partition.eof", "Sash finds idle partitions by it, so it is always on; remove it"},
    {"statistics.interval.ms", "Sash learns from them which brokers are up; remove it"},
    {"topic.blacklist", "it would hide topics that are to be read; change `source.kafka.topics`"},
    {"partitioner", kWiring},
}};

// Options that users can set for neither consumers nor producers.
constexpr std::array<Reason, 8> kWired = {{
    {"test.mock.num.brokers", kMock},
    {"test.mock.broker.rtt", kMock},
    {"enabled_events", kWiring},
    {"log.queue", kWiring},
    {"opaque", kWiring},
    {"default_topic_conf", kWiring},
    {"msg_order_cmp", kWiring},
    {"interceptors", kWiring},
}};

constexpr std::array<std::pair<const char*, const char*>, 7> kSet = {{
    {"enable.auto.commit", "false"},
    {"enable.auto.offset.store", "false"},
    {"auto.offset.reset", "error"},
    {"enable.partition.eof", "true"},
    {"statistics.interval.ms", "1000"},
    {"client.id", "sash"},
    // Without it, bytes that changed on a broker's disk are taken as valid, or stop the partition
    // without an error.
    {"check.crcs", "true"},
}};

// Records waiting in librdkafka, over all partitions. The BatchQueue has its own limit.
constexpr const char* kPrefetchKilobytes = "32768";

}  // namespace

std::string KafkaLibraryVersion() { return rd_kafka_version_str(); }

std::optional<std::string_view> WhyOwnedBySource(std::string_view option) {
  const auto* const found = std::ranges::find(kOwned, option, &Reason::first);
  return found != kOwned.end() ? found->second : WhyWired(option);
}

std::optional<std::string_view> WhyWired(std::string_view option) {
  const auto* const found = std::ranges::find(kWired, option, &Reason::first);
  if (found != kWired.end()) return found->second;
  if (option.ends_with("_cb")) return kWiring;
  return std::nullopt;
}

bool IsSecretKafkaOption(std::string_view key) {
  constexpr std::array<std::string_view, 6> kParts = {
      "password", "secret", "jaas", "key.pem", "oauthbearer.config", "token.value"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return key.find(part) != std::string_view::npos; });
}

void MustSetOption(rd_kafka_conf_s* conf, const char* key, const char* value) {
  std::array<char, kKafkaErrorBytes> text{};
  SASH_CHECK(rd_kafka_conf_set(conf, key, value, text.data(), text.size()) == RD_KAFKA_CONF_OK);
}

std::vector<KafkaOptionError> SetUserOptions(const std::map<std::string, std::string>& options,
                                             WhyOwned why_owned, rd_kafka_conf_s* conf) {
  std::vector<KafkaOptionError> errors;
  for (const auto& [key, value] : options) {
    if (const auto why = why_owned(key)) {
      errors.push_back({key, fmt::format("belongs to Sash: {}", *why)});
      continue;
    }
    std::array<char, kKafkaErrorBytes> text{};
    const rd_kafka_conf_res_t outcome =
        rd_kafka_conf_set(conf, key.c_str(), value.c_str(), text.data(), text.size());
    if (outcome == RD_KAFKA_CONF_OK) continue;
    if (outcome == RD_KAFKA_CONF_INVALID && IsSecretKafkaOption(key)) {
      errors.push_back({key, "invalid value (not shown)"});
    } else {
      // librdkafka's text does not always name the value.
      const std::string_view reason = text.data();
      const bool names_value = IsSecretKafkaOption(key) ||
                               reason.find(value) != std::string::npos ||
                               outcome == RD_KAFKA_CONF_UNKNOWN;
      errors.push_back(
          {key, names_value ? std::string(reason) : fmt::format("{}, got \"{}\"", reason, value)});
    }
  }
  return errors;
}

std::vector<KafkaOptionError> ApplyKafkaOptions(const KafkaSpec& spec, rd_kafka_conf_s* conf) {
  for (const auto& [key, value] : kSet) MustSetOption(conf, key, value);
  MustSetOption(conf, "queued.max.messages.kbytes", kPrefetchKilobytes);
  MustSetOption(conf, "group.id", spec.group.c_str());
  return SetUserOptions(spec.options, WhyOwnedBySource, conf);
}

std::vector<KafkaOptionError> TryOptions(rd_kafka_conf_s* conf, KafkaClient client,
                                         std::vector<KafkaOptionError> errors) {
  if (!errors.empty()) {
    rd_kafka_conf_destroy(conf);
    return errors;
  }
  // Without brokers the handle contacts none. Its log line about that is of no use to the user.
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  std::array<char, kKafkaErrorBytes> text{};
  const bool consumes = client == KafkaClient::kConsumer;
  rd_kafka_t* handle = rd_kafka_new(consumes ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, conf,
                                    text.data(), text.size());
  if (handle == nullptr) {
    rd_kafka_conf_destroy(conf);
    errors.push_back({"", text.data()});
  } else {
    rd_kafka_destroy_flags(handle, consumes ? RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE : 0);
  }
  return errors;
}

std::vector<KafkaOptionError> FindWrongKafkaOptions(const KafkaSpec& spec) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  return TryOptions(conf, KafkaClient::kConsumer, ApplyKafkaOptions(spec, conf));
}

Status CheckKafkaOptions(const KafkaSpec& spec) {
  const std::vector<KafkaOptionError> errors = FindWrongKafkaOptions(spec);
  if (errors.empty()) return Ok{};
  std::string message;
  for (const KafkaOptionError& error : errors) {
    if (!message.empty()) message += '\n';
    message += error.key.empty()
                   ? "source.kafka.options: " + error.what
                   : fmt::format("source.kafka.options.{}: {}", error.key, error.what);
  }
  return Error{ErrorCode::kInvalidArgument, std::move(message)};
}

}  // namespace sash
