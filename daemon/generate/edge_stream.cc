#include "daemon/generate/edge_stream.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace sash {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

constexpr std::int64_t kRemoved = std::numeric_limits<std::int64_t>::max();
// A week keeps a hub's triangle within 64 bits, and is longer than anybody watches.
constexpr milliseconds kMaxSpan = days(7);
constexpr milliseconds kMaxDisorder = days(1);
constexpr milliseconds kMaxOffset = days(36'500);
constexpr milliseconds kMaxStart{7'258'118'400'000};  // 2200-01-01T00:00:00Z

Error Invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

bool IsShare(double value) { return value >= 0 && value <= 1; }

Status ValidateSpan(const std::string& name, milliseconds at, milliseconds length, double share) {
  if (at < milliseconds(0) || at > kMaxOffset) return Invalid(name + ": at must not be negative");
  if (length <= milliseconds(0) || length > kMaxSpan) {
    return Invalid(name + ": for must be longer than 0 and at most 168h");
  }
  if (!IsShare(share) || share == 0) return Invalid(name + ": share must be in (0, 1]");
  return Ok{};
}

Status ValidateEpisodes(const EpisodeOptions& episodes) {
  for (const HubEpisode& hub : episodes.hubs) {
    if (Status span = ValidateSpan("--hub", hub.at, hub.length, hub.share); !span) return span;
  }
  for (const BurstEpisode& burst : episodes.bursts) {
    if (Status span = ValidateSpan("--burst", burst.at, burst.length, burst.share); !span) {
      return span;
    }
    if (burst.size < 2 || burst.size > kMaxRingSize) {
      return Invalid("--burst: size must be 2 to " + std::to_string(kMaxRingSize));
    }
  }
  if (episodes.every != milliseconds(0) &&
      (episodes.every < milliseconds(100) || episodes.every > kMaxSpan)) {
    return Invalid("--episodes-every: must be 100ms to 168h");
  }
  return Ok{};
}

// Generators of one seed must not be shifted copies of each other: each gets its own word of
// SplitMix64's sequence as a seed.
Xoshiro256 MakeRandom(std::uint64_t seed, int purpose) {
  SplitMix64 seeds(seed);
  std::uint64_t own = 0;
  for (int i = 0; i <= purpose; ++i) own = seeds.Next();
  return Xoshiro256(own);
}

}  // namespace

Status Validate(const EdgeStreamOptions& options) {
  if (options.start < milliseconds(0) || options.start > kMaxStart) {
    return Invalid("--start: must be between the years 1970 and 2200");
  }
  if (!(options.event_rate >= 0.001 && options.event_rate <= 1e9)) {
    return Invalid("--event-rate: must be 0.001 to 1e9 edges a second");
  }
  if (options.scale < 1 || options.scale > 32) return Invalid("--scale: must be 1 to 32");
  if (!(options.skew >= 0.25 && options.skew < 1)) return Invalid("--skew: must be in [0.25, 1)");
  if (!IsShare(options.duplicates)) return Invalid("--duplicates: must be a share in [0, 1]");
  if (!IsShare(options.removals)) return Invalid("--removals: must be a share in [0, 1]");
  if (options.recent < 1 || options.recent > 100'000'000) {
    return Invalid("--recent: must be 1 to 100000000 edges");
  }
  if (options.disorder < milliseconds(0) || options.disorder > kMaxDisorder) {
    return Invalid("--disorder: must be 0ms to 24h");
  }
  return ValidateEpisodes(options.episodes);
}

EdgeStream::EdgeStream(const EdgeStreamOptions& options)
    : options_(options),
      pairs_(options.graph, options.scale, options.skew, SplitMix64(options.seed).Next()),
      episodes_(options.episodes, options.scale),
      edges_per_kilosecond_(static_cast<std::uint64_t>(std::llround(options.event_rate * 1000))),
      disorder_ms_(static_cast<std::uint64_t>(options.disorder.count())),
      duplicates_(options.duplicates),
      removals_(options.removals),
      graph_random_(MakeRandom(options.seed, 1)),
      time_random_(MakeRandom(options.seed, 2)),
      weight_random_(MakeRandom(options.seed, 3)),
      episode_random_(MakeRandom(options.seed, 4)),
      duplicate_random_(MakeRandom(options.seed, 5)),
      removal_random_(MakeRandom(options.seed, 6)) {
  SASH_CHECK(Validate(options).ok());
  if (duplicates_ || removals_) recent_.reserve(options.recent);
}

