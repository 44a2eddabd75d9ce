// EngineParts: the parts needed by an engine that reads events from memory.
//
// Thread safety: that of its parts.
#pragma once

#include <functional>
#include <utility>

#include "windows/slide/window_engine.h"

namespace sash::bench {

class NoRefusals final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord&) override {}
};

class FunctionListener final : public EngineListener {
 public:
  std::function<void(AdvancePtr)> on_advance;
  std::function<void(ClosedSlice)> on_slice;  // empty: slices are not kept

  void OnAdvance(AdvancePtr advance) override { on_advance(std::move(advance)); }
  bool keeps_slices() const override { return static_cast<bool>(on_slice); }
  void OnSlice(ClosedSlice slice) override { on_slice(std::move(slice)); }
};

struct EngineParts {
  // Call it once.
  EngineSurroundings Around(std::function<void(AdvancePtr)> on_advance,
                            std::function<void(ClosedSlice)> on_slice = {}) {
    listener.on_advance = std::move(on_advance);
    listener.on_slice = std::move(on_slice);
    return {keys, partitions, clock, refusals, stats, progress, listener};
  }

  const Clock& clock;
  VertexDictionary keys{KeyKind::kString};
  PartitionTable partitions{};
  NoRefusals refusals{};
  EngineStats stats{};
  StreamProgress progress{};
  FunctionListener listener{};
};

// A window by event time with this number of slides, without removals.
inline WindowSpec WindowOf(int slides, Duration slide) {
  return {
      .name = "w", .length = (slides * slide).count(), .slide = slide.count(), .removals = false};
}

inline TimePolicy InOrder() {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  return policy;
}

}  // namespace sash::bench
