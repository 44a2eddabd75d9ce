// Frozen snapshots of random windows, compared with arrays that are computed naively from the
// visible edges.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <stop_token>
#include <tuple>

#include "connectors/export/frozen/edge_forms.h"
#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/frozen/frozen_columns.h"
#include "connectors/export/frozen/snapshot_text.h"
#include "connectors/export/snapshot_folder.h"
#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/support/engine_harness.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ListedEdge;
using testing::NpyArray;
using testing::ReadNpy;
using testing::Script;
using testing::ScriptRecord;
using testing::SharedFolder;

struct ExpectedDirection {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> neighbours;
  std::vector<Weight> weights;
  std::vector<std::int64_t> types;
};

class ExpectedSnapshot {
 public:
  ExpectedSnapshot(const std::vector<ListedEdge>& edges, KeyKind kind) : edges_(edges) {
    std::set<std::int64_t> numbers;
    std::set<std::string> words;
    for (const ListedEdge& edge : edges) {
      numbers.insert({edge.source, edge.target});
      if (edge.type != 0) words.insert(testing::ScriptType(edge.type));
      has_reals = has_reals || !edge.weight.is_integer();
    }
    vertices.assign(numbers.begin(), numbers.end());
    if (kind == KeyKind::kString) std::ranges::sort(vertices, {}, testing::KeyText);
    types.assign(words.begin(), words.end());
    types.insert(types.begin(), "");
  }

  ExpectedDirection Direction(bool out) const {
    using Row = std::tuple<std::int64_t, std::int64_t, std::int64_t, Weight>;
    std::vector<Row> rows;
    for (const ListedEdge& edge : edges_) {
      const std::int64_t source = PlaceOf(edge.source);
      const std::int64_t target = PlaceOf(edge.target);
      rows.emplace_back(out ? source : target, out ? target : source, PlaceOfType(edge.type),
                        edge.weight);
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      const auto key = [](const Row& row) {
        return std::tuple(std::get<0>(row), std::get<1>(row), std::get<2>(row));
      };
      if (key(a) != key(b)) return key(a) < key(b);
      if (std::get<3>(a) < std::get<3>(b)) return true;
      if (std::get<3>(b) < std::get<3>(a)) return false;
      return std::get<3>(a).is_integer() && !std::get<3>(b).is_integer();
    });
    ExpectedDirection expected;
    expected.starts.assign(vertices.size() + 1, 0);
    for (const auto& [row, neighbour, type, weight] : rows) {
      for (std::size_t i = static_cast<std::size_t>(row) + 1; i < expected.starts.size(); ++i) {
        ++expected.starts[i];
      }
      expected.neighbours.push_back(neighbour);
      expected.weights.push_back(weight);
      expected.types.push_back(type);
    }
    return expected;
  }

  std::vector<std::int64_t> vertices;  // the numbers of their keys, in the order of keys
  std::vector<std::string> types;
  bool has_reals = false;

 private:
  std::int64_t PlaceOf(std::int64_t number) const {
    return std::ranges::find(vertices, number) - vertices.begin();
  }
  std::int64_t PlaceOfType(std::uint64_t type) const {
    const std::string word = type == 0 ? "" : testing::ScriptType(type);
    return std::ranges::find(types, word) - types.begin();
  }

  const std::vector<ListedEdge>& edges_;
};

void CompareDirection(const std::string& folder, const std::string& name,
                      const ExpectedSnapshot& snapshot) {
  SCOPED_TRACE(name);
  const ExpectedDirection expected = snapshot.Direction(name == "out");
  EXPECT_EQ(ReadNpy(folder + "/" + name + ".indptr.npy").whole, expected.starts);
  const NpyArray neighbours = ReadNpy(folder + "/" + name + ".indices.npy");
  EXPECT_EQ(neighbours.type, "<i4");
  EXPECT_EQ(neighbours.whole, expected.neighbours);
  const NpyArray weights = ReadNpy(folder + "/" + name + ".weights.npy");
  EXPECT_EQ(weights.type, snapshot.has_reals ? "<f8" : "<i8");
  NpyArray wanted;
  for (const Weight& weight : expected.weights) {
    if (snapshot.has_reals) {
      wanted.reals.push_back(weight.AsDouble());
    } else {
      wanted.whole.push_back(weight.integer());
    }
  }
  EXPECT_EQ(weights.whole, wanted.whole);
  EXPECT_EQ(weights.reals, wanted.reals);
  const std::string types = folder + "/" + name + ".types.npy";
  EXPECT_EQ(std::filesystem::exists(types), snapshot.types.size() > 1);
  if (snapshot.types.size() > 1) {
    EXPECT_EQ(ReadNpy(types).whole, expected.types);
  }
}

void CompareKeys(const std::string& folder, KeyKind kind, const ExpectedSnapshot& snapshot) {
  if (kind == KeyKind::kInteger) {
    EXPECT_EQ(ReadNpy(folder + "/keys.npy").whole, snapshot.vertices);
    return;
  }
  const std::vector<std::int64_t> offsets = ReadNpy(folder + "/keys.offsets.npy").whole;
  std::string bytes;
  for (const std::int64_t byte : ReadNpy(folder + "/keys.bytes.npy").whole) {
    bytes += static_cast<char>(byte);
  }
  ASSERT_EQ(offsets.size(), snapshot.vertices.size() + 1);
  for (std::size_t i = 0; i < snapshot.vertices.size(); ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    EXPECT_EQ(bytes.substr(begin, static_cast<std::size_t>(offsets[i + 1]) - begin),
              testing::KeyText(snapshot.vertices[i]));
  }
}

