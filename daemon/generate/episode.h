// Planted episodes: patterns that a person should see in the results when the pipeline works.
//
// A hub is a vertex that becomes the target of a growing and then shrinking share of the edges. A
// burst is a small group (a ring) whose members suddenly exchange many edges among themselves.
// Times are event times, relative to the start of the stream.
//
// Thread safety: immutable once built; Draw() changes only the generator it is given.
// Invariants:
// (1) No edge outside an episode's span touches the episode's vertices.
// (2) Episodes of each kind are numbered from 1: first the requested ones in order, then those that
//     repeat. Hub k has vertex number 2^scale + k·1024; member m of ring k, m from 1, has 2^scale +
//     k·1024 + m.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "daemon/generate/random.h"
#include "daemon/generate/vertex_pairs.h"

namespace sash {

inline constexpr std::uint64_t kEpisodeStride = 1024;
inline constexpr std::uint32_t kMaxRingSize = 1000;
static_assert(kMaxRingSize < kEpisodeStride);

struct HubEpisode {
  std::chrono::milliseconds at{0};
  std::chrono::milliseconds length{0};
  double share = 0.2;  // of all edges, at the middle of the span
};

struct BurstEpisode {
  std::chrono::milliseconds at{0};
  std::chrono::milliseconds length{0};
  double share = 0.3;  // of all edges, during the whole span
  std::uint32_t size = 12;
};

struct EpisodeOptions {
  std::vector<HubEpisode> hubs;
  std::vector<BurstEpisode> bursts;
  // In every such period, one new hub during 10-60 % and one new burst during 70-90 % of the
  // period, with the shares and the size above. 0: none.
  std::chrono::milliseconds every{0};
};

// The ends that an episode gives to an edge. No source: the source drawn from the graph stays.
struct PlantedEnds {
  std::optional<std::uint64_t> source;
  std::uint64_t target = 0;
};

class EpisodeSchedule {
 public:
  EpisodeSchedule(const EpisodeOptions& options, int scale);

  bool empty() const { return hubs_.empty() && bursts_.empty() && every_ms_ == 0; }

  // The ends of an edge `elapsed_ms` after the start, or empty when no episode claims it. Where
  // spans overlap, the first episode that claims the edge gets it, hubs before bursts.
  std::optional<PlantedEnds> Draw(std::int64_t elapsed_ms, Xoshiro256& random) const;

 private:
  struct Hub {
    std::int64_t at_ms;
    std::int64_t length_ms;
    Chance peak;
  };
  struct Burst {
    std::int64_t at_ms;
    std::int64_t length_ms;
    Chance share;
    std::uint32_t size;
  };

  std::uint64_t FirstVertex(std::uint64_t episode) const {
    return first_vertex_ + episode * kEpisodeStride;
  }
  std::optional<PlantedEnds> DrawHub(const Hub& hub, std::uint64_t episode, std::int64_t elapsed_ms,
                                     Xoshiro256& random) const;
  std::optional<PlantedEnds> DrawBurst(const Burst& burst, std::uint64_t episode,
                                       std::int64_t elapsed_ms, Xoshiro256& random) const;

  std::uint64_t first_vertex_;
  std::vector<Hub> hubs_;
  std::vector<Burst> bursts_;
  std::int64_t every_ms_;
};

}  // namespace sash
