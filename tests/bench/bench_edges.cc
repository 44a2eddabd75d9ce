#include "tests/bench/bench_edges.h"

#include <unordered_map>
#include <utility>

#include "windows/store/folded_slice.h"
#include "windows/store/visible_edges.h"

namespace sash::bench {
namespace {

// Counts events, and remembers when each pair was last named.
class NamedPairs {
 public:
  // Whether the pair was named, but by none of the `recent` last events. If not, notes that it is
  // named now.
  bool IsOnlyLongAgo(const GeneratedEdge& edge, std::size_t recent) {
    const auto [named, is_new] = last_.try_emplace(
        MakePairKey(static_cast<VertexId>(edge.source), static_cast<VertexId>(edge.target)),
        events_);
    if (!is_new && events_ - named->second > recent) return true;
    named->second = events_++;
    return false;
  }

 private:
  std::unordered_map<PairKey, std::size_t> last_;
  std::size_t events_ = 0;
};

}  // namespace

EdgeStreamOptions StreamOptions(const BenchOptions& options) {
  EdgeStreamOptions stream;
  stream.seed = options.seed;
  stream.graph = options.graph;
  stream.scale = options.scale;
  stream.event_rate = 1000;
  return stream;
}

BenchEdges DrawEdges(const BenchOptions& options, std::size_t count, const StreamChanges& changes) {
  EdgeStreamOptions stream_options = StreamOptions(options);
  stream_options.duplicates = changes.duplicates;
  stream_options.removals = changes.removals;
  stream_options.recent = static_cast<std::uint32_t>(changes.recent);
  EdgeStream stream(stream_options);
  std::vector<VertexId> ids(std::size_t{1} << options.scale, kNoVertex);
  BenchEdges edges;
  edges.sources.reserve(count);
  edges.targets.reserve(count);
  const auto id_of = [&](std::uint64_t vertex) {
    VertexId& id = ids[vertex];
    if (id == kNoVertex) id = edges.id_limit++;
    return id;
  };
  NamedPairs named;
  while (edges.size() < count) {
    const GeneratedEdge edge = stream.Next();
    if (changes.only_recent && named.IsOnlyLongAgo(edge, changes.recent)) continue;
    edges.sources.push_back(id_of(edge.source));
    edges.targets.push_back(id_of(edge.target));
    if (changes.removals > 0) edges.operations.push_back(edge.operation);
  }
  return edges;
}

std::shared_ptr<const Slice> MakeSlice(const BenchEdges& edges, std::size_t begin, std::size_t end,
                                       std::uint64_t id) {
  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{id};
  slice->begin = static_cast<Position>(id);
  slice->end = slice->begin + 1;
  const auto from = static_cast<std::ptrdiff_t>(begin);
  const auto to = static_cast<std::ptrdiff_t>(end);
  slice->sources.assign(edges.sources.begin() + from, edges.sources.begin() + to);
  slice->targets.assign(edges.targets.begin() + from, edges.targets.begin() + to);
  if (!edges.operations.empty()) {
    slice->operations.assign(edges.operations.begin() + from, edges.operations.begin() + to);
  }
  slice->weights = WeightColumn(end - begin, WeightColumn::Kind::kOnes);
  return slice;
}

std::vector<std::shared_ptr<const Slice>> CutIntoSlices(const BenchEdges& edges, std::size_t begin,
                                                        std::size_t end, std::size_t count) {
  std::vector<std::shared_ptr<const Slice>> slices;
  const std::size_t size = end - begin;
  for (std::size_t i = 0; i < count; ++i) {
    slices.push_back(MakeSlice(edges, begin + size * i / count, begin + size * (i + 1) / count, i));
  }
  return slices;
}

std::shared_ptr<const CsrGraph> MakePlainCsr(const BenchEdges& edges, std::size_t begin,
                                             std::size_t end) {
  const auto slices = CutIntoSlices(edges, begin, end, 1);
  return std::make_shared<const CsrGraph>(
      VisibleEdges(slices, DuplicatesPolicy::kKeep, edges.id_limit), edges.id_limit);
}

}  // namespace sash::bench
