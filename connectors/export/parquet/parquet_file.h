// ParquetFile: writes a table as a Parquet file, row by row. README.md says what it uses of the
// format.
//
//   Result<ParquetFile> file = ParquetFile::Create(folder, "t.parquet", {{"a"}, {"b"}}, {}, room);
//   file.value().column(0).PutInteger(1);
//   file.value().column(1).PutInteger(2);
//   file.value().EndRow();
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Memory holds a page of values, and the encoded pages of a row group, for each column.
//   (2) After an error nothing more is written; Finish() returns the first error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/export_file.h"
#include "connectors/export/parquet/column_chunk.h"
#include "connectors/export/parquet/parquet_column.h"
#include "connectors/export/parquet/parquet_footer.h"
#include "connectors/export/parquet/zstd_packer.h"
#include "windows/base/result.h"

namespace sash {

// A whole file.
struct WrittenTable {
  std::string name{};
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32C
};

class ParquetFile {
 public:
  // Asked before the file becomes larger: whether it may have so many bytes.
  using MakeRoom = std::function<bool(std::uint64_t bytes)>;

  // `folder`: the descriptor of the folder in which the file is created.
  static Result<ParquetFile> Create(int folder, std::string_view name,
                                    std::vector<ParquetColumn> columns, const ParquetSizes& sizes,
                                    MakeRoom make_room);

  ColumnChunk& column(std::size_t i) { return chunks_[i]; }
  // Every column has got a value, or none if it is optional.
  void EndRow() {
    if (++page_rows_ == sizes_.page) EndPages();
  }

  std::uint64_t rows() const { return rows_ + page_rows_; }
  // The first error; none so far.
  const std::optional<Error>& failure() const { return failure_ ? failure_ : file_.failure(); }

  // Makes the file durable.
  Result<WrittenTable> Finish();

 private:
  ParquetFile(ExportFile file, std::string_view name, std::vector<ParquetColumn> columns,
              const ParquetSizes& sizes, MakeRoom make_room);

  void EndPages();
  void EndGroup();
  bool HasRoom(std::uint64_t more);

  ExportFile file_;
  const std::string name_;
  const std::vector<ParquetColumn> columns_;
  const ParquetSizes sizes_;
  const MakeRoom make_room_;
  std::unique_ptr<ZstdPacker> packer_;
  std::vector<ColumnChunk> chunks_;
  std::vector<RowGroupFacts> groups_;
  std::uint64_t page_rows_ = 0;   // of the page that is being filled
  std::uint64_t group_rows_ = 0;  // of the row group, in pages that have ended
  std::uint64_t rows_ = 0;        // in all pages that have ended
  std::optional<Error> failure_;
};

}  // namespace sash