std::int64_t EdgeStream::DueMs(std::uint64_t number) const {
  const std::uint64_t seconds = number * 1000 / edges_per_kilosecond_;
  const std::uint64_t rest = number * 1000 % edges_per_kilosecond_;
  return static_cast<std::int64_t>(seconds * 1000 + rest * 1000 / edges_per_kilosecond_);
}

// Some draws hit edges that are as new as the removal itself, or were removed; a few more draws
// find another one unless the event rate is so high that all recent edges share a millisecond.
EdgeStream::RecentEdge* EdgeStream::PickRemovable(std::int64_t due_ms) {
  if (recent_.empty()) return nullptr;
  for (int attempt = 0; attempt < 8; ++attempt) {
    RecentEdge& edge = recent_[removal_random_.Below(recent_.size())];
    if (edge.elapsed_ms < due_ms) return &edge;
  }
  return nullptr;
}

void EdgeStream::Remember(const DrawnPair& pair, std::int64_t elapsed_ms) {
  const RecentEdge edge{static_cast<std::uint32_t>(pair.source),
                        static_cast<std::uint32_t>(pair.target), elapsed_ms};
  if (recent_.size() < options_.recent) {
    recent_.push_back(edge);
    return;
  }
  recent_[next_recent_] = edge;
  if (++next_recent_ == recent_.size()) next_recent_ = 0;
}

DrawnPair EdgeStream::DrawAddition(std::int64_t elapsed_ms) {
  if (!episodes_.empty()) {
    // Episode edges are not remembered: repeated later they would outlive their span.
    if (const auto planted = episodes_.Draw(elapsed_ms, episode_random_)) {
      if (planted->source) return {*planted->source, planted->target};
      return {pairs_.Draw(graph_random_).source, planted->target};
    }
  }
  DrawnPair pair;
  if (duplicates_ && duplicate_random_.Happens(duplicates_) && !recent_.empty()) {
    const RecentEdge& edge = recent_[duplicate_random_.Below(recent_.size())];
    pair = {edge.source, edge.target};
  } else {
    pair = pairs_.Draw(graph_random_);
  }
  if (duplicates_ || removals_) Remember(pair, elapsed_ms);
  return pair;
}

std::int32_t EdgeStream::DrawWeight() {
  switch (options_.weights) {
    case WeightKind::kNone:
      return 0;
    case WeightKind::kInteger:
      return static_cast<std::int32_t>(1 + weight_random_.Below(1000));
    case WeightKind::kReal:
      return static_cast<std::int32_t>(1 + weight_random_.Below(100'000));
  }
  return 0;
}

GeneratedEdge EdgeStream::Next() {
  const std::int64_t due_ms = DueMs(number_++);
  std::int64_t elapsed_ms = due_ms;
  if (disorder_ms_ != 0) {
    const auto back = static_cast<std::int64_t>(time_random_.Below(disorder_ms_ + 1));
    elapsed_ms = std::max<std::int64_t>(0, due_ms - back);
  }
  GeneratedEdge edge;
  if (removals_ && removal_random_.Happens(removals_)) {
    if (RecentEdge* removed = PickRemovable(due_ms)) {
      elapsed_ms = std::max(elapsed_ms, removed->elapsed_ms + 1);
      edge.source = removed->source;
      edge.target = removed->target;
      edge.time_ms = options_.start.count() + elapsed_ms;
      edge.operation = Operation::kRemove;
      removed->elapsed_ms = kRemoved;
      return edge;
    }
  }
  const DrawnPair pair = DrawAddition(elapsed_ms);
  edge.source = pair.source;
  edge.target = pair.target;
  edge.time_ms = options_.start.count() + elapsed_ms;
  edge.weight = DrawWeight();
  return edge;
}

}  // namespace sash
