// Equality of configurations, field by field: a test must notice a field that printing forgets.
#pragma once

#include <tuple>

#include "daemon/config/config.h"

namespace sash {

inline auto Fields(const StartTimestamp& s) { return std::tie(s.time); }
inline auto Fields(const StartExplicit& s) { return std::tie(s.offsets); }
inline auto Fields(const StartCommitted&) { return std::tuple<>(); }
inline auto Fields(const StartEarliest&) { return std::tuple<>(); }
inline auto Fields(const StartLatest&) { return std::tuple<>(); }
inline auto Fields(const JsonMapping& m) {
  return std::tie(m.source, m.target, m.weight, m.time, m.operation);
}
inline auto Fields(const CsvMapping& m) {
  return std::tie(m.source, m.target, m.weight, m.time, m.operation, m.delimiter,
                  m.multiline);
}
inline auto Fields(const TimePolicy& t) {
  return std::tie(t.disorder, t.idle_after, t.on_silence, t.ahead_limit, t.auto_ahead_limit,
                  t.check_ahead, t.late,
                  t.max_drift);
}
inline auto Fields(const WindowSpec& w) {
  return std::tie(w.name, w.by, w.length, w.slide, w.duplicates, w.implementation, w.empty_windows,
                  w.removals);
}
inline auto Fields(const PageRankParameters& p) {
  return std::tie(p.damping, p.tolerance, p.max_iterations, p.warm_start, p.check_every, p.weighted,
                  p.sources);
}
inline auto Fields(const BfsParameters& p) {
  return std::tie(p.roots, p.direction, p.separate, p.parents, p.warm_start, p.check_every);
}
inline auto Fields(const SsspParameters& p) { return std::tie(p.roots, p.direction, p.delta); }
inline auto Fields(const CdlpParameters& p) { return std::tie(p.max_iterations); }
inline auto Fields(const DegreeParameters& p) { return std::tie(p.direction); }
inline auto Fields(const FanoutParameters& p) { return std::tie(p.direction); }
// Kernels without parameters.
template <typename Parameters>
requires(std::is_empty_v<Parameters> &&
         !Parameters::kKernel.empty()) inline auto Fields(const Parameters&) {
  return std::tuple<>();
}
inline auto Fields(const FileSinkSpec& s) {
  return std::tie(s.path, s.jobs, s.vertices, s.content, s.checksum);
}
inline auto Fields(const KafkaSinkSpec& s) {
  return std::tie(s.brokers, s.topic, s.jobs, s.vertices, s.content, s.outbox.path,
                  s.outbox.limit_bytes, s.options, s.option_references, s.transactional_id);
}
inline auto Fields(const KafkaDestination& d) {
  return std::tie(d.brokers, d.topic, d.outbox.path, d.outbox.limit_bytes, d.options,
                  d.option_references);
}
inline auto Fields(const TerminalSinkSpec&) { return std::tuple<>(); }
inline auto Fields(const ReplaySpec& r) { return std::tie(r.path, r.pace); }

template <typename T>
bool Same(const T& a, const T& b) {
  return Fields(a) == Fields(b);
}

template <typename... Ts>
bool Same(const std::variant<Ts...>& a, const std::variant<Ts...>& b) {
  return a.index() == b.index() && std::visit(
                                       [&](const auto& left) {
                                         using Kind = std::decay_t<decltype(left)>;
                                         return Same(left, std::get<Kind>(b));
                                       },
                                       a);
}

template <typename T>
bool Same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!Same(a[i], b[i])) return false;
  }
  return true;
}

inline bool Same(const KafkaSpec& a, const KafkaSpec& b) {
  return a.brokers == b.brokers && a.topics == b.topics && a.group == b.group &&
         Same(a.start, b.start) && a.stall_after == b.stall_after &&
         a.decode_threads == b.decode_threads && a.options == b.options &&
         a.option_references == b.option_references;
}

inline bool Same(const JobSpec& a, const JobSpec& b) {
  return a.name == b.name && a.window == b.window && Same(a.parameters, b.parameters) &&
         a.every == b.every && a.threads == b.threads && a.deadline == b.deadline &&
         a.overrun.queue == b.overrun.queue && a.top == b.top && a.keep_results == b.keep_results;
}

inline bool Same(const SourceConfig& a, const SourceConfig& b) {
  const bool connector = std::visit(
      [](const auto& left, const auto& right) {
        if constexpr (std::is_same_v<decltype(left), decltype(right)>) return Same(left, right);
        return false;
      },
      a.connector, b.connector);
  return connector && Same(a.format.mapping, b.format.mapping) && a.format.keys == b.format.keys &&
         a.format.tombstone == b.format.tombstone && a.format.time_origin == b.format.time_origin &&
         a.refuse_at_most == b.refuse_at_most &&
         a.format.time_unit == b.format.time_unit && Same(a.time, b.time) &&
         a.dead_letters.path == b.dead_letters.path &&
         a.dead_letters.limit_bytes == b.dead_letters.limit_bytes &&
         a.dead_letters.kafka.has_value() == b.dead_letters.kafka.has_value() &&
         (!a.dead_letters.kafka || Same(*a.dead_letters.kafka, *b.dead_letters.kafka));
}

inline bool Same(const TlsConfig& a, const TlsConfig& b) {
  return a.certificate == b.certificate && a.key == b.key;
}
inline bool Same(const TokensConfig& a, const TokensConfig& b) {
  return a.read.text == b.read.text && a.read.reference == b.read.reference &&
         a.admin.text == b.admin.text && a.admin.reference == b.admin.reference;
}
inline bool Same(const ListenAddress& a, const ListenAddress& b) {
  return a.host == b.host && a.port == b.port;
}
template <typename Part>
bool Same(const std::optional<Part>& a, const std::optional<Part>& b) {
  return a.has_value() == b.has_value() && (!a || Same(*a, *b));
}

inline bool Same(const Config& a, const Config& b) {
  return Same(a.source, b.source) && Same(a.windows, b.windows) && Same(a.jobs, b.jobs) &&
         Same(a.sinks, b.sinks) && a.http.enabled == b.http.enabled && a.http.host == b.http.host &&
         a.http.port == b.http.port && Same(a.http.tls, b.http.tls) &&
         Same(a.http.tokens, b.http.tokens) && Same(a.http.metrics_listen, b.http.metrics_listen) &&
         a.http.connections_per_address == b.http.connections_per_address &&
         a.log.format == b.log.format && a.log.level == b.log.level &&
         a.log.rate_limit.burst == b.log.rate_limit.burst &&
         a.log.rate_limit.every == b.log.rate_limit.every && a.memory.kind == b.memory.kind &&
         a.memory.limit_bytes == b.memory.limit_bytes && a.memory.spill == b.memory.spill &&
         a.recovery.kind == b.recovery.kind && a.recovery.path == b.recovery.path &&
         a.recovery.interval == b.recovery.interval &&
         a.recovery.rebuilds == b.recovery.rebuilds && a.shutdown_deadline == b.shutdown_deadline;
}

}  // namespace sash
