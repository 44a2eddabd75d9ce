#include "connectors/export/parquet/parquet_outline.h"

#include <cstring>
#include <optional>
#include <utility>

#include "connectors/export/parquet/parquet_footer.h"
#include "connectors/export/parquet/thrift_reader.h"

namespace sash {
namespace {

constexpr std::string_view kOtherRows = "its row groups do not hold its rows";

Error Unreadable(std::string why) {
  return {ErrorCode::kCorruption, "read the footer: " + std::move(why)};
}

std::optional<ParquetType> TypeOf(std::int64_t physical) {
  switch (physical) {
    case 0:
      return ParquetType::kTruth;
    case 2:
      return ParquetType::kInteger;
    case 5:
      return ParquetType::kReal;
    case 6:
      return ParquetType::kText;
    default:
      return std::nullopt;
  }
}

Result<OutlinedColumn> ColumnOf(const ThriftValue& element) {
  const auto* const schema = std::get_if<ThriftStruct>(&element.value);
  if (schema == nullptr) return Unreadable("a column is damaged");
  OutlinedColumn column{.name = std::string(schema->Text(4).value_or(""))};
  const std::optional<ParquetType> type = TypeOf(schema->Number(1).value_or(-1));
  const std::int64_t repetition = schema->Number(3).value_or(-1);
  if (!type || schema->Number(5) || (repetition != 0 && repetition != 1)) {
    return Unreadable("the type of the column '" + column.name + "' is not one that is read");
  }
  column.type = *type;
  column.is_optional = repetition == 1;
  return column;
}

Result<ChunkPlace> ChunkOf(const ThriftValue& element, std::uint64_t file_bytes) {
  constexpr std::int64_t kUncompressed = 0;
  constexpr std::int64_t kZstd = 6;
  const auto* const chunk = std::get_if<ThriftStruct>(&element.value);
  const ThriftStruct* const facts = chunk == nullptr ? nullptr : chunk->Struct(3);
  if (facts == nullptr) return Unreadable("a column of a row group is damaged");
  const std::int64_t codec = facts->Number(4).value_or(-1);
  if (codec != kUncompressed && codec != kZstd) {
    return Unreadable("its compression is neither none nor zstd");
  }
  const std::int64_t begin = facts->Number(11).value_or(facts->Number(9).value_or(-1));
  const std::int64_t bytes = facts->Number(7).value_or(-1);
  const std::int64_t rows = facts->Number(5).value_or(-1);
  if (begin < 0 || bytes < 0 || rows < 0 || static_cast<std::uint64_t>(begin) > file_bytes ||
      static_cast<std::uint64_t>(bytes) > file_bytes - static_cast<std::uint64_t>(begin)) {
    return Unreadable("a column of a row group lies outside of the file");
  }
  return ChunkPlace{.begin = static_cast<std::uint64_t>(begin),
                    .bytes = static_cast<std::uint64_t>(bytes),
                    .rows = static_cast<std::uint64_t>(rows),
                    .is_compressed = codec == kZstd};
}

Result<GroupOutline> GroupOf(const ThriftValue& element, std::size_t columns,
                             std::uint64_t file_bytes) {
  const auto* const group = std::get_if<ThriftStruct>(&element.value);
  const ThriftList* const chunks = group == nullptr ? nullptr : group->List(1);
  const std::int64_t rows = group == nullptr ? -1 : group->Number(3).value_or(-1);
  if (chunks == nullptr || chunks->size() != columns || rows < 0) {
    return Unreadable("a row group is damaged");
  }
  GroupOutline outline{.rows = static_cast<std::uint64_t>(rows)};
  for (const ThriftValue& each : *chunks) {
    Result<ChunkPlace> place = ChunkOf(each, file_bytes);
    if (!place) return place.error();
    if (place.value().rows != outline.rows) {
      return Unreadable("the columns of a row group have different numbers of rows");
    }
    outline.chunks.push_back(place.value());
  }
  return outline;
}

}  // namespace

Result<std::uint64_t> FooterBytes(std::string_view tail, std::uint64_t file_bytes) {
  std::uint32_t length = 0;
  if (tail.size() != kParquetTailBytes || !tail.ends_with(kParquetMagic)) {
    return Unreadable("the file does not end as Parquet does");
  }
  std::memcpy(&length, tail.data(), sizeof length);
  if (file_bytes < kParquetTailBytes || length > file_bytes - kParquetTailBytes) {
    return Unreadable("it is longer than the file");
  }
  return std::uint64_t{length};
}

Result<ParquetOutline> ParseFooter(std::string_view footer, std::uint64_t file_bytes) {
  const std::optional<ThriftStruct> top = ThriftReader(footer).Struct();
  const ThriftList* const schema = top ? top->List(2) : nullptr;
  const ThriftList* const groups = top ? top->List(4) : nullptr;
  const std::int64_t rows = top ? top->Number(3).value_or(-1) : -1;
  if (schema == nullptr || schema->empty() || groups == nullptr || rows < 0) {
    return Unreadable("it is damaged");
  }
  ParquetOutline outline{.rows = static_cast<std::uint64_t>(rows)};
  // The first element is the table itself.
  for (std::size_t i = 1; i < schema->size(); ++i) {
    Result<OutlinedColumn> column = ColumnOf((*schema)[i]);
    if (!column) return column.error();
    outline.columns.push_back(std::move(column).value());
  }
  std::uint64_t left = outline.rows;
  for (const ThriftValue& each : *groups) {
    Result<GroupOutline> group = GroupOf(each, outline.columns.size(), file_bytes);
    if (!group) return group.error();
    if (group.value().rows > left) return Unreadable(std::string(kOtherRows));
    left -= group.value().rows;
    outline.groups.push_back(std::move(group).value());
  }
  if (left > 0) return Unreadable(std::string(kOtherRows));
  return outline;
}

}  // namespace sash