// What the windows of all scripts together had, so that no case is missed silently.
struct Seen {
  int empty = 0;
  int typed = 0;
  int reals = 0;
  int parallel = 0;
  int alike = 0;  // with several edges
  int marked = 0;
  int whole = 0;  // weights beyond marks
};

// `most_placed`: 0, and lists are sorted one by one.
void CompareSnapshot(const Advance& advance, const VertexDictionary& keys,
                     std::uint64_t most_placed, Seen& seen) {
  const SharedFolder scratch;
  const std::string path = scratch.File("snapshot");
  std::filesystem::create_directory(path);
  const OwnedDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY));
  const std::stop_token never;
  const Result<WindowOutline> outline = OutlineOf(advance.view, keys, never);
  ASSERT_TRUE(outline.ok());
  const auto written =
      WriteFrozenColumns(advance.view, keys, outline.value(), folder.number(), never, most_placed);
  ASSERT_TRUE(written.ok()) << written.error().message;
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    bytes += InPages(file.file_size());
  }
  EXPECT_EQ(bytes, FrozenBytes(outline.value())) << "known before anything is written";
  testing::Write(path + "/snapshot.json",
                 SnapshotText(advance, StoreSpec(), outline.value(), written.value(), {}));
  const auto about = testing::ReadSnapshot(path);
  EXPECT_EQ(about.at("edges").get<std::uint64_t>(), advance.provenance.edges);
  EXPECT_EQ(about.at("files").size(), FrozenArrays(outline.value()).size());
  const std::vector<ListedEdge> edges = testing::ListOut(advance.view, keys);
  const ExpectedSnapshot expected(edges, keys.kind());
  EXPECT_EQ(about.at("keys").at("count").get<std::size_t>(), expected.vertices.size());
  EXPECT_EQ(about.value("types", std::vector<std::string>{""}), expected.types);
  CompareKeys(path, keys.kind(), expected);
  CompareDirection(path, "out", expected);
  CompareDirection(path, "in", expected);
  seen.empty += edges.empty();
  seen.typed += expected.types.size() > 1;
  seen.reals += expected.has_reals;
  const bool is_marked = MarkedForm::Of(outline.value()).has_value();
  seen.alike += edges.size() > 1 && outline.value().are_alike();
  seen.marked += is_marked && !outline.value().only_weight && expected.types.size() > 1;
  seen.whole += !is_marked && !expected.has_reals && expected.types.size() > 1;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    seen.parallel +=
        edges[i].source == edges[i - 1].source && edges[i].target == edges[i - 1].target;
  }
}

void CompareScripts(KeyKind kind, std::uint64_t first, Seen& seen) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({first, 40});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Script script = testing::ScriptWriter(seed).Write();
    std::mt19937_64 random(seed);
    for (ScriptRecord& record : script.records) {
      if (seed % 2 == 0 && record.operation == Operation::kAdd) record.type = random() % 4;
      if (seed % 4 == 1) record.weight = Weight::Integer(3);
      if (seed % 8 == 2) {
        record.weight = Weight::Integer(static_cast<std::int64_t>(random() % 5) - 2);
      }
      if (seed % 8 == 4) record.weight = Weight::Integer(static_cast<std::int64_t>(random()));
    }
    EngineHarness harness(script.windows, script.policy, script.partitions, kind);
    harness.on_advance = [&](const AdvancePtr& advance) {
      if (::testing::Test::HasFailure()) return;
      CompareSnapshot(*advance, harness.keys, seed % 3 == 0 ? 0 : kMostPlaced, seen);
    };
    harness.Start();
    harness.Feed(script.records);
    harness.End();
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FrozenOracleTest, SnapshotsOfRandomWindowsEqualTheReference) {
  Seen seen;
  CompareScripts(KeyKind::kString, 1, seen);
  CompareScripts(KeyKind::kInteger, 1'000, seen);
  EXPECT_GT(seen.empty, 0);
  EXPECT_GT(seen.typed, 0);
  EXPECT_GT(seen.reals, 0);
  EXPECT_GT(seen.parallel, 0);
  EXPECT_GT(seen.alike, 0);
  EXPECT_GT(seen.marked, 0);
  EXPECT_GT(seen.whole, 0);
}

TEST(FrozenOracleTest, NoRequestToStopIsOverlooked) {
  const Script script = testing::ScriptWriter(3).Write();
  EngineHarness harness(script.windows, script.policy, script.partitions);
  harness.Start();
  harness.Feed(script.records);
  harness.End();
  ASSERT_FALSE(harness.advances.empty());
  const WindowView& view = harness.advances.back()->view;
  std::stop_source stop;
  const Result<WindowOutline> outline = OutlineOf(view, harness.keys, stop.get_token());
  ASSERT_TRUE(outline.ok());
  stop.request_stop();
  EXPECT_FALSE(OutlineOf(view, harness.keys, stop.get_token()).ok());
  if (outline.value().vertices() == 0) return;
  const SharedFolder scratch;
  std::filesystem::create_directory(scratch.File("s"));
  const OwnedDescriptor folder(::open(scratch.File("s").c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_FALSE(
      WriteFrozenColumns(view, harness.keys, outline.value(), folder.number(), stop.get_token())
          .ok());
}

}  // namespace
}  // namespace sash
