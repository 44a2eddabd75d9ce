#include <chrono>
#include <cstddef>
#include <string>

#include "daemon/metrics/part_samples.h"

namespace sash {
namespace {

// Since the epoch.
double Seconds(EventTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

std::vector<MetricDescription> StreamMetrics() {
  using enum MetricKind;
  const Labels none;
  const Labels partition = {"topic", "partition"};
  return {
      {"sash_source_records_total", kCounter, none, "Records read, refused ones included."},
      {"sash_source_bytes_total", kCounter, none, "Bytes of the records read."},
      {"sash_source_refused_total",
       kCounter,
       {"reason"},
       "Records that entered no window, by reason."},
      {"sash_source_filtered_total", kCounter, none,
       "Records that `where` or `skip` left out; they entered no window, and moved the time of "
       "their partition."},
      {"sash_source_mapped_total",
       kCounter,
       {"mapping", "outcome"},
       "With source.mappings: what became of the records of each mapping: accepted or refused "
       "edges, or filtered records."},
      {"sash_source_unmapped_total", kCounter, none,
       "Records of topics that no mapping takes; they moved no time."},
      {"sash_source_lag_records", kGauge, partition, "Records of the partition not read yet."},
      {"sash_source_paused", kGauge, partition,
       "1 while reading of the partition waits because it is ahead of the others."},
      {"sash_source_held_ahead_records", kGauge, partition,
       "Events that wait because the first of them is ahead of the clock, which may be wrong."},
      {"sash_source_ready", kGauge, none, "1 while the source can be read."},
      {"sash_source_standby", kGauge, none,
       "1 while another instance reads for the group, and this one stands by."},
      {"sash_source_incidents_total",
       kCounter,
       {"kind"},
       "Incidents of the connector, by kind: lost records, failed commits, stalls, ..."},

      {"sash_dead_letters_rotated_total", kCounter, none,
       "Dead letters that were removed from the file at its limit."},
      {"sash_dead_letters_lost_total", kCounter, none,
       "Dead letters that never reached the file, because it could not be written."},

      {"sash_buffer_bytes", kGauge, none,
       "Bytes of edge events between the source and the engine."},
      {"sash_buffer_limit_bytes", kGauge, none, "Bytes at which the source waits for the engine."},

      {"sash_engine_events_accepted_total",
       kCounter,
       {"operation"},
       "Edge events that entered a slice, by operation."},
      {"sash_engine_late_total", kCounter, none, "Edge events whose slice had closed."},
      {"sash_engine_late_moved_total", kCounter, none,
       "Late edge events that entered a later slice (late: next_slice)."},
      {"sash_engine_duplicates_total", kCounter, none,
       "Edge events that source.dedupe left out of windows: their ids had come before."},
      {"sash_engine_lateness_seconds", kHistogram, none,
       "How far late edge events were behind the time of their partition, or the watermark."},
      {"sash_engine_watermark_timestamp_seconds", kGauge, none,
       "Event time up to which the stream is believed complete; absent before the first event."},
      {"sash_engine_watermark_lag_seconds", kGauge, none,
       "Wall clock minus watermark; absent before the first event."},
      {"sash_engine_idle_partitions", kGauge, none,
       "Partitions that are caught up and silent, and so do not hold the watermark."},
      {"sash_engine_open_slices", kGauge, none, "Slices that have not closed."},
      {"sash_engine_open_events", kGauge, none, "Edge events in slices that have not closed."},
      {"sash_engine_open_bytes", kGauge, none, "Bytes of the slices that have not closed."},
      {"sash_engine_slices_closed_total", kCounter, none, "Slices closed."},

      {"sash_dictionary_vertices", kGauge, none,
       "Vertex keys that have an id: live vertices and waiting ones."},
      {"sash_dictionary_live_vertices", kGauge, none,
       "Vertices that an open or retained slice names."},
      {"sash_dictionary_waiting_vertices", kGauge, none,
       "Vertices that no slice names any more, but that a held view still names."},
      {"sash_dictionary_recycled_total", kCounter, none,
       "Vertex keys that were forgotten and whose ids were given back."},
      {"sash_dictionary_types", kGauge, none,
       "Types of edges that are held; edges with a further type than 65,536 are refused."},
      {"sash_dictionary_bytes", kGauge, none,
       "Bytes of the vertex dictionary, counts of references included."},
  };
}

void AddSourceSamples(const MetricsSurroundings& around, MetricSamples& samples) {
  const SourceStatus source = around.source();
  const SamplesOf set(samples);
  set("sash_source_records_total", source.records);
  set("sash_source_bytes_total", source.bytes);
  set("sash_source_filtered_total", source.filtered);
  set("sash_source_unmapped_total", source.unmapped);
  for (const MappingCount& count : source.mappings) {
    const auto of = [&](const char* outcome, std::uint64_t number) {
      SamplesOf(samples, {count.mapping, outcome})("sash_source_mapped_total", number);
    };
    of("accepted", count.accepted);
    of("filtered", count.filtered);
    of("refused", count.refused);
  }
  set("sash_source_ready", source.not_ready.empty());
  set("sash_source_standby", source.standing_by);
  for (const PartitionStatus& partition : source.partitions) {
    const SamplesOf of(samples, {partition.topic, std::to_string(partition.partition)});
    if (const auto lag = partition.Lag()) of("sash_source_lag_records", *lag);
    of("sash_source_paused", partition.paused);
    of("sash_source_held_ahead_records", partition.held_ahead);
  }
  for (const auto& [kind, count] : source.incidents) {
    SamplesOf(samples, {std::string(kind)})("sash_source_incidents_total", count);
  }
  const DeadLetterCounts letters = around.dead_letters();
  set("sash_dead_letters_rotated_total", letters.rotated);
  set("sash_dead_letters_lost_total", letters.lost);
  const auto refused = around.refused();
  for (std::size_t i = 0; i < refused.size(); ++i) {
    const std::string reason(Name(static_cast<RefusalReason>(i)));
    SamplesOf(samples, {reason})("sash_source_refused_total", refused[i]);
  }
  set("sash_buffer_bytes", around.buffer.bytes());
  set("sash_buffer_limit_bytes", around.buffer.limit_bytes());
}

void AddEngineSamples(const MetricsSurroundings& around, MetricSamples& samples) {
  const EngineStats& stats = around.stats;
  const SamplesOf set(samples);
  const auto accepted = [&](const char* operation, std::uint64_t count) {
    SamplesOf(samples, {operation})("sash_engine_events_accepted_total", count);
  };
  accepted("add", stats.added);
  accepted("remove", stats.removed);
  accepted("remove_vertex", stats.vertices_removed);
  set("sash_engine_late_total", stats.late);
  set("sash_engine_late_moved_total", stats.moved);
  set("sash_engine_duplicates_total", stats.duplicates);
  samples.Set(
      "sash_engine_lateness_seconds", {},
      BoundedCounts{.bounds = Lateness::kBounds,
                    .buckets = {stats.lateness.buckets.begin(), stats.lateness.buckets.end()},
                    .sum = stats.lateness.seconds});
  set("sash_engine_idle_partitions", stats.idle_partitions);
  set("sash_engine_open_slices", stats.open_slices);
  set("sash_engine_open_events", stats.open_events);
  set("sash_engine_open_bytes", stats.open_bytes);
  set("sash_engine_slices_closed_total", stats.slices_closed);
  if (const auto watermark = around.progress.Watermark()) {
    const double at = Seconds(*watermark);
    set("sash_engine_watermark_timestamp_seconds", at);
    samples.Set("sash_engine_watermark_lag_seconds", {}, Seconds(around.clock.Now()) - at);
  }
  set("sash_dictionary_vertices", around.keys.size());
  set("sash_dictionary_live_vertices", stats.ids_referred);
  set("sash_dictionary_waiting_vertices", stats.ids_waiting);
  set("sash_dictionary_recycled_total", stats.ids_recycled);
  set("sash_dictionary_types", around.keys.types().size());
  set("sash_dictionary_bytes", around.keys.bytes() + stats.lifetimes_bytes);
}

}  // namespace sash
