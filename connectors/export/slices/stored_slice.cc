#include "connectors/export/slices/stored_slice.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "windows/ingest/operation_name.h"

namespace sash {
namespace {

// The columns that are read; those of filters follow. `time` and `weight` of whole numbers repeat
// other columns.
enum StoredColumn : std::size_t {
  kStoredSource,
  kStoredTarget,
  kStoredOperation,
  kStoredWeight,
  kStoredWholeWeight,
  kStoredType,
  kStoredNanoseconds,
  kStoredTopic,
  kStoredPartition,
  kStoredOffset,
  kStoredPlace,
  kStoredId,
  kStoredDuplicate,
  kFirstStoredFilter,
};

struct WantedColumn {
  std::string name{};
  ParquetType type = ParquetType::kInteger;
};

std::vector<WantedColumn> WantedColumns(const SliceFacts& facts) {
  const ParquetType key =
      facts.keys == KeyKind::kInteger ? ParquetType::kInteger : ParquetType::kText;
  std::vector<WantedColumn> wanted = {{"source", key},
                                      {"target", key},
                                      {"operation", ParquetType::kText},
                                      {"weight", ParquetType::kReal},
                                      {"weight_int64", ParquetType::kInteger},
                                      {"type", ParquetType::kText},
                                      {"time_ns", ParquetType::kInteger},
                                      {"topic", ParquetType::kText},
                                      {"partition", ParquetType::kInteger},
                                      {"offset", ParquetType::kInteger},
                                      {"place", ParquetType::kInteger},
                                      {"id", ParquetType::kText},
                                      {"duplicate", ParquetType::kTruth}};
  for (std::size_t i = 0; i < facts.filters.size(); ++i) {
    wanted.push_back({FilterColumn(i), ParquetType::kTruth});
  }
  return wanted;
}

std::optional<Operation> OperationOf(std::string_view word) {
  for (const Operation operation :
       {Operation::kAdd, Operation::kRemove, Operation::kRemoveVertex}) {
    if (word == OperationName(operation)) return operation;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> HexadecimalOf(std::string_view text) {
  constexpr int kHexadecimal = 16;
  std::uint64_t number = 0;
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, kHexadecimal);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<StoredSlice> StoredSlice::Open(int folder, const SliceFacts& facts) {
  if (facts.table.name != SliceTableName(facts.number)) {
    return Error{ErrorCode::kCorruption,
                 SliceTextName(facts.number) + ": `file` names another table"};
  }
  Result<ParquetTable> table = ParquetTable::Open(folder, facts.table);
  if (!table) return table.error();
  std::vector<std::size_t> places;
  for (const WantedColumn& wanted : WantedColumns(facts)) {
    const std::optional<std::size_t> place = table.value().Find(wanted.name, wanted.type);
    if (!place) {
      return Error{ErrorCode::kCorruption, facts.table.name + ": it has no column '" + wanted.name +
                                               "' of the type that its manifest states"};
    }
    places.push_back(*place);
  }
  return StoredSlice(std::move(table).value(), std::move(places), facts);
}

bool StoredSlice::Fail(std::string_view why) {
  failure_ = Error{ErrorCode::kCorruption, std::string(why)};
  rows_left_ = 0;
  next_group_ = table_.outline().groups.size();
  return false;
}

bool StoredSlice::NextGroup() {
  while (rows_left_ == 0) {
    if (next_group_ == table_.outline().groups.size()) return false;
    Result<ParquetTable::Columns> columns = table_.ReadGroup(next_group_, places_);
    if (!columns) {
      failure_ = columns.error();
      next_group_ = table_.outline().groups.size();
      return false;
    }
    columns_ = std::move(columns).value();
    rows_left_ = table_.outline().groups[next_group_++].rows;
  }
  return true;
}

bool StoredSlice::AdvanceColumns() {
  for (const auto& column : columns_) {
    if (column->Next()) continue;
    if (column->failure()) return Fail(column->failure()->message);
    return Fail("a column ends before the others");
  }
  return true;
}

const SliceRow* StoredSlice::Next() {
  if (!NextGroup() || !AdvanceColumns()) return nullptr;
  --rows_left_;
  const std::optional<Operation> operation = OperationOf(columns_[kStoredOperation]->text());
  if (!operation) {
    Fail("`operation` has an unknown word");
    return nullptr;
  }
  row_.operation = *operation;
  if (!TakeKeys() || !TakeWeight() || !TakePlace() || !TakeId()) return nullptr;
  const ColumnCursor& type = *columns_[kStoredType];
  row_.type = type.is_null() ? std::string_view() : type.text();
  row_.time = EventTime(Duration(columns_[kStoredNanoseconds]->number()));
  row_.is_duplicate = columns_[kStoredDuplicate]->number() != 0;
  row_.passes = 0;
  for (std::size_t i = 0; i < filters_; ++i) {
    const auto bit = static_cast<FilterBits>(columns_[kFirstStoredFilter + i]->number() & 1);
    row_.passes |= bit << i;
  }
  return &row_;
}

bool StoredSlice::TakeKeys() {
  const ColumnCursor& source = *columns_[kStoredSource];
  const ColumnCursor& target = *columns_[kStoredTarget];
  const bool has_target = row_.operation != Operation::kRemoveVertex;
  if (source.is_null() || target.is_null() == has_target) {
    return Fail("`source` or `target` is null where it must not be, or the reverse");
  }
  if (keys_ == KeyKind::kInteger) {
    row_.source_number = source.number();
    row_.target_number = has_target ? target.number() : 0;
    return true;
  }
  row_.source = source.text();
  row_.target = has_target ? target.text() : std::string_view();
  if (row_.source.empty() || (has_target && row_.target.empty())) return Fail("a key is empty");
  return true;
}

bool StoredSlice::TakeWeight() {
  const ColumnCursor& whole = *columns_[kStoredWholeWeight];
  const double real = columns_[kStoredWeight]->real();
  if (whole.is_null() && !std::isfinite(real)) return Fail("a weight is not a finite number");
  row_.weight = whole.is_null() ? Weight::Real(real) : Weight::Integer(whole.number());
  return true;
}

bool StoredSlice::TakePlace() {
  const std::int64_t partition = columns_[kStoredPartition]->number();
  const std::int64_t place = columns_[kStoredPlace]->number();
  row_.topic = columns_[kStoredTopic]->text();
  row_.offset = columns_[kStoredOffset]->number();
  if (partition < 0 || partition > std::numeric_limits<std::int32_t>::max() || place < 0 ||
      place >= static_cast<std::int64_t>(kMostEdgesOfARecord) || row_.offset < 0) {
    return Fail("`partition`, `offset` or `place` is out of its range");
  }
  row_.partition = static_cast<std::int32_t>(partition);
  row_.place = static_cast<std::uint32_t>(place);
  return true;
}

bool StoredSlice::TakeId() {
  constexpr std::size_t kHalf = 16;
  row_.id = {};
  const ColumnCursor& id = *columns_[kStoredId];
  if (id.is_null()) return true;
  const std::string_view text = id.text();
  if (text.size() != 2 * kHalf) return Fail("an `id` does not have 32 hexadecimal digits");
  const std::optional<std::uint64_t> high = HexadecimalOf(text.substr(0, kHalf));
  const std::optional<std::uint64_t> low = HexadecimalOf(text.substr(kHalf));
  if (!high || !low) return Fail("an `id` does not have 32 hexadecimal digits");
  row_.id = {.high = *high, .low = *low};
  return true;
}

}  // namespace sash
