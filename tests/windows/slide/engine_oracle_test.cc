// Random scripts: the engine against the reference, after every advance, with views re-read later.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>

#include "tests/support/engine_harness.h"
#include "tests/support/reference_stream.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ExpectedWindow;
using testing::ListedEdge;
using testing::ScriptRecord;

struct Script {
  std::vector<WindowSpec> windows;
  TimePolicy policy;
  std::uint32_t partitions = 1;
  std::vector<ScriptRecord> records;
};

class ScriptWriter {
 public:
  explicit ScriptWriter(std::uint64_t seed) : random_(seed) {}

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
    const bool needs_rebuild = removals_ || spec.duplicates != DuplicatesPolicy::kKeep;
    spec.implementation =
        needs_rebuild || Chance(30) ? StoreKind::kRebuild : StoreKind::kMultiversioned;
    return spec;
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
  }

  std::mt19937_64 random_;
  bool by_events_ = false;
  bool removals_ = false;
};

std::int64_t Pane(const std::vector<WindowSpec>& windows) {
  std::int64_t pane = 0;
  for (const WindowSpec& spec : windows) pane = std::gcd(pane, spec.slide);
  return pane;
}

// Shuffles how partitions interleave, keeping each partition's own order.
std::vector<ScriptRecord> Interleave(const Script& script, std::mt19937_64& random) {
  std::vector<std::deque<ScriptRecord>> queues(script.partitions);
  for (const ScriptRecord& record : script.records) queues[record.partition].push_back(record);
  std::vector<ScriptRecord> interleaved;
  while (interleaved.size() < script.records.size()) {
    auto& queue = queues[random() % queues.size()];
    for (std::uint64_t run = random() % 20; run > 0 && !queue.empty(); --run) {
      interleaved.push_back(queue.front());
      queue.pop_front();
    }
  }
  return interleaved;
}

class Comparison {
 public:
  Comparison(const Script& script, std::mt19937_64& random) : script_(script), random_(random) {
    for (const WindowSpec& spec : script.windows) {
      expected_.push_back(
          testing::ExpectedWindows(script.records, spec, Pane(script.windows), script.policy));
    }
    seen_.resize(script.windows.size());
  }

  void Run() {
    EngineHarness harness(script_.windows, script_.policy, script_.partitions);
    harness.on_advance = [&](AdvancePtr advance) { Check(advance, harness.keys); };
    harness.Start();
    const std::vector<ScriptRecord> records =
        script_.partitions == 1 ? script_.records : Interleave(script_, random_);
    for (std::size_t begin = 0; begin < records.size();) {
      const std::size_t end = std::min(records.size(), begin + 1 + random_() % 40);
      harness.Feed({records.begin() + static_cast<std::ptrdiff_t>(begin),
                    records.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
    harness.End();
    for (std::size_t w = 0; w < expected_.size(); ++w) EXPECT_EQ(seen_[w], expected_[w].size());
  }

 private:
  void Check(const AdvancePtr& advance, const VertexDictionary& keys) {
    const auto spec = std::ranges::find(script_.windows, advance->provenance.window,
                                        &WindowSpec::name);
    const auto w = static_cast<std::size_t>(spec - script_.windows.begin());
    ASSERT_LT(seen_[w], expected_[w].size()) << "a window too many";
    const ExpectedWindow& expected = expected_[w][seen_[w]++];
    const Provenance& about = advance->provenance;
    EXPECT_EQ(about.window_start.time_since_epoch().count(), expected.start);
    EXPECT_EQ(about.window_end.time_since_epoch().count(), expected.end);
    EXPECT_EQ(about.late, expected.late);
    EXPECT_EQ(about.refused, expected.refused);
    EXPECT_EQ(about.edges, expected.edges.size());
    EXPECT_EQ(about.empty, expected.edges.empty());
    if (spec->by == WindowAxis::kEvents) {
      EXPECT_EQ(about.accepted, expected.accepted);
    }
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> offsets;
    for (const auto& [place, span] : about.offsets) {
      offsets[static_cast<std::uint32_t>(place.partition)] = {span.least, span.greatest};
    }
    EXPECT_EQ(offsets, expected.offsets);
    EXPECT_EQ(testing::ListOut(advance->view, keys), expected.edges);
    testing::ExpectConsistent(advance->view, keys);
    VisitView(advance->view,
              [&](const auto& graph) { EXPECT_EQ(graph.vertices().size(), about.vertices); });
    RereadPins(keys);
    if (random_() % 3 == 0) pins_.push_back({advance, &expected, 1 + random_() % 20});
  }

  struct Pin {
    AdvancePtr advance;
    const ExpectedWindow* expected;
    std::uint64_t advances_left;
  };

  void RereadPins(const VertexDictionary& keys) {
    for (Pin& pin : pins_) {
      if (--pin.advances_left > 0) continue;
      EXPECT_EQ(testing::ListOut(pin.advance->view, keys), pin.expected->edges) << "pinned view";
      testing::ExpectConsistent(pin.advance->view, keys);
    }
    std::erase_if(pins_, [](const Pin& pin) { return pin.advances_left == 0; });
  }

  const Script& script_;
  std::mt19937_64& random_;
  std::vector<std::vector<ExpectedWindow>> expected_;
  std::vector<std::size_t> seen_;
  std::vector<Pin> pins_;
};

TEST(EngineOracleTest, EveryWindowOfRandomScriptsEqualsTheReference) {
  constexpr std::uint64_t kScripts = 400;
  for (std::uint64_t seed = 1; seed <= kScripts; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Script script = ScriptWriter(seed).Write();
    std::mt19937_64 random(seed);
    Comparison(script, random).Run();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sash
