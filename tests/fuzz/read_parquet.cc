// Claims about exports that are read: any file is a table, or is refused with a reason; a column
// that is read has all of its rows, or ends with a reason, equally with and without compression; a
// row of a slice is valid; and a manifest is read again as it is written.
#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/export/own_folder.h"
#include "connectors/export/parquet/packed_numbers.h"
#include "connectors/export/parquet/page_header.h"
#include "connectors/export/parquet/parquet_table.h"
#include "connectors/export/parquet/unpacked_numbers.h"
#include "connectors/export/slices/shard_facts.h"
#include "connectors/export/slices/stored_slice.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"
#include "windows/base/checksum.h"

namespace sash::fuzz {
namespace {

constexpr std::uint64_t kMostRows = 1 << 16;  // that are read of a file

// What a column has: its values as text.
struct ReadColumn {
  std::vector<std::string> values{};
  std::string failure{};
  friend bool operator==(const ReadColumn&, const ReadColumn&) = default;
};

ReadColumn ReadOut(ColumnCursor& cursor, ParquetType type) {
  ReadColumn read;
  while (read.values.size() < kMostRows && cursor.Next()) {
    if (cursor.is_null()) {
      read.values.emplace_back("null");
    } else if (type == ParquetType::kText) {
      read.values.emplace_back(cursor.text());
    } else {
      SASH_CHECK(type != ParquetType::kTruth || cursor.number() == 0 || cursor.number() == 1);
      read.values.push_back(std::to_string(cursor.number()));
    }
  }
  if (cursor.failure()) {
    read.failure = cursor.failure()->message;
    SASH_CHECK(!read.failure.empty());
    SASH_CHECK(!cursor.Next());
  }
  return read;
}

// The pages of a column of one row group.
class PageList {
 public:
  explicit PageList(bool compresses) : compresses_(compresses) {}

  void Add(bool is_dictionary, std::uint64_t values, ParquetEncoding encoding,
           std::string_view body) {
    std::string packed(body);
    if (compresses_) {
      packed.resize(ZSTD_compressBound(body.size()));
      packed.resize(ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), 1));
    }
    bytes_ += PageHeader{.is_dictionary = is_dictionary,
                         .values = values,
                         .encoding = encoding,
                         .raw_bytes = body.size(),
                         .bytes = packed.size(),
                         .checksum = Crc32(packed)}
                  .Text();
    bytes_ += packed;
  }

  ReadColumn Read(const OutlinedColumn& column, std::uint64_t rows) const {
    const ChunkPlace place{.bytes = bytes_.size(), .rows = rows, .is_compressed = compresses_};
    ColumnCursor cursor(column, place, bytes_);
    ReadColumn read = ReadOut(cursor, column.type);
    SASH_CHECK(read.values.size() <= rows);
    SASH_CHECK(read.values.size() == rows || !read.failure.empty() || rows > kMostRows);
    return read;
  }

 private:
  const bool compresses_;
  std::string bytes_;
};

// Integers that were read are read again when they are written.
void CheckDeltas(const std::vector<std::string>& values) {
  std::vector<std::int64_t> numbers;
  for (const std::string& value : values) {
    if (value != "null") numbers.push_back(std::stoll(value));
  }
  std::string bytes;
  AppendDeltas(numbers, bytes);
  std::vector<std::int64_t> again;
  SASH_CHECK(ReadDeltas(bytes, numbers.size(), again) && again == numbers);
}

// A column whose pages the input has.
void ReadPages(Choices& choices) {
  constexpr ParquetType kTypes[] = {ParquetType::kInteger, ParquetType::kText, ParquetType::kReal,
                                    ParquetType::kTruth};
  constexpr ParquetEncoding kEncodings[] = {ParquetEncoding::kPlain, ParquetEncoding::kPlaces,
                                            ParquetEncoding::kDeltas, ParquetEncoding::kRuns};
  constexpr std::size_t kByteValues = 256;
  OutlinedColumn column{.name = "c"};
  column.type = kTypes[choices.Below(std::size(kTypes))];
  column.is_optional = choices.Below(2) == 1;
  const std::size_t in_dictionary = choices.Below(kByteValues);
  const ParquetEncoding encoding = kEncodings[choices.Below(std::size(kEncodings))];
  // A row group may state any number of rows.
  const unsigned shift = static_cast<unsigned>(choices.Below(64));
  const std::uint64_t rows = std::uint64_t{choices.Below(kByteValues)} << shift;
  const std::size_t words = choices.Below(kByteValues);
  const std::string_view bodies = choices.rest();
  const std::string_view dictionary = bodies.substr(0, words);
  const std::string_view body = bodies.substr(dictionary.size());
  std::optional<ReadColumn> before;
  for (const bool compresses : {false, true}) {
    PageList pages(compresses);
    if (in_dictionary > 0) {
      pages.Add(true, in_dictionary, ParquetEncoding::kPlain, dictionary);
    }
    pages.Add(false, rows, encoding, body);
    ReadColumn read = pages.Read(column, rows);
    if (before) SASH_CHECK(read == *before);
    before = std::move(read);
  }
  if (column.type == ParquetType::kInteger) CheckDeltas(before->values);
}

