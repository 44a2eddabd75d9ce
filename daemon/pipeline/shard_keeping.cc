#include "daemon/pipeline/shard_keeping.h"

#include <chrono>
#include <utility>

namespace sash {
namespace {

constexpr std::chrono::milliseconds kNoteEvery{200};
constexpr std::chrono::milliseconds kCommitEvery{1000};

}  // namespace

void ShardKeeping::Note(const WindowEngine& engine, bool is_last) {
  const SteadyTime now = parts_.clock.Steady();
  if (!has_begun_ || (!is_last && now - noted_ < kNoteEvery)) return;
  noted_ = now;
  WindowEngine::SlicesStanding slices = engine.StandingOfSlices();
  const StreamStanding standing = engine.progress_board().Read();
  ShardFacts facts{.watermark = standing.watermark,
                   .closed_until = slices.closed_until,
                   .counts = std::move(slices.counts)};
  for (PartitionIndex p = 0; p < standing.partitions.size(); ++p) {
    const PartitionStanding& each = standing.partitions[p];
    if (!each.assigned) continue;
    facts.partitions.push_back({engine.partitions().At(p), each.newest, each.idle});
  }
  parts_.slices.AfterDurable([this, point = engine.Rewind(), facts = std::move(facts), is_last] {
    Keep(point, facts, is_last);
  });
}

void ShardKeeping::Keep(const RewindPoint& point, const ShardFacts& facts, bool is_last) {
  if (facts.closed_until >= parts_.slices.known_until()) parts_.manifest.Publish(facts);
  const SteadyTime now = parts_.clock.Steady();
  if (point.positions.empty() || point == point_) return;
  if (!is_last && now - committed_ < kCommitEvery) return;
  // Dead letters come first: a committed record will not be refused again.
  if (!parts_.dead_letters.MakeDurable().ok()) return;
  parts_.commit(point);
  committed_ = now;
  point_ = point;
}

}  // namespace sash
