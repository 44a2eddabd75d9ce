#include "daemon/config/idle_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/codec/mapped_topics.h"
#include "connectors/codec/window_judge.h"
#include "daemon/config/error_list.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/sections.h"
#include "daemon/config/source_topics.h"
#include "windows/base/check.h"

namespace sash {
namespace {

// The mappings of the source, with the path of each.
std::vector<std::pair<std::string, const FormatSpec*>> MappingsWithPaths(const FormatSpec& format) {
  if (format.mappings.empty()) return {{"source.format", &format}};
  std::vector<std::pair<std::string, const FormatSpec*>> mappings;
  for (const FormatSpec& each : format.mappings) {
    mappings.emplace_back(JoinIndex("source.mappings", mappings.size()), &each);
  }
  return mappings;
}

// The path of an edge of a mapping, from the path of the mapping.
std::string PathOfEdge(const FormatSpec& mapping, std::size_t edge) {
  const auto* json = std::get_if<JsonMapping>(&mapping.mapping);
  if (json == nullptr) return "csv";
  if (!json->more_edges.empty()) return JoinIndex("edges", edge);
  return json->avro ? "avro" : "json";
}

void FindIdsWithoutDedupe(const Config& config, std::vector<IdleKey>& idle) {
  if (config.source.time.dedupe_within > Duration::zero()) return;
  if (std::ranges::any_of(config.exports, &ExportSpec::slices)) return;  // they have ids
  for (const auto& [path, mapping] : MappingsWithPaths(config.source.format)) {
    std::size_t edge = 0;
    std::optional<std::size_t> with_id;
    mapping->ForEachEdge([&](const auto& each) {
      if (each.id && !with_id) with_id = edge;
      ++edge;
    });
    if (!with_id) continue;
    idle.push_back({JoinKey(JoinKey(path, PathOfEdge(*mapping, *with_id)), "id"),
                    "has no effect, because source.dedupe is not given",
                    "give source.dedupe: {within: 10m}, or leave out `id`"});
  }
}

// Whether every record of an edge of the window has passed the window's filter in the source.
bool IsFilterOfSource(const WindowSpec& window, const FormatSpec& format) {
  if (format.mappings.empty()) return window.where == format.where;
  return std::ranges::all_of(format.mappings, [&](const FormatSpec& mapping) {
    return mapping.where == window.where || !MayGiveTypes(mapping, window.types);
  });
}

void FindFiltersOfSource(const Config& config, std::vector<IdleKey>& idle) {
  for (std::size_t i = 0; i < config.windows.size(); ++i) {
    const WindowSpec& window = config.windows[i];
    if (window.where.empty() || !IsFilterOfSource(window, config.source.format)) continue;
    idle.push_back({JoinKey(JoinIndex("windows", i), "where"),
                    fmt::format("has no effect, because it is the `where` of source.{}: the source "
                                "leaves out all other records already",
                                config.source.format.mappings.empty() ? "format" : "mappings"),
                    "leave it out"});
  }
}

// What each mapping takes, in the order of the mappings.
std::vector<MappedTopics> TopicsOfMappings(const FormatSpec& format) {
  std::vector<MappedTopics> topics;
  for (const FormatSpec& mapping : format.mappings) {
    Result<MappedTopics> each = MappedTopics::Of(mapping);
    SASH_CHECK(each.ok());  // the patterns of a valid configuration
    topics.push_back(std::move(each).value());
  }
  return topics;
}

void FindTopicsWithoutMapping(const Config& config, std::vector<IdleKey>& idle) {
  if (config.source.is_replay() || config.source.format.mappings.empty()) return;
  const std::vector<MappedTopics> mappings = TopicsOfMappings(config.source.format);
  const SourceTopics source(config.source);
  std::vector<std::string> unmapped;
  for (const std::string& topic : source.names()) {
    const bool is_taken = std::ranges::any_of(
        mappings, [&](const MappedTopics& mapping) { return mapping.Take(topic); });
    if (!is_taken) unmapped.push_back(topic);
  }
  if (unmapped.empty()) return;
  idle.push_back(
      {"source.kafka.topics",
       fmt::format("no mapping takes the records of {}; they are only counted", SomeOf(unmapped)),
       "name the topic in `topics` of a mapping, or leave it out here"});
}

// Topics that both take, for a message; nothing if it is not known that there are any. `named`: of
// the source.
std::optional<std::string> SharedTopics(const MappedTopics& a, const MappedTopics& b,
                                        const std::vector<std::string>& named) {
  for (const std::vector<std::string>* topics : {&a.names(), &b.names(), &named}) {
    for (const std::string& topic : *topics) {
      if (a.Take(topic) && b.Take(topic)) return topic;
    }
  }
  if (!named.empty() || !a.names().empty() || !b.names().empty()) return std::nullopt;
  if (a.pattern() != b.pattern() && !a.are_all() && !b.are_all()) return std::nullopt;
  if (a.are_all() && b.are_all()) return "all topics";
  return fmt::format("topics that match `{}`", a.are_all() ? b.pattern() : a.pattern());
}

// Whether both make the same edges of a record that both take.
bool MakeSameEdges(FormatSpec a, const FormatSpec& b) {
  a.name = b.name;
  a.topics = b.topics;
  a.topic_pattern = b.topic_pattern;
  FormatSpec left;
  FormatSpec right;
  left.mappings = {std::move(a)};
  right.mappings = {b};
  return SameMappings(left, right);
}

// What the records of a mapping are.
std::string RecordsOf(const FormatSpec& mapping) {
  const auto* json = std::get_if<JsonMapping>(&mapping.mapping);
  const std::string kind = json == nullptr ? "CSV" : json->avro ? "Avro" : "JSON";
  return mapping.registry ? kind + " with schema numbers" : kind;
}

// Why two mappings should not both take the topics; nothing if they may.
std::optional<IdleKey> FindClash(const FormatSpec& earlier, const FormatSpec& mapping,
                                 const std::string& topics) {
  const std::string one = RecordsOf(earlier);
  const std::string other = RecordsOf(mapping);
  if (one != other) {
    return IdleKey{"",
                   fmt::format("reads the records of {} as {}, and mapping {} reads them as {}; a "
                               "record is only one of these",
                               topics, other, earlier.name, one),
                   "let them take different topics"};
  }
  if (!MakeSameEdges(earlier, mapping)) return std::nullopt;
  return IdleKey{"",
                 fmt::format("makes the same edges of {} as mapping {}, so each is counted twice",
                             topics, earlier.name),
                 "leave out one of them, or let them take different topics"};
}

void FindClashes(const Config& config, std::vector<IdleKey>& idle) {
  const std::vector<FormatSpec>& mappings = config.source.format.mappings;
  const std::vector<MappedTopics> topics = TopicsOfMappings(config.source.format);
  const SourceTopics source(config.source);
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const auto shared = SharedTopics(topics[earlier], topics[i], source.names());
      if (!shared) continue;
      std::optional<IdleKey> clash = FindClash(mappings[earlier], mappings[i], *shared);
      if (!clash) continue;
      clash->key = JoinIndex("source.mappings", i);
      idle.push_back(*std::move(clash));
      break;
    }
  }
}

