#include "connectors/export/slices/slice_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/snapshot_format.h"
#include "windows/base/sort_distinct.h"
#include "windows/ingest/operation_name.h"

namespace sash {
namespace {

// The columns of all tables; those of filters follow.
enum SliceColumn : std::size_t {
  kSource,
  kTarget,
  kOperation,
  kWeight,
  kWholeWeight,
  kTypeWord,
  kTime,
  kNanoseconds,
  kTopic,
  kPartition,
  kOffset,
  kPlace,
  kIdText,
  kDuplicate,
  kFirstFilter,
};

// The operations in the order of the enum, which is also that of the words.
constexpr std::array<Operation, 3> kOperations = {Operation::kAdd, Operation::kRemove,
                                                  Operation::kRemoveVertex};

// What has to be known before the first row.
struct SliceOutline {
  std::vector<std::string> topics{};         // ascending
  std::vector<std::string_view> types{};     // ascending: those that a row has
  std::vector<std::uint32_t> type_places{};  // by TypeNumber
  bool has_reals = false;
};

SliceOutline OutlineOf(const SliceTableTask& task) {
  SliceOutline outline;
  std::vector<bool> used(task.keys.types().size() + 1);
  for (const PartitionLog& log : task.slice.logs->logs) {
    outline.topics.push_back(task.partitions.At(log.partition()).topic);
    outline.has_reals = outline.has_reals || log.weights() == WeightColumn::Kind::kMixed;
    if (log.types() == TypeWidth::kNone) continue;
    log.ForEachEvent([&](const BufferedEvent& event) { used[event.type] = true; });
  }
  SortDistinct(outline.topics);
  std::vector<std::pair<std::string_view, TypeNumber>> words;
  for (TypeNumber type = 1; type < used.size(); ++type) {
    if (used[type]) words.emplace_back(task.keys.types().WordOf(type), type);
  }
  std::ranges::sort(words);
  outline.type_places.resize(used.size());
  for (const auto& [word, type] : words) {
    outline.type_places[type] = static_cast<std::uint32_t>(outline.types.size());
    outline.types.push_back(word);
  }
  return outline;
}

std::vector<ParquetColumn> ColumnsOf(const SliceTableTask& task, const SliceOutline& outline) {
  const ParquetType key =
      task.keys.kind() == KeyKind::kInteger ? ParquetType::kInteger : ParquetType::kText;
  std::vector<std::string_view> operations;
  for (const Operation operation : kOperations) operations.push_back(OperationName(operation));
  std::vector<ParquetColumn> columns(kFirstFilter);
  columns[kSource] = {"source", key};
  columns[kTarget] = {"target", key, true};
  columns[kOperation] = {"operation", ParquetType::kWord, false, operations};
  columns[kWeight] = {"weight", ParquetType::kReal};
  columns[kWholeWeight] = {"weight_int64", ParquetType::kInteger, true};
  columns[kTypeWord] = {"type", ParquetType::kWord, true, outline.types};
  columns[kTime] = {"time", ParquetType::kMicros};
  columns[kNanoseconds] = {"time_ns", ParquetType::kInteger};
  columns[kTopic] = {
      "topic", ParquetType::kWord, false, {outline.topics.begin(), outline.topics.end()}};
  columns[kPartition] = {"partition", ParquetType::kInteger};
  columns[kOffset] = {"offset", ParquetType::kInteger};
  columns[kPlace] = {"place", ParquetType::kInteger};
  columns[kIdText] = {"id", ParquetType::kText, true};
  columns[kDuplicate] = {"duplicate", ParquetType::kTruth};
  for (std::size_t i = 0; i < task.slice.filters->size(); ++i) {
    columns.push_back({FilterColumn(i), ParquetType::kTruth});
  }
  return columns;
}

// Writes the rows of the logs, one log after the other.
class SliceRows {
 public:
  SliceRows(const SliceTableTask& task, const SliceOutline& outline, ParquetFile& file)
      : task_(task), outline_(outline), file_(file) {}

  // False: writing has ended early.
  bool Put(const PartitionLog& log) {
    const TopicPartition pair = task_.partitions.At(log.partition());
    topic_ = static_cast<std::uint32_t>(std::ranges::lower_bound(outline_.topics, pair.topic) -
                                        outline_.topics.begin());
    partition_ = pair.partition;
    log.ForEachEvent([&](const BufferedEvent& event) {
      if (GoesOn()) PutRow(event);
    });
    return goes_on_;
  }

