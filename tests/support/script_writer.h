// Random scripts of records and windows, by seed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/reference_stream.h"

namespace sash::testing {

struct Script {
  std::vector<WindowSpec> windows;
  TimePolicy policy;
  std::uint32_t partitions = 1;
  std::vector<ScriptRecord> records;

  // The pane of the windows of one axis: every slide and every offset is a multiple of it.
  std::int64_t pane(WindowAxis axis) const {
    std::int64_t pane = 0;
    for (const WindowSpec& spec : windows) {
      if (spec.by != axis) continue;
      for (const std::int64_t step : {spec.slide, spec.offset}) pane = std::gcd(pane, step);
    }
    return pane;
  }
  std::int64_t pane() const { return pane(windows.front().by); }
};

// Shuffles how partitions interleave, keeping each partition's own order and each record whole.
inline std::vector<ScriptRecord> Interleave(const Script& script, std::mt19937_64& random) {
  std::vector<std::deque<ScriptRecord>> queues(script.partitions);
  for (const ScriptRecord& record : script.records) queues[record.partition].push_back(record);
  std::vector<ScriptRecord> interleaved;
  while (interleaved.size() < script.records.size()) {
    auto& queue = queues[random() % queues.size()];
    for (std::uint64_t run = random() % 20; run > 0 && !queue.empty(); --run) {
      do {  // all edges of a record
        interleaved.push_back(queue.front());
        queue.pop_front();
      } while (!queue.empty() && queue.front().place > 0);
    }
  }
  return interleaved;
}

// The records of a script in an order in which they may be read.
inline std::vector<ScriptRecord> ReadingOrder(const Script& script, std::mt19937_64& random) {
  return script.partitions == 1 ? script.records : Interleave(script, random);
}

class ScriptWriter {
 public:
  explicit ScriptWriter(std::uint64_t seed) : seed_(seed), random_(seed) {}

  Script Write() {
    Script script;
    by_events_ = Chance(20);
    script.partitions = by_events_ ? 1 : Between(1, 4);
    script.policy.disorder = Duration(Between(0, 3) * kTick);
    script.policy.late = std::array{LatePolicy::kDrop, LatePolicy::kDeadLetter,
                                    LatePolicy::kNextSlice}[Between(0, 2)];
    script.policy.check_ahead = false;
    removals_ = Chance(50);
    const std::uint32_t windows = Between(1, 4);
    for (std::uint32_t i = 0; i < windows; ++i) script.windows.push_back(Window(i));
    WriteRecords(script);
    return script;
  }

  // A script in which vertices seldom stay: windows are short, and vertices change every few
  // records and return much later. With one partition there may also be windows by events.
  Script WriteRestless() {
    Script script = Write();
    for (WindowSpec& spec : script.windows) {
      if (spec.length) spec.length = spec.slide * Between(1, 3);
    }
    if (!by_events_ && script.partitions == 1 && Chance(60)) {
      by_events_ = true;
      for (std::uint32_t i = Between(1, 2); i > 0; --i) {
        script.windows.push_back(Window(static_cast<std::uint32_t>(script.windows.size())));
        script.windows.back().length = script.windows.back().slide * Between(1, 8);
      }
      by_events_ = false;
    }
    const std::int64_t stay = Between(3, 20);
    const std::int64_t until_return = Between(5, 100);
    std::int64_t read = 0;
    for (ScriptRecord& record : script.records) {
      const std::int64_t moved = 1000 * (read++ / stay % until_return);
      record.source += moved;
      record.target += moved;
    }
    return script;
  }

  // Gives most windows by time a filter, and random events what they pass.
  void AddFilters(Script& script) const {
    std::mt19937_64 random(seed_);
    for (WindowSpec& spec : script.windows) {
      if (spec.by == WindowAxis::kEvents || random() % 4 == 0) continue;
      spec.where = FilterName(random() % kScriptFilters);
      if (random() % 4 == 0) spec.types = {"paid"};  // the bits of events are the same
    }
    // In one part of the stream nearly nothing passes, so windows fall silent.
    const std::size_t begin = random() % script.records.size();
    const std::size_t end = begin + random() % 200;
    for (std::size_t i = 0; i < script.records.size(); ++i) {
      const bool silent = begin <= i && i < end && random() % 16 != 0;
      script.records[i].passes = silent ? 0 : random();
      script.records[i].typed = random() % 2 == 0;
    }
  }

