// CheckpointedLife: an engine with checkpoints, from its start until it ends or is killed, with all
// that it publishes.
//
// Thread safety: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/said.h"
#include "tests/support/script_writer.h"
#include "tests/windows/durable/recovered_engine.h"

namespace sash::testing {

class CheckpointedLife {
 public:
  CheckpointedLife(const Script& script, KeyKind kind, Folder& folder,
                   EngineHarness::Compared compared = {})
      : script_(script),
        engine_(script.windows, script.policy, script.partitions, kind, folder,
                std::move(compared)) {
    engine_.harness().on_advance = [this](AdvancePtr advance) { Note(*advance); };
    engine_.harness().on_recalled = [this](const AdvancePtr& advance) {
      recalled[{advance->provenance.window, advance->recalled_for}] =
          WhatItSays(*advance, engine_.harness().keys);
    };
  }

  // Feeds the batches [begin, end). The clock advances before each batch, in every engine alike.
  void Feed(const std::vector<std::vector<ScriptRecord>>& batches, std::size_t begin,
            std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      engine_.harness().clock.Advance(std::chrono::milliseconds(700));
      engine_.harness().Feed(batches[i]);
    }
  }

  // After each advance, an earlier window is read and compared with what an engine that was never
  // killed published.
  void CompareHistory(const std::vector<Said>& said) { expected_ = &said; }

  CheckpointedEngine& engine() { return engine_; }
  std::vector<Said> said;
  std::uint64_t histories_read = 0;
  std::map<std::pair<std::string, std::uint32_t>, Said> recalled;  // by window and `every`

 private:
  void Note(const Advance& advance) {
    said.push_back(WhatItSays(advance, engine_.harness().keys));
    ExpectConsistent(advance.view, engine_.harness().keys);
    if (expected_ != nullptr) ReadEarlier(advance);
  }

  void ReadEarlier(const Advance& newest) {
    EngineHarness& harness = engine_.harness();
    const WindowStatus window = harness.engine().Find(newest.provenance.window).value();
    if (window.history == nullptr) return;
    std::vector<const Said*> readable;
    for (const Said& said : *expected_) {
      if (said.window == window.spec.name && said.snapshot <= newest.provenance.snapshot.value &&
          (newest.ordinal - said.ordinal) * window.spec.slide <= window.spec.retain) {
        readable.push_back(&said);
      }
    }
    ASSERT_EQ(window.history->List().size(), readable.size());
    const Said& said = *readable[random_() % readable.size()];
    const auto past = window.history->Find(SnapshotId{said.snapshot});
    ASSERT_TRUE(past.has_value());
    const AdvancePtr read = harness.engine().Read(window, *past);
    ASSERT_NE(read, nullptr);
    Said again = WhatItSays(*read, harness.keys);
    again.rewind = said.rewind;
    EXPECT_EQ(WhatDiffers(again, said), "");
    ++histories_read;
  }

  const Script& script_;
  const std::vector<Said>* expected_ = nullptr;
  std::mt19937_64 random_{7};
  CheckpointedEngine engine_;
};

// Expects that a restarted engine recalls the newest published window of each kind. With
// `not_always`, windows of followers may be missing.
inline void ExpectToRecall(CheckpointedLife& life, const std::vector<Said>& told,
                           const Script& script, const EngineHarness::Compared& compared,
                           bool not_always) {
  std::size_t known = 0;
  for (const WindowSpec& spec : script.windows) {
    if (!compared.contains(spec.name)) continue;
    for (const std::uint32_t every : compared.at(spec.name)) {
      SCOPED_TRACE(spec.name + ", every " + std::to_string(every));
      const auto is_due = [&](const Said& said) {
        return said.window == spec.name && said.ordinal % every == 0;
      };
      const auto last = std::ranges::find_if(told.rbegin(), told.rend(), is_due);
      const auto recalled = life.recalled.find({spec.name, every});
      known += recalled == life.recalled.end() ? 0 : 1;
      const bool has_follower =
          every > 1 || spec.empty_windows == EmptyWindows::kSkip || spec.by == WindowAxis::kEvents;
      if (has_follower && not_always && recalled == life.recalled.end()) continue;
      ASSERT_EQ(recalled != life.recalled.end(), last != told.rend());
      if (recalled == life.recalled.end()) continue;
      EXPECT_EQ(recalled->second.snapshot, last->snapshot);
      EXPECT_EQ(recalled->second.ordinal, last->ordinal);
      EXPECT_EQ(recalled->second.end, last->end);
      EXPECT_EQ(recalled->second.edges, last->edges);
      if (last->edges.empty()) continue;
      EXPECT_EQ(recalled->second.start, last->start);
      EXPECT_EQ(recalled->second.offsets, last->offsets);
      EXPECT_EQ(recalled->second.late, last->late);
    }
  }
  EXPECT_EQ(life.recalled.size(), known);
}

}  // namespace sash::testing