WrittenTable WriteTable(int folder, std::string_view bytes) {
  WrittenTable written{.name = SliceTableName(1), .bytes = bytes.size()};
  written.checksum = Crc32c(bytes);
  const OwnedDescriptor file(
      ::openat(folder, written.name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));
  SASH_CHECK(file.is_open());
  SASH_CHECK(::write(file.number(), bytes.data(), bytes.size()) ==
             static_cast<ssize_t>(bytes.size()));
  // As its footer states, since the manifest is not what is tested.
  const std::size_t tail = std::min(bytes.size(), kParquetTailBytes);
  const Result<std::uint64_t> footer = FooterBytes(bytes.substr(bytes.size() - tail), bytes.size());
  if (!footer) return written;
  const std::string_view text =
      bytes.substr(bytes.size() - kParquetTailBytes - footer.value(), footer.value());
  const Result<ParquetOutline> outline = ParseFooter(text, bytes.size());
  if (outline) written.rows = outline.value().rows;
  return written;
}

void ReadTable(int folder, const WrittenTable& written) {
  const Result<ParquetTable> table = ParquetTable::Open(folder, written);
  if (!table) {
    SASH_CHECK(table.error().code == ErrorCode::kCorruption && !table.error().message.empty());
    return;
  }
  const ParquetOutline& outline = table.value().outline();
  std::uint64_t rows = 0;
  for (std::size_t group = 0; group < outline.groups.size(); ++group) {
    for (std::size_t i = 0; i < outline.columns.size(); ++i) {
      const Result<ParquetTable::Columns> columns = table.value().ReadGroup(group, {&i, 1});
      SASH_CHECK(columns);
      const ReadColumn read = ReadOut(*columns.value().front(), outline.columns[i].type);
      SASH_CHECK(read.values.size() <= outline.groups[group].rows);
    }
    rows += outline.groups[group].rows;
  }
  SASH_CHECK(rows == outline.rows);
}

void ReadSlice(int folder, const WrittenTable& written, KeyKind keys, std::size_t filters) {
  const SliceFacts facts{
      .number = 1, .filters = FilterTexts(filters), .keys = keys, .table = written};
  Result<StoredSlice> slice = StoredSlice::Open(folder, facts);
  if (!slice) {
    SASH_CHECK(slice.error().code == ErrorCode::kCorruption && !slice.error().message.empty());
    return;
  }
  std::uint64_t rows = 0;
  while (const SliceRow* const row = slice.value().Next()) {
    const bool has_target = row->operation != Operation::kRemoveVertex;
    if (keys == KeyKind::kString) {
      SASH_CHECK(!row->source.empty() && row->target.empty() != has_target);
    }
    SASH_CHECK(std::isfinite(row->weight.AsDouble()));
    SASH_CHECK(row->partition >= 0 && row->offset >= 0);
    SASH_CHECK(row->passes >> filters == 0);
    if (++rows == kMostRows) return;
  }
  SASH_CHECK(rows == written.rows || slice.value().failure());
}

void ReadFile(Choices& choices) {
  static const testing::SharedFolder scratch;
  const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, scratch.File("."));
  SASH_CHECK(folder.is_open());
  const KeyKind keys = choices.Below(2) == 0 ? KeyKind::kString : KeyKind::kInteger;
  const std::size_t filters = choices.Below(3);
  const WrittenTable written = WriteTable(folder.number(), choices.rest());
  ReadTable(folder.number(), written);
  ReadSlice(folder.number(), written, keys, filters);
}

template <typename Parse, typename Write>
void ReadManifest(std::string_view text, Parse parse, Write write) {
  const auto facts = parse(text);
  if (!facts) {
    SASH_CHECK(facts.error().code == ErrorCode::kCorruption && !facts.error().message.empty());
    return;
  }
  const std::string written = write(facts.value());
  const auto again = parse(written);
  SASH_CHECK(again && write(again.value()) == written);
}

}  // namespace

void ReadParquet(std::string_view input) {
  Choices choices(input);
  switch (choices.Below(4)) {
    case 0:
      return ReadPages(choices);
    case 1:
      return ReadFile(choices);
    case 2:
      return ReadManifest(choices.rest(), ParseSliceText, SliceText);
    default:
      return ReadManifest(choices.rest(), ParseShardText, ShardText);
  }
}

}  // namespace sash::fuzz
