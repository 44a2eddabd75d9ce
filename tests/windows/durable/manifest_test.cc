#include "windows/durable/manifest.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/store/lists/edge_block.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::MemoryFolder;
using testing::SmallPolicy;
using testing::SmallStep;
using testing::SmallWindows;

// A checkpoint that contains every kind of content.
MemoryFolder SmallCheckpoint() {
  MemoryFolder folder;
  std::vector<WindowSpec> windows = SmallWindows();
  windows.push_back(
      {.name = "some", .length = 30, .slide = 10, .types = {"paid", "login"}, .where = "f0"});
  TimePolicy policy = SmallPolicy();
  policy.dedupe_within = Duration(20);
  CheckpointedEngine engine(windows, policy, 2, KeyKind::kString, folder, {}, true);
  EXPECT_TRUE(engine.Begin());
  engine.harness().Start();
  for (std::int64_t step = 0; step < 4; ++step) {
    std::vector<testing::ScriptRecord> records = SmallStep(step);
    records[1].passes = 0;
    records[0].id = 10 + static_cast<std::uint64_t>(step);
    records[1].id = records[0].id;
    records[3].id = 5;
    records[0].type = 1 + static_cast<std::uint64_t>(step);
    engine.harness().Feed(records);
  }
  EXPECT_TRUE(engine.Checkpoint().ok());
  return folder;
}

bool IsFound(const MemoryFolder& folder) {
  const auto found = SavedCheckpoint::Find(folder, KeyKind::kString);
  return found.ok() && found.value().has_value();
}

TEST(ManifestTest, EveryFlippedBitOfASmallCheckpointIsSeen) {
  MemoryFolder folder = SmallCheckpoint();
  ASSERT_TRUE(IsFound(folder));
  const std::vector<std::string> names = folder.List().value();
  for (const std::string& name : names) {
    std::string& bytes = folder.Bytes(name);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      const char before = bytes[bit / 8];
      bytes[bit / 8] = static_cast<char>(before ^ (1 << bit % 8));
      ASSERT_FALSE(IsFound(folder)) << name << ", bit " << bit;
      bytes[bit / 8] = before;
    }
  }
  EXPECT_TRUE(IsFound(folder));
}

TEST(ManifestTest, EveryTruncationOfASmallCheckpointIsSeen) {
  MemoryFolder folder = SmallCheckpoint();
  const std::vector<std::string> names = folder.List().value();
  for (const std::string& name : names) {
    const std::string sound = folder.Bytes(name);
    for (std::size_t size = 0; size < sound.size(); ++size) {
      folder.Bytes(name) = sound.substr(0, size);
      ASSERT_FALSE(IsFound(folder)) << name << ", " << size << " bytes";
    }
    folder.Bytes(name) = sound;
  }
  EXPECT_TRUE(IsFound(folder));
}

// The checksums are right, as after a bug in Sash, or in a file that an attacker wrote.
TEST(ManifestTest, EveryByteMayBeAnythingWithoutACrash) {
  const MemoryFolder folder = SmallCheckpoint();
  const auto file = SectionedFile::Parse(folder.Read(kManifestName).value(), FileKind::kManifest);
  ASSERT_TRUE(file.ok());
  std::vector<FileSection> sections;
  for (std::uint32_t tag = 1; tag <= 5; ++tag) {
    sections.push_back({tag, std::string(file.value().Find(tag).value())});
  }
  const auto parse = [](const std::vector<FileSection>& changed) {
    MemoryFolder written;
    EXPECT_TRUE(SectionedFile::Write(written, kManifestName, FileKind::kManifest, changed).ok());
    auto parsed = SectionedFile::Parse(written.Read(kManifestName).value(), FileKind::kManifest);
    return Manifest::Parse(std::move(parsed).value(), std::nullopt);
  };
  std::uint64_t refused = 0;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    for (std::size_t i = 0; i < sections[s].bytes.size(); i += testing::Stride()) {
      for (const int value : {0x00, 0x01, 0x02, 0x7F, 0xFF}) {
        std::vector<FileSection> changed = sections;
        changed[s].bytes[i] = static_cast<char>(value);
        Result<Manifest> manifest = parse(changed);
        if (!manifest) {
          ++refused;
          continue;
        }
        VertexDictionary keys(manifest.value().key_kind());
        PartitionTable partitions;
        (void)std::move(manifest).value().TakeState(keys, partitions);
      }
    }
    for (std::size_t size = 0; size < sections[s].bytes.size(); ++size) {
      std::vector<FileSection> changed = sections;
      changed[s].bytes.resize(size);
      EXPECT_FALSE(parse(changed).ok()) << "section " << s + 1 << ", " << size << " bytes";
    }
  }
  EXPECT_GT(refused * testing::Stride(), 1000u);
}

