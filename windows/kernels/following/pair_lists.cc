#include "windows/kernels/following/pair_lists.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <utility>

namespace sash {
namespace {

// Puts the changes in the order of their chunks. Returns where the changes of each chunk end.
std::vector<std::size_t> PutByChunk(std::vector<PairChange>& changes, std::size_t chunk_count,
                                    std::size_t chunk) {
  std::vector<std::size_t> ends(chunk_count + 1);
  for (const PairChange& change : changes) ++ends[change.vertex / chunk + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<PairChange> sorted(changes.size());
  for (const PairChange& change : changes) sorted[ends[change.vertex / chunk]++] = change;
  changes = std::move(sorted);
  ends.pop_back();
  return ends;
}

}  // namespace

void PairLists::Chunk::Append(std::uint64_t place, VertexId other, std::uint64_t edges,
                              std::uint8_t flag) {
  others.push_back(other);
  marks.push_back(flag | static_cast<std::uint8_t>(std::min<std::uint64_t>(edges, kMany)));
  if (edges >= kMany) many[ManyKey(place, other)] = edges;
}

std::uint64_t PairLists::Chunk::edges(std::size_t place, std::size_t i) const {
  return marks[i] == kMany ? many.at(ManyKey(place, others[i])) : marks[i];
}

void PairLists::Resize(VertexId id_limit) {
  id_limit_ = std::max(id_limit_, id_limit);
  chunks_.resize(BlockCount(id_limit_, kChunk));
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const std::size_t size = std::min<std::size_t>(kChunk, id_limit_ - c * kChunk);
    chunks_[c].ends.resize(size, chunks_[c].others.size());
  }
}

bool PairLists::BeginChunk(std::span<PairChange> changes, Chunk& chunk) {
  std::ranges::sort(changes, {}, [](const PairChange& change) {
    return std::uint64_t{change.vertex} << 32 | change.other;
  });
  std::size_t i = 0;  // in the list of `vertex`
  VertexId vertex = kNoVertex;
  for (std::size_t at = 0; at < changes.size();) {
    PairChange sum = changes[at++];
    for (;
         at < changes.size() && changes[at].vertex == sum.vertex && changes[at].other == sum.other;
         ++at) {
      sum.edges += changes[at].edges;
    }
    if (sum.edges == 0) continue;
    const std::size_t place = sum.vertex % kChunk;
    if (sum.vertex != vertex) i = chunk.begin(place);
    vertex = sum.vertex;
    const auto end = chunk.others.begin() + static_cast<std::ptrdiff_t>(chunk.ends[place]);
    i = static_cast<std::size_t>(
        std::lower_bound(chunk.others.begin() + static_cast<std::ptrdiff_t>(i), end, sum.other) -
        chunk.others.begin());
    const bool is_there = i < chunk.ends[place] && chunk.others[i] == sum.other;
    const std::int64_t edges =
        sum.edges + (is_there ? static_cast<std::int64_t>(chunk.edges(place, i)) : 0);
    if (edges < 0) return false;
    if (!is_there) {
      chunk.coming.push_back(sum);
      continue;
    }
    if (chunk.marks[i] == kMany) chunk.many.erase(ManyKey(place, sum.other));
    if (edges >= kMany) {
      chunk.many[ManyKey(place, sum.other)] = static_cast<std::uint64_t>(edges);
    }
    chunk.marks[i] = static_cast<std::uint8_t>(std::min<std::int64_t>(edges, kMany));
    if (edges > 0) continue;
    chunk.marks[i] = kFlag;
    chunk.is_flagged = true;
    if (sum.vertex < sum.other) chunk.leaving.push_back({sum.vertex, sum.other});
  }
  return true;
}

std::optional<std::vector<PairLists::Pair>> PairLists::Begin(std::vector<PairChange> changes,
                                                             VertexId id_limit, int threads) {
  Resize(id_limit);
  const std::vector<std::size_t> ends = PutByChunk(changes, chunks_.size(), kChunk);
  std::atomic<bool> is_of_this_graph = true;
  ParallelBlocks(chunks_.size(), 1, threads, [&](std::size_t c, std::size_t, std::size_t) {
    const std::size_t begin = c == 0 ? 0 : ends[c - 1];
    if (!BeginChunk(std::span(changes).subspan(begin, ends[c] - begin), chunks_[c])) {
      is_of_this_graph = false;
    }
  });
  if (!is_of_this_graph) return std::nullopt;
  std::vector<Pair> leaving;
  for (Chunk& chunk : chunks_) {
    leaving.insert(leaving.end(), chunk.leaving.begin(), chunk.leaving.end());
    chunk.leaving = {};
  }
  return leaving;
}

void PairLists::ExchangeChunk(Chunk& chunk) {
  Chunk next;
  next.ends.reserve(chunk.ends.size());
  next.others.reserve(chunk.others.size() + chunk.coming.size());
  next.marks.reserve(chunk.others.size() + chunk.coming.size());
  next.many = std::move(chunk.many);
  auto coming = chunk.coming.begin();
  for (std::size_t place = 0, i = 0; place < chunk.ends.size(); ++place) {
    const auto comes_before = [&](std::size_t end) {
      return coming != chunk.coming.end() && coming->vertex % kChunk == place &&
             (i == end || coming->other < chunk.others[i]);
    };
    const std::size_t end = chunk.ends[place];
    while (i < end || comes_before(end)) {
      if (comes_before(end)) {
        next.Append(place, coming->other, static_cast<std::uint64_t>(coming->edges), kFlag);
        ++coming;
        continue;
      }
      if ((chunk.marks[i] & kFlag) == 0) {
        next.others.push_back(chunk.others[i]);
        next.marks.push_back(chunk.marks[i]);
      }
      ++i;
    }
    next.ends.push_back(next.others.size());
  }
  next.coming = std::move(chunk.coming);
  chunk = std::move(next);
}

std::vector<PairLists::Pair> PairLists::Exchange(int threads) {
  ParallelBlocks(chunks_.size(), 1, threads, [&](std::size_t c, std::size_t, std::size_t) {
    if (chunks_[c].is_flagged || !chunks_[c].coming.empty()) ExchangeChunk(chunks_[c]);
  });
  std::vector<Pair> came;
  for (const Chunk& chunk : chunks_) {
    for (const PairChange& change : chunk.coming) {
      if (change.vertex < change.other) came.push_back({change.vertex, change.other});
    }
  }
  return came;
}

void PairLists::Settle(int threads) {
  ParallelBlocks(chunks_.size(), 1, threads, [&](std::size_t c, std::size_t, std::size_t) {
    Chunk& chunk = chunks_[c];
    if (!chunk.coming.empty()) {
      for (std::uint8_t& mark : chunk.marks) mark &= static_cast<std::uint8_t>(~kFlag);
    }
    chunk.coming = {};
    chunk.is_flagged = false;
  });
}

}  // namespace sash