  // Gives most edges an id, which other edges at about its time may have. Windows by other axes
  // become windows by event time. With `chains`, an id lives for ever: whether an edge counts may
  // depend on any number of edges before it. Without, all edges with one id are within the time in
  // which they are found.
  void AddIds(Script& script, bool chains) const {
    std::mt19937_64 random(seed_ + 7);
    for (WindowSpec& spec : script.windows) {
      if (spec.by == WindowAxis::kEvents) {
        spec.slide *= kTick;
        if (spec.length) *spec.length *= kTick;
      }
      spec.by = WindowAxis::kEventTime;
    }
    const std::int64_t spans = static_cast<std::int64_t>(1 + random() % 8);
    const std::int64_t span = spans * kTick;
    // A late edge is at most this long before the begin of its slice.
    const std::int64_t most_moved = 20 * kTick;
    const std::uint64_t ids = 1 + random() % 30;
    script.policy.dedupe_within = Duration(chains ? span : span + most_moved);
    for (ScriptRecord& record : script.records) {
      if (random() % 8 == 0) continue;
      record.id = 1 + random() % ids;
      if (chains) continue;
      const std::int64_t epoch = (record.time + 100'000 * kTick) / span;
      record.id += static_cast<std::uint64_t>(epoch) * 1000;
    }
  }

  // Most windows can be read again, for up to two lengths.
  void AddHistory(Script& script) const {
    std::mt19937_64 random(seed_ + 13);
    for (WindowSpec& spec : script.windows) {
      if (!spec.length || spec.implementation != StoreKind::kMultiversioned) continue;
      if (random() % 5 == 0) continue;
      const auto most = static_cast<std::uint64_t>(2 * *spec.length);
      spec.retain = 1 + static_cast<std::int64_t>(random() % most);
    }
  }

  // Gives most edges, and removals, one of some types. Some windows identify edges by type.
  void AddTypes(Script& script) const {
    std::mt19937_64 random(seed_ + 11);
    for (WindowSpec& spec : script.windows) {
      if (random() % 2 == 0) spec.identity = EdgeIdentity::kPairAndType;
    }
    const std::uint64_t most = random() % 3 == 0 ? 300 : 1 + random() % 4;
    for (ScriptRecord& record : script.records) {
      if (random() % 5 != 0) record.type = 1 + random() % (random() % 4 == 0 ? most : 1 + most / 3);
    }
  }

  // A window that may be added while the script just written runs.
  WindowSpec LateWindow(const Script& script, std::uint32_t number) {
    WindowSpec spec = Window(number);
    spec.slide = script.pane() * Between(1, 4);
    if (spec.offset != 0) spec.offset = spec.slide - script.pane();
    if (spec.length) spec.length = spec.slide * Between(1, Chance(20) ? 50 : 8);
    spec.implementation = Chance(50) ? StoreKind::kRebuild : StoreKind::kMultiversioned;
    return spec;
  }

 private:
  static constexpr std::int64_t kTick = 1'000'000'000;

  std::uint32_t Between(std::uint32_t least, std::uint32_t greatest) {
    return least + static_cast<std::uint32_t>(random_() % (greatest - least + 1));
  }
  bool Chance(std::uint32_t percent) { return Between(1, 100) <= percent; }

  WindowSpec Window(std::uint32_t number) {
    WindowSpec spec;
    spec.name = "w" + std::to_string(number);
    spec.by = by_events_ ? WindowAxis::kEvents : WindowAxis::kEventTime;
    const std::int64_t unit = by_events_ ? 1 : kTick;
    spec.slide = unit * std::array{1, 2, 3, 4, 6}[Between(0, 4)];
    if (!Chance(10)) spec.length = spec.slide * Between(1, Chance(20) ? 50 : 8);
    spec.empty_windows = Chance(70) ? EmptyWindows::kOnce : EmptyWindows::kSkip;
    spec.duplicates = std::array{DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop,
                                 DuplicatesPolicy::kWeigh}[Between(0, 2)];
    spec.removals = removals_;
    spec.implementation = Chance(30) ? StoreKind::kRebuild : StoreKind::kMultiversioned;
    spec.offset = Offset(spec, number);
    return spec;
  }

  // In a quarter of the scripts, most windows by time end at a part of their slide.
  std::int64_t Offset(const WindowSpec& spec, std::uint32_t number) const {
    std::mt19937_64 random(1000 * seed_ + number);
    if (spec.by == WindowAxis::kEvents || seed_ % 8 % 3 != 2 || random() % 3 == 0) return 0;
    constexpr std::int64_t kStep = kTick / 2;
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spec.slide / kStep)) *
           kStep;
  }

