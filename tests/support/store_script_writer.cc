#include "tests/support/store_script_writer.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sash::testing {
namespace {

// How many recent adds may be repeated. With long lists there are enough that the lists still grow.
constexpr std::size_t kRecent = 200;
constexpr std::size_t kRecentOfLongLists = 4000;

}  // namespace

StoreScript StoreScriptWriter::Write() {
  ChooseShape();
  ChooseVertices();
  WriteWindows();
  for (std::size_t p = 0; p < panes_; ++p) WritePane();
  // In half of the scripts edges have types: few, more than a byte can number, or one alone.
  constexpr std::array<std::uint64_t, 4> kMost = {0, 3, 0, 400};
  GiveTypes(script_.seed % 16 == 1 ? 1 : kMost[script_.seed % kMost.size()]);
  return script_;
}

// Most panes from some pane on have types: three quarters of their adds, half of their removals.
void StoreScriptWriter::GiveTypes(std::uint64_t most) {
  if (most == 0) return;
  std::mt19937_64 random(script_.seed);
  const std::size_t first = random() % 3 == 0 ? random() % script_.panes.size() : 0;
  for (std::size_t p = first; p < script_.panes.size(); ++p) {
    if (random() % 8 == 0) continue;
    for (StoreOperation& operation : script_.panes[p].operations) {
      if (operation.operation == Operation::kRemoveVertex || random() % 4 == 0) continue;
      if (operation.operation == Operation::kRemove && random() % 3 == 0) continue;
      // Low numbers are frequent, so that copies of an edge have the same type.
      const std::uint64_t limit = random() % 4 == 0 ? most : std::min<std::uint64_t>(most, 2);
      operation.type = static_cast<TypeNumber>(1 + random() % limit);
    }
  }
}

void StoreScriptWriter::ChooseShape() {
  const std::uint64_t chance = Below(100);
  size_ = chance < 62 ? Size::kSmall : chance < 92 ? Size::kMedium : Size::kLongLists;
  switch (size_) {
    case Size::kSmall:
      panes_ = 2 + Below(Percent(20) ? 80 : 25);
      slice_limit_ = 1 + Below(12);
      break;
    case Size::kMedium:
      panes_ = 5 + Below(30);
      slice_limit_ = 10 + Below(60);
      break;
    case Size::kLongLists:
      panes_ = 10 + Below(15);
      slice_limit_ = 1000 + Below(1001);
      break;
  }
  duplicates_ = std::array<std::uint64_t, 3>{0, 20, 80}[Below(3)];
  weights_ = static_cast<Weights>(Below(5));
  removed_ = Percent(80) ? Below(30) : 0;
}

