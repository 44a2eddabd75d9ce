#include <string>

#include "daemon/metrics/part_samples.h"

namespace sash {

std::vector<MetricDescription> MemoryMetrics() {
  using enum MetricKind;
  const Labels none;
  return {
      {"sash_memory_bytes", kGauge, {"part"}, "Bytes of the process's own accounts, by part."},
      {"sash_memory_used_bytes", kGauge, none,
       "Resident memory of the process, without pages of files and shared pages; compared with the "
       "limit."},
      {"sash_memory_reserved_bytes", kGauge, none,
       "Memory that the next advance (rebuild) and the next run need for a moment; the limit "
       "includes it."},
      {"sash_memory_shared_bytes", kGauge, none,
       "Frozen snapshots in shared memory; the limit includes them."},
      {"sash_memory_allocated_bytes", kGauge, none,
       "Bytes that the allocator has handed out; absent when it does not report them."},
      {"sash_memory_limit_bytes", kGauge, none, "The memory limit; absent without one."},
      {"sash_memory_state", kGauge, none,
       "0: reading at full speed, 1: slowed down, 2: full, reading stopped."},
  };
}

void AddMemorySamples(const MetricsSurroundings& around, MetricSamples& samples) {
  const auto part = [&](std::string_view name, std::uint64_t bytes) {
    SamplesOf(samples, {std::string(name)})("sash_memory_bytes", bytes);
  };
  part("buffers", around.buffer.bytes());
  part("open_slices", around.stats.open_bytes);
  for (std::size_t i = 0; i < kMemoryParts.size(); ++i) {
    part(kMemoryParts[i].name, around.stats.store_memory[i]);
  }
  part("retained", around.stats.retained_bytes);
  part("dictionary", around.keys.bytes() + around.stats.lifetimes_bytes);
  part("results", around.history.bytes() + around.jobs.baseline_bytes());
  const MemoryCounts counts = around.memory();
  const SamplesOf set(samples);
  set("sash_memory_used_bytes", counts.used);
  set("sash_memory_reserved_bytes", counts.reserved);
  set("sash_memory_shared_bytes", counts.shared);
  if (counts.allocated) {
    set("sash_memory_allocated_bytes", *counts.allocated);
  }
  if (counts.limit) set("sash_memory_limit_bytes", *counts.limit);
  set("sash_memory_state", counts.state);
}

}  // namespace sash
