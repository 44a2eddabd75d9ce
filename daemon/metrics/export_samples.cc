#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "daemon/metrics/part_samples.h"

namespace sash {
namespace {

void AddLeaseSamples(const std::string& name, const LeaseCounts& counts, MetricSamples& samples) {
  const SamplesOf set(samples, {name});
  set("sash_export_leases", counts.leases);
  set("sash_export_leases_limit", counts.at_most);
  set("sash_export_leased_bytes", counts.bytes);
  set("sash_export_leased_limit_bytes", counts.limit_bytes);
  set("sash_export_lease_ttl_limit_seconds", counts.longest_seconds);
  set("sash_export_leases_taken_total", counts.taken);
  set("sash_export_leases_refused_total", counts.refused);
  for (const auto& [reason, ended] :
       {std::pair("expired", counts.expired), std::pair("revoked", counts.revoked)}) {
    SamplesOf(samples, {name, reason})("sash_export_leases_ended_total", ended);
  }
}

}  // namespace

std::vector<MetricDescription> ExportMetrics() {
  using enum MetricKind;
  const Labels of_export = {"export"};
  const Labels of_window = {"export", "window"};
  return {
      {"sash_export_bytes", kGauge, of_export,
       "Bytes of the snapshots or slices that exist, in whole pages."},
      {"sash_export_limit_bytes", kGauge, of_export, "The most bytes that they may take."},
      {"sash_export_snapshots", kGauge, of_export, "Snapshots or slices that exist."},
      {"sash_export_overdue_snapshots", kGauge, of_export,
       "Of these, snapshots beyond `keep` that stay because readers have locked them."},
      {"sash_export_failing", kGauge, of_export,
       "1 while snapshots or slices are not written, because of a failure or of the limit."},
      {"sash_export_written_total", kCounter, of_window, "Snapshots or slices that were written."},
      {"sash_export_skipped_total",
       kCounter,
       {"export", "window", "reason"},
       "Advances that were not written: a newer one replaced them while they waited (newer), or "
       "the snapshot did not fit (limit)."},
      {"sash_export_failures_total", kCounter, of_window,
       "Attempts to write a snapshot or slice that failed."},
      {"sash_export_last_seconds", kGauge, of_window,
       "How long the newest snapshot or slice took to write; absent before the first."},
      {"sash_export_waiting_slices", kGauge, of_export,
       "Slices that have closed and are not durable yet; nothing is committed beyond them."},
      {"sash_export_waiting_bytes", kGauge, of_export, "Memory of these slices."},
      {"sash_export_durable_until_seconds", kGauge, of_export,
       "The end of the newest durable slice, in seconds since 1970; absent before the first."},
      {"sash_export_closed_until_seconds", kGauge, of_export,
       "Of a shard: every slice up to this time is durable, and no further one will come, in "
       "seconds since 1970; absent otherwise, and before the first."},
      {"sash_export_removed_early_total", kCounter, of_export,
       "Slices that were removed before `keep`, because of the limit."},
      {"sash_export_leases", kGauge, of_export, "Leases of frozen snapshots."},
      {"sash_export_leases_limit", kGauge, of_export, "The most leases at a time."},
      {"sash_export_leased_bytes", kGauge, of_export,
       "Bytes of the leased snapshots, in whole pages."},
      {"sash_export_leased_limit_bytes", kGauge, of_export,
       "The most bytes that leased snapshots may take."},
      {"sash_export_lease_ttl_limit_seconds", kGauge, of_export,
       "The longest time that a lease lasts without being renewed."},
      {"sash_export_leases_taken_total", kCounter, of_export, "Leases that were given."},
      {"sash_export_leases_refused_total", kCounter, of_export,
       "Leases that were not given, because there were too many, or too many bytes were leased."},
      {"sash_export_leases_ended_total",
       kCounter,
       {"export", "reason"},
       "Leases that ended without being released: their time was over (expired), or an "
       "administrator ended them (revoked)."},
  };
}

void AddExportSamples(const MetricsSurroundings& around, MetricSamples& samples) {
  for (const ExportCounts& counts : around.exports()) {
    const std::string& name = counts.name;
    const SamplesOf set(samples, {name});
    set("sash_export_bytes", counts.bytes);
    set("sash_export_limit_bytes", counts.limit_bytes);
    set("sash_export_snapshots", counts.snapshots);
    set("sash_export_overdue_snapshots", counts.overdue);
    set("sash_export_failing", counts.is_failing);
    if (counts.slices) {
      set("sash_export_waiting_slices", counts.slices->waiting);
      set("sash_export_waiting_bytes", counts.slices->waiting_bytes);
      set("sash_export_removed_early_total", counts.slices->removed_early);
      if (const auto until = counts.slices->durable_until) {
        set("sash_export_durable_until_seconds",
            std::chrono::duration<double>(until->time_since_epoch()).count());
      }
      if (const auto until = counts.slices->closed_until) {
        set("sash_export_closed_until_seconds",
            std::chrono::duration<double>(until->time_since_epoch()).count());
      }
    }
    if (counts.leases) AddLeaseSamples(name, *counts.leases, samples);
    for (const ExportWindowCounts& window : counts.windows) {
      const SamplesOf set_window(samples, {name, window.window});
      set_window("sash_export_written_total", window.written);
      set_window("sash_export_failures_total", window.failures);
      if (window.last_seconds) set_window("sash_export_last_seconds", *window.last_seconds);
      for (const auto& [reason, skipped] :
           {std::pair("newer", window.replaced), std::pair("limit", window.beyond_limit)}) {
        SamplesOf(samples, {name, window.window, reason})("sash_export_skipped_total", skipped);
      }
    }
  }
}

}  // namespace sash