void StoreScriptWriter::ChooseVertices() {
  const auto dense = [&](std::uint64_t count) {
    for (VertexId v = 0; v < count; ++v) vertices_.push_back(v);
  };
  if (size_ == Size::kLongLists) {
    dense(2000 + Below(4000));
    hub_ = vertices_[Below(vertices_.size())];
    hub_side_ = Below(3);
  } else if (Percent(8)) {
    vertices_ = {0, 255, 256, 511, 512, 100'000};
    panes_ = std::min(panes_, std::size_t{8});
  } else if (Percent(20)) {
    for (std::uint64_t i = 2 + Below(30); i > 0; --i) {
      vertices_.push_back(static_cast<VertexId>(Below(3000)));
    }
  } else {
    dense(size_ == Size::kSmall ? 1 + Below(12) : 5 + Below(120));
  }
}

void StoreScriptWriter::WriteWindows() {
  const std::uint64_t most = size_ == Size::kLongLists ? 2 : 4;
  for (std::uint64_t w = 1 + Below(most); w > 0; --w) {
    ScriptWindow window;
    window.length = 1 + Below(size_ == Size::kLongLists ? 8 : Percent(50) ? 6 : 50);
    if (Percent(4)) window.length = ScriptWindow::kForever;
    window.slide = Percent(60) ? 1 : 1 + Below(4);
    if (Percent(35)) {
      window.opens = Below(panes_);
      window.opens_with = Percent(70) ? Below(window.opens + 2) : 0;
    }
    if (Percent(35)) window.closes = window.opens + 1 + Below(panes_);
    script_.windows.push_back(window);
  }
}

void StoreScriptWriter::WritePane() {
  if (Percent(8)) weights_ = static_cast<Weights>(Below(5));
  if (Percent(8)) removed_ = Percent(50) ? Below(30) : 0;
  if (Percent(10)) {
    // A silence; sometimes long enough for every window to become empty.
    const std::uint64_t panes = Percent(20) && size_ == Size::kSmall ? 20 : 1 + Below(3);
    for (std::uint64_t p = 0; p < panes; ++p) script_.panes.push_back({true, {}});
  }
  ScriptPane pane;
  const std::size_t size = SliceSize();
  while (pane.operations.size() < size) pane.operations.push_back(NextOperation());
  script_.panes.push_back(std::move(pane));
}

std::size_t StoreScriptWriter::SliceSize() {
  if (Percent(12)) return 0;
  if (size_ != Size::kLongLists) return Below(slice_limit_ + 1);
  // Lists grow for some panes, then shrink for some.
  if (phase_left_ == 0) {
    phase_left_ = 1 + Below(6);
    grows_ = !grows_;
  }
  --phase_left_;
  return Below((grows_ ? slice_limit_ : slice_limit_ / 20) + 1);
}

StoreOperation StoreScriptWriter::NextOperation() {
  if (removals_ && Percent(removed_)) return NextRemoval();
  const StoreOperation add = NextAdd();
  if (recent_.size() < (size_ == Size::kLongLists ? kRecentOfLongLists : kRecent)) {
    recent_.push_back(add);
  } else {
    recent_[Below(recent_.size())] = add;
  }
  return add;
}

StoreOperation StoreScriptWriter::NextRemoval() {
  // If every removal removed a vertex, long lists would disappear too soon.
  const std::uint64_t whole = size_ == Size::kSmall ? 20 : size_ == Size::kMedium ? 5 : 1;
  if (Percent(whole)) {
    return RemoveVertex(
        size_ == Size::kLongLists && Percent(90) ? vertices_[Below(vertices_.size())] : Vertex());
  }
  if (recent_.empty() || Percent(20)) return Remove(Vertex(), Vertex());
  const StoreOperation& added = recent_[Below(recent_.size())];
  return Remove(added.source, added.target);
}

StoreOperation StoreScriptWriter::NextAdd() {
  if (!recent_.empty() && Percent(duplicates_)) {
    const StoreOperation& again = recent_[Below(recent_.size())];
    return Add(again.source, again.target, NextWeight());
  }
  if (size_ == Size::kLongLists && Percent(90)) return LongListAdd();
  return Add(Vertex(), Vertex(), NextWeight());
}

StoreOperation StoreScriptWriter::LongListAdd() {
  const VertexId other = vertices_[Below(vertices_.size())];
  const bool out = hub_side_ == 0 || (hub_side_ == 2 && Percent(50));
  return out ? Add(hub_, other, NextWeight()) : Add(other, hub_, NextWeight());
}

VertexId StoreScriptWriter::Vertex() {
  const std::uint64_t a = Below(vertices_.size());
  if (Percent(25)) return vertices_[a];
  const std::uint64_t b = Below(vertices_.size());
  return vertices_[a * b / vertices_.size()];  // low places are hubs
}

Weight StoreScriptWriter::NextWeight() {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  // Sums of these depend on the order in which they are formed.
  constexpr std::array<double, 8> kReals = {0.1, -0.1, 0.5, 6.0, 1e20, -1e20, 1e-9, 12345.678};
  constexpr std::array<std::int64_t, 6> kLarge = {kGreatest,     kLeast, kGreatest - 1,
                                                  kGreatest / 2, -1,     kLeast / 2};
  switch (weights_) {
    case Weights::kOnes:
      return Weight();
    case Weights::kSmall:
      return Weight::Integer(static_cast<std::int64_t>(Below(21)) - 10);
    case Weights::kNearTheLimits:
      return Weight::Integer(kLarge[Below(kLarge.size())]);
    case Weights::kReals:
      return Weight::Real(kReals[Below(kReals.size())]);
    case Weights::kMixed:
      break;
  }
  switch (Below(4)) {
    case 0:
      return Weight();
    case 1:
      return Weight::Integer(kLarge[Below(kLarge.size())]);
    case 2:
      return Weight::Integer(static_cast<std::int64_t>(Below(7)) - 3);
    default:
      return Weight::Real(kReals[Below(kReals.size())]);
  }
}

}  // namespace sash::testing
