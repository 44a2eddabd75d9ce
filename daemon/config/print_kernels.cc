#include <fmt/format.h>

#include <map>
#include <string>

#include "connectors/sinks/time_text.h"
#include "daemon/config/address_text.h"
#include "daemon/config/parse_config.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"

namespace sash {
namespace {

// Text in double quotes, which every YAML reader takes back as it was.
std::string QuoteRaw(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Quote(std::string_view text) { return QuoteRaw(EscapeReferences(text)); }

template <typename Texts>
std::string QuoteAll(const Texts& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + Quote(text);
  return "[" + list + "]";
}

std::string_view Word(TimeOrigin origin) {
  switch (origin) {
    case TimeOrigin::kField:
      return "field";
    case TimeOrigin::kKafka:
      return "kafka";
    case TimeOrigin::kClock:
      return "clock";
  }
  return "";
}

std::string_view Word(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return "s";
    case TimeUnit::kMilliseconds:
      return "ms";
    case TimeUnit::kMicroseconds:
      return "us";
    case TimeUnit::kNanoseconds:
      return "ns";
    case TimeUnit::kRfc3339:
      return "rfc3339";
  }
  return "";
}

std::string_view Word(TombstonePolicy policy) {
  switch (policy) {
    case TombstonePolicy::kIgnore:
      return "ignore";
    case TombstonePolicy::kRemove:
      return "remove";
    case TombstonePolicy::kDeadLetter:
      return "dead_letter";
  }
  return "";
}

std::string_view Word(LatePolicy policy) {
  switch (policy) {
    case LatePolicy::kDrop:
      return "drop";
    case LatePolicy::kDeadLetter:
      return "dead_letter";
    case LatePolicy::kNextSlice:
      return "next_slice";
  }
  return "";
}

std::string_view Word(WindowAxis axis) {
  switch (axis) {
    case WindowAxis::kEventTime:
      return "event_time";
    case WindowAxis::kProcessingTime:
      return "processing_time";
    case WindowAxis::kEvents:
      return "events";
  }
  return "";
}

std::string_view Word(DuplicatesPolicy policy) {
  switch (policy) {
    case DuplicatesPolicy::kKeep:
      return "keep";
    case DuplicatesPolicy::kDrop:
      return "drop";
    case DuplicatesPolicy::kWeigh:
      return "weigh";
  }
  return "";
}

std::string_view Word(TraversalDirection direction) {
  switch (direction) {
    case TraversalDirection::kOut:
      return "out";
    case TraversalDirection::kIn:
      return "in";
    case TraversalDirection::kBoth:
      return "both";
  }
  return "";
}

std::string_view Word(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return "trace";
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
  }
  return "";
}

// Writes "key: value" lines at an indentation.
class Printer {
 public:
  void Line(int depth, std::string_view key, std::string_view value = {}) {
    text_ += fmt::format("{:{}}{}:{}{}\n", "", depth * 2, key, value.empty() ? "" : " ", value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string StartText(const StartPolicy& start) {
  struct Visitor {
    std::string operator()(const StartCommitted&) const { return "committed"; }
    std::string operator()(const StartEarliest&) const { return "earliest"; }
    std::string operator()(const StartLatest&) const { return "latest"; }
    std::string operator()(const StartTimestamp& at) const {
      return fmt::format("{{timestamp: {}}}", Quote(TimeText(at.time)));
    }
    std::string operator()(const StartExplicit& at) const {
      std::string topics;
      for (const auto& [topic, partitions] : at.offsets) {
        std::string offsets;
        for (const auto& [partition, offset] : partitions) {
          offsets += fmt::format("{}{}: {}", offsets.empty() ? "" : ", ", partition, offset);
        }
        topics += fmt::format("{}{}: {{{}}}", topics.empty() ? "" : ", ", Quote(topic), offsets);
      }
      return fmt::format("{{explicit: {{{}}}}}", topics);
    }
  };
  return std::visit(Visitor{}, start);
}

using Options = std::map<std::string, std::string>;

void PrintOptions(Printer& out, int depth, const Options& options, const Options& references) {
  if (options.empty()) {
    out.Line(depth, "options", "{}");
    return;
  }
  out.Line(depth, "options");
  for (const auto& [option, value] : options) {
    const auto reference = references.find(option);
    std::string shown = Quote(IsSecretOption(option) ? kRedacted : std::string_view(value));
    if (reference != references.end()) {
      // As written: it names where the value is and does not show it.
      shown = QuoteRaw(reference->second);
    }
    out.Line(depth + 1, QuoteRaw(option), shown);  // keys hold no references
  }
}

void Print(Printer& out, const KafkaSpec& kafka) {
  out.Line(1, "kafka");
  out.Line(2, "brokers", Quote(kafka.brokers));
  out.Line(2, "topics", QuoteAll(kafka.topics));
  out.Line(2, "group", Quote(kafka.group));
  out.Line(2, "start", StartText(kafka.start));
  out.Line(2, "stall_after", FormatDuration(kafka.stall_after));
  out.Line(2, "decode_threads",
           kafka.decode_threads == 0 ? "auto" : std::to_string(kafka.decode_threads));
  PrintOptions(out, 2, kafka.options, kafka.option_references);
}

void Print(Printer& out, const ReplaySpec& replay) {
  out.Line(1, "replay");
  out.Line(2, "path", Quote(replay.path));
  out.Line(2, "pace", replay.pace == ReplayPace::kFull ? "full" : "event_time");
}

std::string Field(const std::string& pointer) { return Quote(pointer); }
std::string Field(const CsvColumn& column) {
  if (const auto* number = std::get_if<std::uint32_t>(&column)) return std::to_string(*number);
  return Quote(std::get<std::string>(column));
}

template <typename Mapping>
void PrintMapping(Printer& out, const Mapping& mapping) {
  out.Line(3, "source", Field(mapping.source));
  out.Line(3, "target", Field(mapping.target));
  if (mapping.weight) out.Line(3, "weight", Field(*mapping.weight));
  if (mapping.time) out.Line(3, "time", Field(*mapping.time));
  if (mapping.operation) out.Line(3, "operation", Field(*mapping.operation));
}

void Print(Printer& out, const FormatSpec& format) {
  out.Line(1, "format");
  if (const auto* json = std::get_if<JsonMapping>(&format.mapping)) {
    out.Line(2, "json");
    PrintMapping(out, *json);
  } else {
    const auto& csv = std::get<CsvMapping>(format.mapping);
    out.Line(2, "csv");
    PrintMapping(out, csv);
    out.Line(3, "delimiter", Quote(std::string_view(&csv.delimiter, 1)));
    out.Line(3, "multiline", csv.multiline ? "true" : "false");
  }
  out.Line(2, "keys", format.keys == KeyKind::kString ? "string" : "integer");
  out.Line(2, "tombstone", Word(format.tombstone));
}

void PrintDestination(Printer& out, int depth, const KafkaDestination& to) {
  out.Line(depth, "brokers", Quote(to.brokers));
  out.Line(depth, "topic", Quote(to.topic));
  out.Line(depth, "outbox");
  out.Line(depth + 1, "path", Quote(to.outbox.path));
  out.Line(depth + 1, "limit", FormatSize(to.outbox.limit_bytes));
  PrintOptions(out, depth, to.options, to.option_references);
}

void Print(Printer& out, const SourceConfig& source) {
  out.Line(0, "source");
  std::visit([&](const auto& connector) { Print(out, connector); }, source.connector);
  if (source.is_replay()) {
    out.Line(2, "refuse_at_most", FormatPercentage(source.refuse_at_most));
  }
  Print(out, source.format);
  out.Line(1, "time");
  out.Line(2, "from", Word(source.format.time_origin));
  out.Line(2, "unit", Word(source.format.time_unit));
  out.Line(2, "disorder", FormatDuration(source.time.disorder));
  out.Line(2, "idle_after", FormatDuration(source.time.idle_after));
  out.Line(2, "on_silence", source.time.on_silence == SilencePolicy::kHold ? "hold" : "clock");
  out.Line(2, "ahead_limit",
           source.time.auto_ahead_limit ? "auto" : FormatDuration(source.time.ahead_limit));
  out.Line(2, "late", Word(source.time.late));
  out.Line(2, "max_drift", FormatDuration(source.time.max_drift));
  out.Line(1, "dead_letters");
  out.Line(2, "path", Quote(source.dead_letters.path));
  out.Line(2, "limit", FormatSize(source.dead_letters.limit_bytes));
  if (source.dead_letters.kafka) PrintDestination(out, 2, *source.dead_letters.kafka);
}

void Print(Printer& out, const WindowSpec& window) {
  const auto extent = [&](std::int64_t value) {
    return window.by == WindowAxis::kEvents ? std::to_string(value)
                                            : FormatDuration(Duration(value));
  };
  out.Line(1, "- name", Quote(window.name));
  out.Line(2, "by", Word(window.by));
  out.Line(2, "length", window.length ? extent(*window.length) : "forever");
  out.Line(2, "slide", extent(window.slide));
  out.Line(2, "duplicates", Word(window.duplicates));
  out.Line(2, "implementation",
           window.implementation == StoreKind::kRebuild ? "rebuild" : "multiversioned");
  out.Line(2, "empty_windows", window.empty_windows == EmptyWindows::kOnce ? "once" : "skip");
}

std::string KeysText(const std::vector<VertexKey>& keys) {
  std::string list;
  for (const VertexKey& key : keys) {
    const auto* number = std::get_if<std::int64_t>(&key);
    list += list.empty() ? "" : ", ";
    list += number != nullptr ? std::to_string(*number) : Quote(std::get<std::string>(key));
  }
  return "[" + list + "]";
}

template <typename Parameters>
void PrintWarmStart(Printer& out, const Parameters& parameters) {
  out.Line(3, "warm_start", parameters.warm_start ? "true" : "false");
  out.Line(3, "check_every", std::to_string(parameters.check_every));
}

void Print(Printer& out, const PageRankParameters& parameters) {
  out.Line(2, "kernel", PageRankParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "damping", fmt::format("{}", parameters.damping));
  out.Line(3, "tolerance", fmt::format("{}", parameters.tolerance));
  out.Line(3, "max_iterations", std::to_string(parameters.max_iterations));
  PrintWarmStart(out, parameters);
  out.Line(3, "weighted", parameters.weighted ? "true" : "false");
  out.Line(3, "sources", parameters.sources.empty() ? "all" : KeysText(parameters.sources));
}

void Print(Printer& out, const BfsParameters& parameters) {
  out.Line(2, "kernel", BfsParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "roots", KeysText(parameters.roots));
  out.Line(3, "separate", parameters.separate ? "true" : "false");
  out.Line(3, "direction", Word(parameters.direction));
  out.Line(3, "parents", parameters.parents ? "true" : "false");
  PrintWarmStart(out, parameters);
}

void Print(Printer& out, const SsspParameters& parameters) {
  out.Line(2, "kernel", SsspParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "roots", KeysText(parameters.roots));
  out.Line(3, "direction", Word(parameters.direction));
  out.Line(3, "delta", parameters.delta > 0 ? fmt::format("{}", parameters.delta) : "auto");
}

void Print(Printer& out, const CdlpParameters& parameters) {
  out.Line(2, "kernel", CdlpParameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "max_iterations", std::to_string(parameters.max_iterations));
}

template <typename Parameters>
requires requires(Parameters p) { p.direction; }
void Print(Printer& out, const Parameters& parameters) {
  out.Line(2, "kernel", Parameters::kKernel);
  out.Line(2, "parameters");
  out.Line(3, "direction", Word(parameters.direction));
}

template <typename Parameters>
requires std::is_empty_v<Parameters>
void Print(Printer& out, const Parameters& /*none*/) {
  out.Line(2, "kernel", Parameters::kKernel);
  out.Line(2, "parameters", "{}");
}

void Print(Printer& out, const JobSpec& job) {
  out.Line(1, "- name", Quote(job.name));
  out.Line(2, "window", Quote(job.window));
  std::visit([&](const auto& parameters) { Print(out, parameters); }, job.parameters);
  out.Line(2, "every", std::to_string(job.every));
  out.Line(2, "threads", job.threads == 0 ? "all" : std::to_string(job.threads));
  out.Line(2, "deadline", job.deadline ? FormatDuration(*job.deadline) : "none");
  out.Line(2, "overrun",
           job.overrun.queue == 0 ? "skip" : fmt::format("{{queue: {}}}", job.overrun.queue));
  out.Line(2, "top", std::to_string(job.top));
  out.Line(2, "keep_results", std::to_string(job.keep_results));
}

void Print(Printer& out, const FileSinkSpec& sink) {
  out.Line(1, "- file");
  out.Line(3, "path", Quote(sink.path));
  out.Line(3, "jobs", sink.jobs.empty() ? "all" : QuoteAll(sink.jobs));
  out.Line(3, "vertices", sink.vertices == VerticesWritten::kTop ? "top" : "all");
  out.Line(3, "content", sink.content == SinkContent::kResults ? "results" : "diffs");
  out.Line(3, "checksum", sink.checksum ? "true" : "false");
}

void Print(Printer& out, const KafkaSinkSpec& sink) {
  out.Line(1, "- kafka");
  PrintDestination(out, 3, sink);
  out.Line(3, "transactional", sink.transactional_id.empty() ? "false" : "true");
  if (!sink.transactional_id.empty()) {
    out.Line(3, "transactional_id", Quote(sink.transactional_id));
  }
  out.Line(3, "jobs", sink.jobs.empty() ? "all" : QuoteAll(sink.jobs));
  out.Line(3, "vertices", sink.vertices == VerticesWritten::kTop ? "top" : "all");
  out.Line(3, "content", sink.content == SinkContent::kResults ? "results" : "diffs");
}

void Print(Printer& out, const TerminalSinkSpec& /*none*/) { out.Line(1, "- terminal", "{}"); }

void Print(Printer& out, const SinkSpec& sink) {
  std::visit([&](const auto& kind) { Print(out, kind); }, sink);
}

std::string TokenText(const TokenConfig& token) {
  return token.reference.empty() ? Quote(kRedacted) : QuoteRaw(token.reference);
}

// What `listen` goes with.
void Print(Printer& out, const HttpConfig& http) {
  if (http.tls) {
    out.Line(1, "tls");
    out.Line(2, "certificate", Quote(http.tls->certificate));
    out.Line(2, "key", Quote(http.tls->key));
  }
  if (http.tokens) {
    out.Line(1, "tokens");
    out.Line(2, "read", TokenText(http.tokens->read));
    out.Line(2, "admin", TokenText(http.tokens->admin));
  }
  const auto& metrics = http.metrics_listen;
  out.Line(1, "metrics_listen",
           metrics ? Quote(FormatHostPort(metrics->host, metrics->port)) : "off");
  out.Line(1, "connections_per_address", std::to_string(http.connections_per_address));
}

template <typename Item>
void PrintList(Printer& out, std::string_view key, const std::vector<Item>& items) {
  out.Line(0, key, items.empty() ? "[]" : "");
  for (const Item& item : items) Print(out, item);
}

std::string LimitText(const MemoryConfig& memory) {
  switch (memory.kind) {
    case MemoryConfig::Kind::kAutomatic:
      return "auto";
    case MemoryConfig::Kind::kNone:
      return "none";
    case MemoryConfig::Kind::kBytes:
      break;
  }
  return FormatSize(memory.limit_bytes);
}

}  // namespace

std::string PrintConfig(const Config& config) {
  Printer out;
  Print(out, config.source);
  PrintList(out, "windows", config.windows);
  PrintList(out, "jobs", config.jobs);
  PrintList(out, "sinks", config.sinks);
  out.Line(0, "http");
  out.Line(1, "listen",
           config.http.enabled ? Quote(FormatHostPort(config.http.host, config.http.port)) : "off");
  Print(out, config.http);
  out.Line(0, "log");
  out.Line(1, "format", config.log.format == LogFormat::kText ? "text" : "json");
  out.Line(1, "level", Word(config.log.level));
  out.Line(1, "rate_limit");
  out.Line(2, "burst", std::to_string(config.log.rate_limit.burst));
  out.Line(2, "every", FormatDuration(config.log.rate_limit.every));
  out.Line(0, "memory");
  out.Line(1, "limit", LimitText(config.memory));
  if (!config.memory.spill.empty()) out.Line(1, "spill", Quote(config.memory.spill));
  const bool checkpoints = config.recovery.kind == RecoveryConfig::Kind::kCheckpoint;
  out.Line(0, "recovery", checkpoints ? "checkpoint" : "replay");
  out.Line(0, "state");
  out.Line(1, "path", Quote(config.recovery.path));
  out.Line(1, "interval", FormatDuration(config.recovery.interval));
  out.Line(1, "mapping_changed", config.recovery.rebuilds ? "rebuild" : "refuse");
  out.Line(0, "shutdown_deadline", FormatDuration(config.shutdown_deadline));
  return out.Take();
}

}  // namespace sash