// Sinks of alerts that no alert tells anything.
void FindSinksWithoutAlerts(const Config& config, std::vector<IdleKey>& idle) {
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    const auto find = [&](std::string_view kind, const auto& sink) {
      if (sink.content != SinkContent::kAlerts) return;
      const bool gets_alerts = std::ranges::any_of(config.alerts, [&](const AlertSpec& alert) {
        return alert.to.empty() || std::ranges::find(alert.to, sink.name) != alert.to.end();
      });
      if (gets_alerts) return;
      idle.push_back({JoinKey(JoinKey(JoinIndex("sinks", i), kind), "content"),
                      "is `alerts`, but no alert tells this sink anything",
                      "give `alerts`, with the name of the sink in `to`, or leave the sink out"});
    };
    if (const auto* file = std::get_if<FileSinkSpec>(&config.sinks[i])) find("file", *file);
    if (const auto* kafka = std::get_if<KafkaSinkSpec>(&config.sinks[i])) find("kafka", *kafka);
    if (const auto* hook = std::get_if<WebhookSinkSpec>(&config.sinks[i])) find("webhook", *hook);
  }
}

}  // namespace

std::vector<IdleKey> FindIdleKeys(const Config& config) {
  std::vector<IdleKey> idle;
  FindIdsWithoutDedupe(config, idle);
  if (config.source.shard() != nullptr && config.source.time.dedupe_within > Duration::zero()) {
    idle.push_back({"source.dedupe",
                    "has no effect in a shard (source.kafka.partitions), which writes every edge",
                    "let the reader of the slices compare their ids"});
  }
  FindTopicsWithoutMapping(config, idle);
  FindClashes(config, idle);
  FindFiltersOfSource(config, idle);
  FindSinksWithoutAlerts(config, idle);
  return idle;
}

}  // namespace sash
