// PipelineMemory: what the parts of a pipeline hold, for the watch over memory.
//
// Thread safety: as MemoryHolder.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/memory/memory_holder.h"
#include "daemon/pipeline/pipeline.h"

namespace sash {

class PipelineMemory final : public MemoryHolder {
 public:
  // `pipeline` outlives it, and may be built later (MemoryHolder).
  explicit PipelineMemory(Pipeline& pipeline) : pipeline_(pipeline) {}

  StreamProgress& progress() override { return pipeline_.progress(); }
  const Clock& clock() const override { return pipeline_.clock(); }
  std::uint64_t ReservedBytes() const override;
  std::uint64_t SharedBytes() const override { return pipeline_.exports().memory_bytes(); }
  bool is_finite() const override { return pipeline_.is_finite(); }
  ReplayStanding Replayed() const override;
  std::string Holders() const override;

 private:
  Pipeline& pipeline_;
};

}  // namespace sash
