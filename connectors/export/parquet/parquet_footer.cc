#include "connectors/export/parquet/parquet_footer.h"

#include <cstring>

#include "connectors/export/parquet/compact_thrift.h"

namespace sash {
namespace {

using enum CompactThrift::Type;

std::int64_t Signed(std::uint64_t number) { return static_cast<std::int64_t>(number); }

std::int32_t PhysicalType(ParquetType type) {
  constexpr std::int32_t kBoolean = 0;
  constexpr std::int32_t kInt64 = 2;
  constexpr std::int32_t kDouble = 5;
  constexpr std::int32_t kByteArray = 6;
  switch (type) {
    case ParquetType::kInteger:
    case ParquetType::kMicros:
      return kInt64;
    case ParquetType::kReal:
      return kDouble;
    case ParquetType::kTruth:
      return kBoolean;
    case ParquetType::kText:
    case ParquetType::kWord:
      break;
  }
  return kByteArray;
}

// The meaning of the bytes, for older readers and in the newer form.
void WriteMeaning(ParquetType type, CompactThrift& thrift) {
  constexpr int kConverted = 6;
  constexpr int kLogical = 10;
  switch (type) {
    case ParquetType::kInteger:
      thrift.I32(kConverted, 18).BeginStruct(kLogical).BeginStruct(10);
      thrift.Byte(1, 64).Bool(2, true).EndStruct().EndStruct();
      return;
    case ParquetType::kMicros:
      thrift.I32(kConverted, 10).BeginStruct(kLogical).BeginStruct(8);
      thrift.Bool(1, true).BeginStruct(2).BeginStruct(2).EndStruct().EndStruct();
      thrift.EndStruct().EndStruct();
      return;
    case ParquetType::kReal:
    case ParquetType::kTruth:
      return;
    case ParquetType::kText:
    case ParquetType::kWord:
      thrift.I32(kConverted, 0).BeginStruct(kLogical).BeginStruct(1).EndStruct().EndStruct();
  }
}

void WriteSchema(const std::vector<ParquetColumn>& columns, CompactThrift& thrift) {
  constexpr std::int32_t kRequired = 0;
  constexpr std::int32_t kOptional = 1;
  thrift.List(2, kStruct, columns.size() + 1);
  thrift.BeginElement().Binary(4, "schema");
  thrift.I32(5, static_cast<std::int32_t>(columns.size())).EndStruct();
  for (const ParquetColumn& column : columns) {
    thrift.BeginElement().I32(1, PhysicalType(column.type));
    thrift.I32(3, column.is_optional ? kOptional : kRequired).Binary(4, column.name);
    WriteMeaning(column.type, thrift);
    thrift.EndStruct();
  }
}

void WriteStatistics(const ColumnStatistics& statistics, CompactThrift& thrift) {
  thrift.BeginStruct(12).I64(3, Signed(statistics.nulls()));
  if (const auto greatest = statistics.greatest()) thrift.Binary(5, *greatest);
  if (const auto least = statistics.least()) thrift.Binary(6, *least);
  thrift.EndStruct();
}

void WriteChunk(const ParquetColumn& column, const ChunkFacts& chunk, CompactThrift& thrift) {
  constexpr std::int32_t kUncompressed = 0;
  constexpr std::int32_t kZstd = 6;
  thrift.BeginElement().I64(2, Signed(chunk.begin)).BeginStruct(3);
  thrift.I32(1, PhysicalType(column.type)).List(2, kI32, chunk.encodings.size());
  for (const ParquetEncoding encoding : chunk.encodings) {
    thrift.Element(static_cast<std::int32_t>(encoding));
  }
  thrift.List(3, kBinary, 1).Element(std::string_view(column.name));
  thrift.I32(4, chunk.is_compressed ? kZstd : kUncompressed).I64(5, Signed(chunk.rows));
  thrift.I64(6, Signed(chunk.raw_bytes)).I64(7, Signed(chunk.bytes));
  thrift.I64(9, Signed(chunk.data_at));
  if (chunk.dictionary_at) thrift.I64(11, Signed(*chunk.dictionary_at));
  WriteStatistics(chunk.statistics, thrift);
  thrift.EndStruct().EndStruct();
}

void WriteGroup(const std::vector<ParquetColumn>& columns, const RowGroupFacts& group,
                std::size_t number, CompactThrift& thrift) {
  std::uint64_t raw_bytes = 0;
  std::uint64_t bytes = 0;
  thrift.BeginElement().List(1, kStruct, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    WriteChunk(columns[i], group.chunks[i], thrift);
    raw_bytes += group.chunks[i].raw_bytes;
    bytes += group.chunks[i].bytes;
  }
  thrift.I64(2, Signed(raw_bytes)).I64(3, Signed(group.rows));
  thrift.I64(5, Signed(group.chunks[0].begin)).I64(6, Signed(bytes));
  thrift.I16(7, static_cast<std::int16_t>(number)).EndStruct();
}

}  // namespace

std::string FooterText(const std::vector<ParquetColumn>& columns,
                       const std::vector<RowGroupFacts>& groups) {
  constexpr std::int32_t kFormatVersion = 2;
  std::uint64_t rows = 0;
  for (const RowGroupFacts& group : groups) rows += group.rows;
  std::string text;
  CompactThrift thrift(text);
  thrift.I32(1, kFormatVersion);
  WriteSchema(columns, thrift);
  thrift.I64(3, Signed(rows)).List(4, kStruct, groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) WriteGroup(columns, groups[i], i, thrift);
  thrift.Binary(6, "sash version " SASH_VERSION);
  // All columns are ordered as their types say; without this, readers ignore the statistics.
  thrift.List(7, kStruct, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    thrift.BeginElement().BeginStruct(1).EndStruct().EndStruct();
  }
  thrift.EndStruct();
  const auto length = static_cast<std::uint32_t>(text.size());
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  return text.append(bytes, sizeof length).append(kParquetMagic);
}

}  // namespace sash
