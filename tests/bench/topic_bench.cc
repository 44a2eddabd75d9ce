// sash_topic_bench BROKERS TOPIC RECORDS REPETITIONS [JSON]: how fast the JSON records of a filled
// topic get into the open slices, compared with a bare librdkafka consumer that polls one record at
// a time and reads its payload. The two alternate. tests/integration/kafka/ingest_bench.py starts
// the broker.
#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/kafka/kafka_source.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/report.h"
#include "tests/bench/stopwatch.h"
#include "windows/base/check.h"
#include "windows/slide/window_engine.h"

namespace sash::bench {
namespace {

using std::chrono::milliseconds;

constexpr double kPatience = 60;  // seconds for a whole topic

struct Topic {
  std::string brokers;
  std::string name;
  std::uint64_t records = 0;
};

rd_kafka_t* MakeConsumer(const Topic& topic) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> text{};
  // The same options as KafkaSource, if they apply.
  constexpr std::array<std::pair<const char*, const char*>, 5> kOptions = {{
      {"group.id", "bare"},
      {"enable.auto.commit", "false"},
      {"enable.auto.offset.store", "false"},
      {"enable.partition.eof", "true"},
      {"queued.max.messages.kbytes", "32768"},
  }};
  for (const auto& [key, value] : kOptions) {
    SASH_CHECK(rd_kafka_conf_set(conf, key, value, text.data(), text.size()) == RD_KAFKA_CONF_OK);
  }
  SASH_CHECK(rd_kafka_conf_set(conf, "bootstrap.servers", topic.brokers.c_str(), text.data(),
                               text.size()) == RD_KAFKA_CONF_OK);
  rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, text.data(), text.size());
  SASH_CHECK(consumer != nullptr);
  rd_kafka_poll_set_consumer(consumer);
  return consumer;
}

void AssignWhole(rd_kafka_t* consumer, const Topic& topic) {
  const rd_kafka_metadata_t* metadata = nullptr;
  rd_kafka_topic_t* handle = rd_kafka_topic_new(consumer, topic.name.c_str(), nullptr);
  SASH_CHECK(rd_kafka_metadata(consumer, 0, handle, &metadata, 10'000) ==
             RD_KAFKA_RESP_ERR_NO_ERROR);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(16);
  for (int p = 0; p < metadata->topics[0].partition_cnt; ++p) {
    rd_kafka_topic_partition_list_add(list, topic.name.c_str(), p)->offset =
        RD_KAFKA_OFFSET_BEGINNING;
  }
  SASH_CHECK(rd_kafka_assign(consumer, list) == RD_KAFKA_RESP_ERR_NO_ERROR);
  rd_kafka_topic_partition_list_destroy(list);
  rd_kafka_metadata_destroy(metadata);
  rd_kafka_topic_destroy(handle);
}

// Seconds from the first record to the last.
std::optional<double> ReadBare(const Topic& topic) {
  rd_kafka_t* consumer = MakeConsumer(topic);
  AssignWhole(consumer, topic);
  std::uint64_t records = 0;
  std::uint64_t touched = 0;
  std::optional<WallWatch> watch;
  const WallWatch patience;
  while (records < topic.records && patience.Seconds() < kPatience) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 100);
    if (message == nullptr) continue;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (!watch) watch.emplace();
      const std::span payload(static_cast<const unsigned char*>(message->payload), message->len);
      for (const unsigned char byte : payload) touched += byte;
      ++records;
    }
    rd_kafka_message_destroy(message);
  }
  const double seconds = watch ? watch->Seconds() : 0;
  rd_kafka_consumer_close(consumer);
  rd_kafka_destroy(consumer);
  if (records < topic.records || touched == 0) return std::nullopt;
  return seconds;
}

class NoAdvances final : public EngineListener {
 public:
  void OnAdvance(AdvancePtr) override {}
};

