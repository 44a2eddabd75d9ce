// The cost of keys chosen to collide under a hash without a secret, compared with random keys of
// the same kind and length: in the engine, in the index of a hub's neighbours, and among the
// removals of a slice. CPU time: one thread does it all.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/chosen_keys.h"
#include "windows/store/folded_slice.h"
#include "windows/store/lists/neighbour_index.h"

namespace sash::bench {
namespace {

using testing::ChosenIntegers;
using testing::ChosenNeighbours;
using testing::ChosenPairs;
using testing::ChosenTexts;

// Seconds of CPU that f() takes.
template <typename F>
double CpuTime(const F& f) {
  const CpuWatch watch;
  f();
  return watch.Seconds();
}

// The median of repetitions that alternate between the two.
void CompareKeys(const Bench& bench, std::string_view name, std::size_t count,
                 const std::function<double()>& chosen, const std::function<double()>& random) {
  Samples chosen_times;
  Samples random_times;
  const double per_key = 1e9 / static_cast<double>(count);
  for (int i = 0; i < bench.options.repetitions; ++i) {
    random_times.Add(random() * per_key);
    chosen_times.Add(chosen() * per_key);
  }
  bench.report.Add(fmt::format("chosen_{}_ns", name), "ns a key", chosen_times,
                   Ratios(chosen_times, random_times), "random ones");
}

KeyRef Stored(std::int64_t key, EventBatch&) { return KeyRef::Integer(key); }
KeyRef Stored(const std::string& key, EventBatch& batch) { return KeyRef::Text(batch.Store(key)); }

// Seconds until a fresh engine has taken an edge from each key to the previous one.
template <typename Key>
double TakeAll(const Bench& bench, KeyKind kind, const std::vector<Key>& names) {
  constexpr std::size_t kBatchRecords = 4096;
  VertexDictionary keys(kind);
  PartitionTable partitions;
  const SystemClock clock;
  NoRefusals refusals;
  EngineStats stats;
  StreamProgress progress;
  FunctionListener listener;
  listener.on_advance = [](const AdvancePtr&) {};
  WindowEngine engine({WindowOf(1, std::chrono::hours(1))}, InOrder(),
                      {keys, partitions, clock, refusals, stats, progress, listener});
  EventBatch start;
  start.start.emplace();
  start.start->partitions.push_back(partitions.Index("bench", 0));
  engine.Process(start);
  std::vector<EventBatch> batches;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i % kBatchRecords == 0) batches.emplace_back();
    EventBatch& batch = batches.back();
    EdgeEvent event;
    event.offset = static_cast<std::int64_t>(i);
    event.time = EventTime(std::chrono::milliseconds(i));
    event.source = Stored(names[i], batch);
    event.target = Stored(names[i == 0 ? 0 : i - 1], batch);
    batch.Add(event);
  }
  const double seconds = CpuTime([&] {
    for (const EventBatch& batch : batches) engine.Process(batch);
  });
  if (keys.size() != names.size()) {
    bench.report.Wrong("chosen_keys", fmt::format("{} keys, not {}", keys.size(), names.size()));
  }
  return seconds;
}

void MeasureIntegers(const Bench& bench, std::size_t count) {
  std::mt19937_64 random(bench.options.seed);
  const std::vector<std::int64_t> chosen = ChosenIntegers(count);
  std::vector<std::int64_t> others(count);
  for (std::int64_t& key : others) key = static_cast<std::int64_t>(random());
  CompareKeys(
      bench, "integers", count, [&] { return TakeAll(bench, KeyKind::kInteger, chosen); },
      [&] { return TakeAll(bench, KeyKind::kInteger, others); });
}

void MeasureTexts(const Bench& bench, std::size_t count) {
  std::mt19937_64 random(bench.options.seed);
  const std::vector<std::string> chosen = ChosenTexts(count);
  std::vector<std::string> others = chosen;
  for (std::string& key : others) {
    for (char& character : key) character = static_cast<char>('!' + random() % 90);
  }
  CompareKeys(
      bench, "texts", count, [&] { return TakeAll(bench, KeyKind::kString, chosen); },
      [&] { return TakeAll(bench, KeyKind::kString, others); });
}

// Seconds until an index has taken every neighbour and found it again.
double IndexAll(const Bench& bench, const std::vector<VertexId>& neighbours) {
  NeighbourIndex index;
  std::size_t found = 0;
  const double seconds = CpuTime([&] {
    for (const VertexId neighbour : neighbours) index.Insert(neighbour, 0, neighbour);
    for (const VertexId neighbour : neighbours) found += index.Find(neighbour) == neighbour;
  });
  if (found != neighbours.size()) bench.report.Wrong("chosen_neighbours_ns", "some are not found");
  return seconds;
}

void MeasureNeighbours(const Bench& bench, std::size_t count) {
  const std::vector<VertexId> chosen = ChosenNeighbours(count, 16);
  std::vector<VertexId> others(count);
  for (std::size_t i = 0; i < count; ++i) {
    others[i] = static_cast<VertexId>(i * (chosen.back() / count));
  }
  CompareKeys(
      bench, "neighbours", count, [&] { return IndexAll(bench, chosen); },
      [&] { return IndexAll(bench, others); });
}

// Seconds until a slice that adds and then removes each of the pairs is folded.
double FoldAll(const Bench& bench, const std::vector<std::pair<VertexId, VertexId>>& pairs) {
  Slice slice;
  for (const Operation operation : {Operation::kAdd, Operation::kRemove}) {
    for (const auto& [source, target] : pairs) {
      slice.sources.push_back(source);
      slice.targets.push_back(target);
      slice.operations.push_back(operation);
    }
  }
  slice.weights = WeightColumn(slice.size(), WeightColumn::Kind::kOnes);
  std::size_t removed = 0;
  const double seconds = CpuTime([&] {
    const FoldedSlice folded = Fold(slice, DuplicatesPolicy::kDrop);
    removed = folded.removed_pairs.size() - folded.pairs.size();
  });
  if (removed != pairs.size()) bench.report.Wrong("chosen_removals_ns", "some are not removed");
  return seconds;
}

void MeasureRemovals(const Bench& bench, std::size_t count) {
  // As many buckets as a table of this number of pairs has.
  const std::size_t buckets = [&] {
    std::unordered_map<std::uint64_t, std::uint32_t> table;
    for (std::size_t i = 0; i < count; ++i) table[i] = 0;
    return table.bucket_count();
  }();
  auto chosen = ChosenPairs(count, buckets);
  auto others = chosen;
  std::mt19937_64 random(bench.options.seed);
  std::ranges::shuffle(chosen, random);
  for (auto& [source, target] : others) target = static_cast<VertexId>(random() % 65'536);
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  std::ranges::shuffle(others, random);
  CompareKeys(
      bench, "removals", count, [&] { return FoldAll(bench, chosen); },
      [&] {
        return FoldAll(bench, others) * static_cast<double>(count) /
               static_cast<double>(others.size());
      });
}

}  // namespace

void RunChosenKeys(const Bench& bench) {
  const std::size_t share = bench.options.quick ? 20 : 1;
  MeasureIntegers(bench, 160'000 / share);
  MeasureTexts(bench, 80'000 / share);
  MeasureNeighbours(bench, 80'000 / share);
  MeasureRemovals(bench, 40'000 / share);
}

}  // namespace sash::bench