 private:
  bool GoesOn() {
    constexpr std::uint64_t kBetweenLooks = 1 << 14;
    if (file_.rows() % kBetweenLooks == 0 && goes_on_) {
      goes_on_ = !task_.stop.stop_requested() && !file_.failure();
    }
    return goes_on_;
  }

  void PutKey(std::size_t column, VertexId vertex) {
    if (task_.keys.kind() == KeyKind::kInteger) {
      file_.column(column).PutInteger(task_.keys.IntegerOf(vertex));
    } else {
      file_.column(column).PutText(task_.keys.TextOf(vertex));
    }
  }

  void PutWeight(Weight weight) {
    file_.column(kWeight).PutReal(weight.AsDouble());
    if (weight.is_integer()) {
      file_.column(kWholeWeight).PutInteger(weight.integer());
    } else {
      file_.column(kWholeWeight).PutNull();
    }
  }

  void PutRow(const BufferedEvent& event) {
    PutKey(kSource, event.source);
    if (event.operation == Operation::kRemoveVertex) {
      file_.column(kTarget).PutNull();
    } else {
      PutKey(kTarget, event.target);
    }
    file_.column(kOperation).PutWord(static_cast<std::uint32_t>(event.operation));
    PutWeight(event.weight);
    if (event.type == kNoType) {
      file_.column(kTypeWord).PutNull();
    } else {
      file_.column(kTypeWord).PutWord(outline_.type_places[event.type]);
    }
    const auto micros = std::chrono::floor<std::chrono::microseconds>(event.time);
    file_.column(kTime).PutInteger(micros.time_since_epoch().count());
    file_.column(kNanoseconds).PutInteger(event.time.time_since_epoch().count());
    file_.column(kTopic).PutWord(topic_);
    file_.column(kPartition).PutInteger(partition_);
    file_.column(kOffset).PutInteger(event.offset);
    file_.column(kPlace).PutInteger(event.edges_before);
    if (event.id.is_set()) {
      file_.column(kIdText).PutText(fmt::format("{:016x}{:016x}", event.id.high, event.id.low));
    } else {
      file_.column(kIdText).PutNull();
    }
    file_.column(kDuplicate).PutTruth(IsDuplicate(event));
    for (std::size_t i = 0; i < task_.slice.filters->size(); ++i) {
      file_.column(kFirstFilter + i).PutTruth((event.passes >> i & 1) != 0);
    }
    file_.EndRow();
  }

  bool IsDuplicate(const BufferedEvent& event) const {
    return std::ranges::binary_search(
        task_.slice.logs->duplicates,
        EventPlace{event.partition, event.offset, event.edges_before});
  }

  const SliceTableTask& task_;
  const SliceOutline& outline_;
  ParquetFile& file_;
  std::uint32_t topic_ = 0;
  std::int32_t partition_ = 0;
  bool goes_on_ = true;
};

}  // namespace

Status WriteSliceTable(const SliceTableTask& task, SliceFacts& facts, const ParquetSizes& sizes) {
  const SliceOutline outline = OutlineOf(task);
  Result<ParquetFile> created = ParquetFile::Create(
      task.folder, task.file_name, ColumnsOf(task, outline), sizes, task.make_room);
  if (!created) return created.error();
  ParquetFile& file = created.value();
  SliceRows rows(task, outline, file);
  facts.partitions.clear();
  for (const PartitionLog& log : task.slice.logs->logs) {
    if (!rows.Put(log)) return file.failure() ? *file.failure() : StoppedExport();
    facts.partitions.push_back({.pair = task.partitions.At(log.partition()),
                                .rows = log.size(),
                                .first_offset = log.first_offset(),
                                .last_offset = log.last_offset()});
  }
  Result<WrittenTable> table = file.Finish();
  if (!table) return table.error();
  facts.table = std::move(table).value();
  facts.duplicates = task.slice.logs->duplicates.size();
  facts.has_reals = outline.has_reals;
  facts.filters = *task.slice.filters;
  facts.keys = task.keys.kind();
  return Ok{};
}

}  // namespace sash