  Weight RandomWeight() {
    if (Chance(60)) return Weight();
    if (Chance(70)) return Weight::Integer(static_cast<std::int64_t>(Between(0, 20)) - 10);
    return Weight::Real(Between(0, 1000) / 8.0);
  }

  void WriteRecords(Script& script) {
    const std::uint32_t vertices = Chance(50) ? Between(2, 8) : Between(20, 300);
    const std::uint32_t count = Between(20, 400);
    std::vector<std::int64_t> now(script.partitions, (Between(0, 40) - 20ll) * kTick);
    std::vector<std::int64_t> offset(script.partitions);
    for (std::uint32_t i = 0; i < count; ++i) {
      ScriptRecord record;
      record.partition = Between(0, script.partitions - 1);
      std::int64_t& clock = now[record.partition];
      if (Chance(30)) clock += Between(0, 2) * kTick / 2;
      if (Chance(2)) clock += Between(1, 200) * kTick;  // a silence
      record.offset = offset[record.partition]++;
      record.refused = Chance(4);
      record.time = clock - (Chance(15) ? Between(0, 8) * kTick / 2 : 0);
      record.source = Chance(20) ? 1 : Between(1, vertices);  // 1 is a hub
      record.target = Between(1, vertices);
      record.weight = RandomWeight();
      if (removals_ && Chance(15)) {
        record.operation = Chance(80) ? Operation::kRemove : Operation::kRemoveVertex;
      }
      script.records.push_back(record);
    }
    if (seed_ % 3 == 0) FilterRecords(script);
    if (seed_ % 4 == 1) GiveSeveralEdges(script);
  }

  // Some records get further edges: mostly a few, sometimes more than fit a pane by events. Their
  // times are near, so that edges of one record are in several slices, and some are late.
  void GiveSeveralEdges(Script& script) const {
    std::mt19937_64 random(seed_);
    std::vector<ScriptRecord> records;
    for (const ScriptRecord& record : script.records) {
      records.push_back(record);
      if (record.refused || record.filtered || random() % 4 != 0) continue;
      const std::uint64_t further = 1 + random() % (random() % 10 == 0 ? 40 : 4);
      for (std::uint64_t i = 0; i < further; ++i) {
        ScriptRecord& edge = records.emplace_back(record);
        edge.place = static_cast<std::uint32_t>(i + 1);
        edge.time += (static_cast<std::int64_t>(random() % 13) - 8) * kTick / 2;
        // The first edge in the other direction, or a neighbour of it.
        std::swap(edge.source, edge.target);
        if (random() % 2 == 0) edge.target = edge.source + static_cast<std::int64_t>(random() % 3);
        if (random() % 4 == 0) edge.weight = Weight::Integer(static_cast<std::int64_t>(i));
      }
    }
    script.records = std::move(records);
  }

  // A stretch of records is filtered, and some records elsewhere. The newest record is not: windows
  // that close after it are not those of the reference.
  void FilterRecords(Script& script) const {
    std::mt19937_64 random(seed_);
    const std::size_t begin = random() % script.records.size();
    const std::size_t end = begin + random() % 60;
    ScriptRecord* newest = nullptr;
    for (std::size_t i = 0; i < script.records.size(); ++i) {
      ScriptRecord& record = script.records[i];
      if (record.refused) continue;
      record.filtered = (begin <= i && i < end) || random() % 5 == 0;
      if (newest == nullptr || record.time > newest->time) newest = &record;
    }
    if (newest != nullptr) newest->filtered = false;
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  bool by_events_ = false;
  bool removals_ = false;
};

}  // namespace sash::testing
