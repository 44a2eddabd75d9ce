#include "daemon/generate/episode.h"

#include <algorithm>

namespace sash {

EpisodeSchedule::EpisodeSchedule(const EpisodeOptions& options, int scale)
    : first_vertex_(std::uint64_t{1} << scale), every_ms_(options.every.count()) {
  for (const HubEpisode& hub : options.hubs) {
    hubs_.push_back({hub.at.count(), hub.length.count(), Chance(hub.share)});
  }
  for (const BurstEpisode& burst : options.bursts) {
    bursts_.push_back({burst.at.count(), burst.length.count(), Chance(burst.share), burst.size});
  }
}

std::optional<PlantedEnds> EpisodeSchedule::DrawHub(const Hub& hub, std::uint64_t episode,
                                                    std::int64_t elapsed_ms,
                                                    Xoshiro256& random) const {
  const std::int64_t inside = elapsed_ms - hub.at_ms;
  if (inside < 0 || inside >= hub.length_ms) return std::nullopt;
  // A triangle: zero at both ends of the span, the whole share in its middle.
  const auto height = static_cast<std::uint64_t>(2 * std::min(inside, hub.length_ms - inside));
  const Chance now =
      Chance::Parts(hub.peak.parts() * height / static_cast<std::uint64_t>(hub.length_ms));
  if (!random.Happens(now)) return std::nullopt;
  return PlantedEnds{std::nullopt, FirstVertex(episode)};
}

std::optional<PlantedEnds> EpisodeSchedule::DrawBurst(const Burst& burst, std::uint64_t episode,
                                                      std::int64_t elapsed_ms,
                                                      Xoshiro256& random) const {
  const std::int64_t inside = elapsed_ms - burst.at_ms;
  if (inside < 0 || inside >= burst.length_ms || !random.Happens(burst.share)) return std::nullopt;
  const std::uint64_t source = random.Below(burst.size);
  const std::uint64_t step = 1 + random.Below(burst.size - 1);  // never the vertex itself
  const std::uint64_t first_member = FirstVertex(episode) + 1;
  return PlantedEnds{first_member + source, first_member + (source + step) % burst.size};
}

std::optional<PlantedEnds> EpisodeSchedule::Draw(std::int64_t elapsed_ms,
                                                 Xoshiro256& random) const {
  std::uint64_t hub_number = 0;
  for (const Hub& hub : hubs_) {
    if (auto ends = DrawHub(hub, ++hub_number, elapsed_ms, random)) return ends;
  }
  std::uint64_t burst_number = 0;
  for (const Burst& burst : bursts_) {
    if (auto ends = DrawBurst(burst, ++burst_number, elapsed_ms, random)) return ends;
  }
  if (every_ms_ == 0) return std::nullopt;
  const std::int64_t period = elapsed_ms / every_ms_;
  const std::int64_t begin = period * every_ms_;
  const auto repeat = static_cast<std::uint64_t>(period);
  const Hub hub{begin + every_ms_ / 10, every_ms_ / 2, Chance(HubEpisode{}.share)};
  if (auto ends = DrawHub(hub, hub_number + 1 + repeat, elapsed_ms, random)) return ends;
  const BurstEpisode standard;
  const Burst burst{begin + every_ms_ * 7 / 10, every_ms_ / 5, Chance(standard.share),
                    standard.size};
  return DrawBurst(burst, burst_number + 1 + repeat, elapsed_ms, random);
}

}  // namespace sash
