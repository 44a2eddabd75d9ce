#include "connectors/export/parquet/parquet_file.h"

#include <utility>

#include "connectors/export/snapshot_format.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::uint64_t kMostGroupBytes = 64 << 20;  // long keys make a row group shorter

}  // namespace

Result<ParquetFile> ParquetFile::Create(int folder, std::string_view name,
                                        std::vector<ParquetColumn> columns,
                                        const ParquetSizes& sizes, MakeRoom make_room) {
  SASH_CHECK(sizes.page > 0 && sizes.group % sizes.page == 0);
  Result<ExportFile> file = ExportFile::Create(folder, name);
  if (!file) return file.error();
  return ParquetFile(std::move(file).value(), name, std::move(columns), sizes,
                     std::move(make_room));
}

ParquetFile::ParquetFile(ExportFile file, std::string_view name, std::vector<ParquetColumn> columns,
                         const ParquetSizes& sizes, MakeRoom make_room)
    : file_(std::move(file)),
      name_(name),
      columns_(std::move(columns)),
      sizes_(sizes),
      make_room_(std::move(make_room)),
      packer_(std::make_unique<ZstdPacker>()) {
  for (const ParquetColumn& column : columns_) chunks_.emplace_back(column, sizes_.page, *packer_);
  file_.Append(kParquetMagic);
}

bool ParquetFile::HasRoom(std::uint64_t more) {
  if (failure()) return false;
  if (make_room_(file_.bytes() + more)) return true;
  failure_ = BeyondLimit();
  return false;
}

void ParquetFile::EndPages() {
  std::uint64_t bytes = 0;
  for (ColumnChunk& chunk : chunks_) {
    chunk.EndPage();
    bytes += chunk.bytes();
  }
  group_rows_ += page_rows_;
  rows_ += std::exchange(page_rows_, 0);
  if (group_rows_ == sizes_.group || bytes >= kMostGroupBytes) EndGroup();
}

void ParquetFile::EndGroup() {
  if (group_rows_ == 0) return;
  RowGroupFacts group{.rows = std::exchange(group_rows_, 0)};
  std::vector<std::string> chunks;
  std::uint64_t bytes = 0;
  std::uint64_t begin = file_.bytes();
  for (ColumnChunk& chunk : chunks_) {
    auto [text, facts] = chunk.End(begin + bytes);
    bytes += text.size();
    chunks.push_back(std::move(text));
    group.chunks.push_back(std::move(facts));
  }
  groups_.push_back(std::move(group));
  if (!HasRoom(bytes)) return;
  for (const std::string& chunk : chunks) file_.Append(chunk);
}

Result<WrittenTable> ParquetFile::Finish() {
  EndPages();
  EndGroup();
  const std::string footer = FooterText(columns_, groups_);
  if (!HasRoom(footer.size())) return *failure();
  file_.Append(footer);
  if (Status done = file_.Finish(); !done) return done.error();
  return WrittenTable{name_, rows_, file_.bytes(), file_.checksum()};
}

}  // namespace sash