// Why a manifest with this change is refused; "" when its lanes are accepted.
std::string WhyNot(const std::function<void(EngineState&, LaneState&)>& change) {
  MemoryFolder folder;
  CheckpointedEngine engine(SmallWindows(), SmallPolicy(), 2, KeyKind::kString, folder);
  engine.harness().Start();
  for (std::int64_t step = 0; step < 4; ++step) engine.harness().Feed(SmallStep(step));
  EngineState state = engine.harness().engine().Capture();
  LaneState& lane = state.lanes.back();
  EXPECT_EQ(lane.axis, WindowAxis::kEvents);
  lane.slicer.open.clear();
  change(state, lane);
  KeyNumbering numbering(engine.harness().keys);
  EXPECT_TRUE(SectionedFile::Write(folder, kManifestName, FileKind::kManifest,
                                   EncodeManifest(state, {}, numbering))
                  .ok());
  auto file = SectionedFile::Parse(folder.Read(kManifestName).value(), FileKind::kManifest);
  const auto manifest = Manifest::Parse(std::move(file).value(), KeyKind::kString);
  EXPECT_FALSE(manifest.ok()) << "the files of its slices are not named";
  const std::string why = manifest.error().message;
  return why.find("list of slices") == std::string::npos ? why : "";
}

TEST(ManifestTest, WhatHasClosedAheadOfItsLaneIsRefused) {
  const std::string malformed = "the manifest's slicer is malformed";
  const auto closed_until = [](Position position) {
    return WhyNot([position](EngineState&, LaneState& lane) {
      EXPECT_EQ(lane.pane, 3);
      lane.accepted = 9;
      lane.slicer.closed_until = position;
    });
  };
  EXPECT_EQ(closed_until(9), "");
  EXPECT_EQ(closed_until(8), malformed) << "within a pane";
  EXPECT_EQ(closed_until(12), malformed) << "before its events were accepted";
  EXPECT_EQ(closed_until(std::numeric_limits<Position>::max() - 1), malformed);
  const auto on_the_clock = [](Position now) {
    return WhyNot([now](EngineState& state, LaneState& lane) {
      lane.axis = WindowAxis::kProcessingTime;
      lane.slicer.closed_until = 9;
      state.processing_time = now;
    });
  };
  EXPECT_EQ(on_the_clock(9), "");
  EXPECT_EQ(on_the_clock(8), malformed);
}

// Why a manifest of windows with these offsets is refused; "" when it is read as it was written.
std::string WhyNoOffset(const std::function<void(WindowSpec& times, WindowSpec& numbers)>& change) {
  EngineState state;
  for (const WindowAxis axis : {WindowAxis::kEventTime, WindowAxis::kEvents}) {
    LaneState& lane = state.lanes.emplace_back();
    lane.serial = state.next_serial++;
    lane.axis = axis;
    lane.pane = 5;
    lane.slicer.closed_until = std::numeric_limits<Position>::min();
    lane.windows.push_back({{.name = "w", .by = axis, .length = 40, .slide = 20}, {}});
  }
  change(state.lanes[0].windows[0].spec, state.lanes[1].windows[0].spec);
  MemoryFolder folder;
  VertexDictionary keys(KeyKind::kString);
  KeyNumbering numbering(keys);
  EXPECT_TRUE(SectionedFile::Write(folder, kManifestName, FileKind::kManifest,
                                   EncodeManifest(state, {}, numbering))
                  .ok());
  auto file = SectionedFile::Parse(folder.Read(kManifestName).value(), FileKind::kManifest);
  Result<Manifest> manifest = Manifest::Parse(std::move(file).value(), KeyKind::kString);
  if (!manifest) return manifest.error().message;
  PartitionTable partitions;
  const EngineState read = std::move(manifest).value().TakeState(keys, partitions);
  EXPECT_EQ(read.lanes[0].windows[0].spec, state.lanes[0].windows[0].spec);
  EXPECT_EQ(read.lanes[1].windows[0].spec, state.lanes[1].windows[0].spec);
  return "";
}

TEST(ManifestTest, OffsetsOfWindowsAreKeptAndMustFit) {
  const auto offset = [](std::int64_t given) {
    return WhyNoOffset([given](WindowSpec& times, WindowSpec&) { times.offset = given; });
  };
  const std::string malformed = "the manifest's offsets of windows are malformed";
  EXPECT_EQ(offset(0), "");
  EXPECT_EQ(offset(15), "");
  EXPECT_EQ(offset(20), malformed) << "as long as the slide";
  EXPECT_EQ(offset(-5), malformed);
  EXPECT_EQ(offset(12), malformed) << "within a pane";
  EXPECT_EQ(WhyNoOffset([](WindowSpec&, WindowSpec& numbers) { numbers.offset = 5; }), malformed);
}

TEST(ManifestTest, MoreSlicesThanAStoreCanNumberAreRefused) {
  const auto next_id = [](std::uint64_t id) {
    return WhyNot([id](EngineState&, LaneState& lane) { lane.slicer.next_id = id; });
  };
  EXPECT_EQ(next_id(EdgeBlock::kMostSlices), "");
  EXPECT_EQ(next_id(std::uint64_t{EdgeBlock::kMostSlices} + 1),
            "the manifest's slicer is malformed");
}

TEST(ManifestTest, WhereThereIsNoneNothingIsFound) {
  const MemoryFolder folder;
  const auto found = SavedCheckpoint::Find(folder, KeyKind::kString);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found.value().has_value());
}

TEST(ManifestTest, KeysOfAnotherKindAreRefused) {
  const auto found = SavedCheckpoint::Find(SmallCheckpoint(), KeyKind::kInteger);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(found.error().message,
            "memory/manifest: its vertex keys are strings, and those of the stream are not");
}

}  // namespace
}  // namespace sash
