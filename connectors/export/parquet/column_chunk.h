// ColumnChunk: gathers the values of a column, encodes them page by page, and keeps the pages of a
// row group until that ends.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Each page is encoded in the way that is smallest: numbers by a dictionary while few are
//       distinct, whole numbers by differences, anything else plainly.
//   (2) A chunk is compressed if that makes its first page smaller by a twentieth.
//   (3) Each page has a checksum of its bytes as they are in the file.
//   (4) A page of texts ends early, before it has more than a mebibyte and one text.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/export/parquet/column_statistics.h"
#include "connectors/export/parquet/page_header.h"
#include "connectors/export/parquet/parquet_column.h"
#include "connectors/export/parquet/value_dictionary.h"
#include "connectors/export/parquet/zstd_packer.h"

namespace sash {

// What the footer states about a chunk. Offsets are in the file.
struct ChunkFacts {
  std::set<ParquetEncoding> encodings{};
  bool is_compressed = false;
  std::uint64_t rows = 0;
  std::uint64_t raw_bytes = 0;  // of pages and their headers, without compression
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> dictionary_at{};
  std::uint64_t begin = 0;  // of its first page
  std::uint64_t data_at = 0;
  ColumnStatistics statistics{};
};

class ColumnChunk {
 public:
  // At most `page_rows` rows are put before EndPage(). `packer` outlives the chunk.
  ColumnChunk(ParquetColumn column, std::uint64_t page_rows, ZstdPacker& packer);

  // One value for each row, of the column's type.
  void PutInteger(std::int64_t value) {  // also an instant
    numbers_[values_++] = value;
    PutLevel(1);
  }
  void PutReal(double value) { PutInteger(std::bit_cast<std::int64_t>(value)); }
  void PutWord(std::uint32_t place) { PutInteger(place); }
  void PutTruth(bool value) { PutInteger(value ? 1 : 0); }
  void PutText(std::string_view text);
  void PutNull() { PutLevel(0); }  // of optional columns

  void EndPage();
  std::uint64_t bytes() const { return pages_.size(); }  // of the pages so far

  // The chunk as bytes for the file, which has `begin` bytes now. The next chunk begins.
  std::pair<std::string, ChunkFacts> End(std::uint64_t begin);

 private:
  enum class DictionaryUse : std::uint8_t { kUndecided, kUsed, kEnded };

  void PutLevel(std::uint32_t level) {
    if (column_.is_optional) levels_[rows_] = level;
    ++rows_;
  }
  void TakeStatistics();
  ParquetEncoding EncodeValues();
  bool EncodeByDictionary();
  // Appends `body_` with its header.
  void AppendPage(const PageHeader& header, std::string& to);
  std::string DictionaryPage();

  const ParquetColumn column_;
  ZstdPacker& packer_;
  std::vector<std::int64_t> numbers_;  // of the page
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> places_;
  std::string texts_;
  std::size_t values_ = 0;
  std::size_t rows_ = 0;

  ValueDictionary dictionary_;
  DictionaryUse use_ = DictionaryUse::kUndecided;
  std::string deltas_;
  std::string body_;
  std::string packed_;
  std::string pages_;
  std::optional<bool> is_compressed_;  // nothing: no page yet
  ChunkFacts facts_;
};

}  // namespace sash
