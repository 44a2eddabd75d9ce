// EdgeStream: the endless sequence of edges that the options define.
//
// Thread safety: none; a stream belongs to one thread. Two streams share nothing.
// Invariants:
// (1) The n-th edge depends only on the options and on n: not on clocks, machines or threads.
// (2) Without disorder, event times never decrease. With it, a time is at most `disorder` below any
//     time before it, and never below the start.
// (3) A removal names an edge that was emitted before it and whose event time is lower.
// (4) Graph, times, weights, episodes, duplicates and removals are drawn from separate generators,
//     so that adding weights does not change the graph.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "daemon/generate/episode.h"
#include "daemon/generate/random.h"
#include "daemon/generate/vertex_pairs.h"
#include "windows/base/result.h"
#include "windows/ingest/edge_event.h"

namespace sash {

enum class WeightKind : std::uint8_t {
  kNone,
  kInteger,  // 1 to 1000
  kReal,     // 0.01 to 1000.00
};

struct EdgeStreamOptions {
  std::uint64_t seed = 1;
  std::chrono::milliseconds start{1'767'225'600'000};  // since the epoch: 2026-01-01T00:00:00Z
  double event_rate = 1000;                            // edges a second of event time
  GraphShape graph = GraphShape::kRmat;
  int scale = 16;                         // 2^scale vertices
  double skew = 0.57;                     // R-MAT's a
  double duplicates = 0;                  // share of edges that repeat a recent one
  double removals = 0;                    // share of edges that remove a recent one
  std::uint32_t recent = 16384;           // how many edges back "recent" reaches
  std::chrono::milliseconds disorder{0};  // event times are moved back by up to this much
  WeightKind weights = WeightKind::kNone;
  EpisodeOptions episodes;
};

// Checks every range that the stream relies on; the message names the command-line option.
Status Validate(const EdgeStreamOptions& options);

struct GeneratedEdge {
  std::uint64_t source = 0;  // below 2^scale, or a vertex of an episode
  std::uint64_t target = 0;
  std::int64_t time_ms = 0;  // since the epoch
  std::int32_t weight = 0;   // kInteger: the weight; kReal: hundredths; 0 in a removal
  Operation operation = Operation::kAdd;
};

class EdgeStream {
 public:
  // Options that Validate() refuses are a programming error.
  explicit EdgeStream(const EdgeStreamOptions& options);

  GeneratedEdge Next();

  std::uint64_t emitted() const { return number_; }

 private:
  // A candidate for repeating and removing. A removed edge has the lowest possible time.
  struct RecentEdge {
    std::uint32_t source;
    std::uint32_t target;
    std::int64_t elapsed_ms;
  };
  static_assert(sizeof(RecentEdge) == 16);

  std::int64_t DueMs(std::uint64_t number) const;
  RecentEdge* PickRemovable(std::int64_t due_ms);
  DrawnPair DrawAddition(std::int64_t elapsed_ms);
  void Remember(const DrawnPair& pair, std::int64_t elapsed_ms);
  std::int32_t DrawWeight();

  EdgeStreamOptions options_;
  VertexPairs pairs_;
  EpisodeSchedule episodes_;
  std::uint64_t edges_per_kilosecond_;  // the event rate, as an integer
  std::uint64_t disorder_ms_;
  Chance duplicates_;
  Chance removals_;

  Xoshiro256 graph_random_;
  Xoshiro256 time_random_;
  Xoshiro256 weight_random_;
  Xoshiro256 episode_random_;
  Xoshiro256 duplicate_random_;
  Xoshiro256 removal_random_;

  std::uint64_t number_ = 0;
  std::vector<RecentEdge> recent_;  // a ring once it is full
  std::size_t next_recent_ = 0;
};

}  // namespace sash
