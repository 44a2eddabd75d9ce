#include "windows/kernels/following/tracked_triangles.h"

#include "windows/kernels/following/flagged_triangles.h"
#include "windows/kernels/one_phase.h"

namespace sash {

std::optional<TrianglesResult> TrackedTriangles::Follow(std::vector<PairChange> changes,
                                                        VertexId id_limit,
                                                        std::vector<std::uint64_t> counts,
                                                        const TrianglesOptions& options) {
  options.progress.Begin(RunPhase::kComputing);
  const KernelProgress within = WithoutPhases(options.progress);
  const auto leaving = pairs_->Begin(std::move(changes), id_limit, options.threads);
  if (!leaving) return std::nullopt;
  counts.resize(pairs_->id_limit());
  const auto lost = AddFlaggedTriangles(*pairs_, *leaving, -1, options.threads, within, counts);
  if (!lost) return TrianglesResult{.cancelled = true};
  const auto came = pairs_->Exchange(options.threads);
  const auto gained = AddFlaggedTriangles(*pairs_, came, 1, options.threads, within, counts);
  if (!gained) return TrianglesResult{.cancelled = true};
  pairs_->Settle(options.threads);
  options.progress.Begin(RunPhase::kFinishing);
  triangles_ += *gained - *lost;
  counts.resize(id_limit);
  return TrianglesResult{.counts = std::move(counts), .triangles = triangles_};
}

}  // namespace sash