class ErrorsOnly final : public EventLog {
 public:
  void Write(const LogLine& line) override {
    if (line.event.severity == LogSeverity::kError) fmt::print(stderr, "{}\n", line.message);
  }
};

// Like sashd: a source thread decodes, this thread is the engine's. No slice closes meanwhile.
std::optional<double> ReadIntoSlices(const Topic& topic, int threads) {
  constexpr std::int64_t kYear = Duration(std::chrono::years(1)).count();
  const TimePolicy policy{.check_ahead = false};
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/from", .target = "/to", .weight = {}, .time = "/ts", .operation = {}};
  const SystemClock clock;
  NoRefusals refusals;
  ErrorsOnly log;
  EngineStats stats;
  StreamProgress progress;
  NoAdvances listener;
  PartitionTable partitions;
  VertexDictionary keys(KeyKind::kString);
  WindowEngine engine({{.name = "long", .length = 50 * kYear, .slide = 50 * kYear}}, policy,
                      {keys, partitions, clock, refusals, stats, progress, listener});
  BatchQueue queue(64 << 20);
  KafkaSpec spec;
  spec.brokers = topic.brokers;
  spec.topics = {topic.name};
  spec.group = "whole";
  spec.start = StartEarliest{};
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (int i = 0; i < threads; ++i) decoders.push_back(MakeDecoder(format).value());
  KafkaSource source(spec, format, std::move(decoders), partitions, queue, refusals, clock,
                     progress, policy, log);
  SASH_CHECK(source.Start().ok());
  std::optional<WallWatch> watch;
  const WallWatch patience;
  while (stats.accepted < topic.records && patience.Seconds() < kPatience) {
    const std::optional<EventBatch> batch = queue.Pop(milliseconds(100));
    if (!batch) continue;
    if (!watch && !batch->events().empty()) watch.emplace();
    engine.Process(*batch);
  }
  const double seconds = watch ? watch->Seconds() : 0;
  queue.Close();
  source.Stop();
  if (stats.accepted != topic.records) return std::nullopt;
  return seconds;
}

int CompareReaders(const Topic& topic, int repetitions, const std::string& json_path) {
  Report report(stdout);
  report.PrintHeading();
  Samples bare;
  Samples whole;
  Samples shared;
  const double millions = static_cast<double>(topic.records) * 1e-6;
  for (int i = 0; i < repetitions; ++i) {
    const std::optional<double> bare_seconds = ReadBare(topic);
    const std::optional<double> whole_seconds = ReadIntoSlices(topic, 1);
    const std::optional<double> shared_seconds = ReadIntoSlices(topic, 2);
    if (!bare_seconds || !whole_seconds || !shared_seconds) {
      fmt::print(stderr, "sash_topic_bench: {} did not read {} records\n",
                 bare_seconds ? "the source" : "the bare consumer", topic.records);
      return 1;
    }
    bare.Add(millions / *bare_seconds);
    whole.Add(millions / *whole_seconds);
    shared.Add(millions / *shared_seconds);
  }
  report.Add("ingest_bare", "M records/s", bare);
  report.Add("ingest_json", "M records/s", whole, Ratios(whole, bare), "a bare consumer");
  report.Add("ingest_json_two_threads", "M records/s", shared, Ratios(shared, whole),
             "one that decodes");
  if (json_path.empty()) return 0;
  const Status written = WriteJson(report.rows(), json_path);
  if (!written.ok()) fmt::print(stderr, "sash_topic_bench: {}\n", written.error().message);
  return written.ok() ? 0 : 1;
}

}  // namespace
}  // namespace sash::bench

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() < 5) {
    fmt::print(stderr, "usage: sash_topic_bench BROKERS TOPIC RECORDS REPETITIONS [JSON]\n");
    return 2;
  }
  return sash::bench::CompareReaders(
      {arguments[1], arguments[2], std::strtoull(arguments[3], nullptr, 10)},
      std::atoi(arguments[4]), arguments.size() > 5 ? arguments[5] : "");
}
