// Closed slices with their logs, cut by a real slicer, for tests of their export.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/export/slices/slice_table.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slicer.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash::testing {

struct SlicedEdge {
  std::int64_t seconds = 0;  // event time
  std::string source{};
  std::string target{};
  Weight weight{};
  Operation operation = Operation::kAdd;
  std::string type{};
  std::string topic = "t";
  std::uint64_t id = 0;
  FilterBits passes = kPassesAll;
};

// Offsets count from 0 in each topic, which has one partition.
class ClosedSlices {
 public:
  static constexpr std::int64_t kPane = 10'000'000'000;  // 10 s

  explicit ClosedSlices(FilterTexts filters = {})
      : filters_(std::make_shared<const FilterTexts>(std::move(filters))) {
    slicer_.Dedupe(std::chrono::hours(1));
    slicer_.KeepPlaces();
  }

  void Add(const SlicedEdge& edge) {
    const PartitionIndex partition = partitions.Index(edge.topic, 0);
    offsets_.resize(partitions.size());
    BufferedEvent event{.time = EventTime(std::chrono::seconds(edge.seconds)),
                        .offset = offsets_[partition]++,
                        .weight = edge.weight,
                        .partition = partition,
                        .operation = edge.operation,
                        .passes = edge.passes,
                        .id = {.high = 0, .low = edge.id}};
    event.type = keys.types().Intern(edge.type).value_or(kNoType);
    VertexDictionary::Writer writer(keys);
    event.source = writer.Intern(edge.source);
    event.target = writer.Intern(edge.target.empty() ? edge.source : edge.target);
    slicer_.Add(event.time.time_since_epoch().count(), event, ++accepted_, {});
  }

  // The oldest open slice.
  ExportedSlice Close() {
    const std::vector<std::uint32_t> ranks = partitions.Ranks();
    std::shared_ptr<const Slice> slice = slicer_.CloseNext(ranks);
    return {std::move(slice), slicer_.TakeLogs(), nullptr, filters_};
  }

  // A slice of one edge, `number` panes after the first.
  ExportedSlice Small(std::int64_t number) {
    Add({.seconds = 10 * number + 3, .source = "a", .target = "b"});
    return Close();
  }

  VertexDictionary keys{KeyKind::kString};
  PartitionTable partitions;

 private:
  const std::shared_ptr<const FilterTexts> filters_;
  Slicer slicer_{kPane};
  std::vector<std::int64_t> offsets_;  // by partition
  std::uint64_t accepted_ = 0;
};

}  // namespace sash::testing
