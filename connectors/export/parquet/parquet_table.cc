#include "connectors/export/parquet/parquet_table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>

#include "windows/base/checksum.h"

namespace sash {
namespace {

// Replaces `to` by the bytes from `begin` on. False: they cannot be read, and errno says why; or
// the file ends before (errno is 0).
bool ReadAt(int file, std::uint64_t begin, std::uint64_t size, std::string& to) {
  to.resize(size);
  for (std::uint64_t have = 0; have < size;) {
    errno = 0;
    const ssize_t some =
        ::pread(file, to.data() + have, size - have, static_cast<off_t>(begin + have));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    have += static_cast<std::uint64_t>(some);
  }
  return true;
}

Error CannotRead() {
  if (errno == 0) return {ErrorCode::kCorruption, "it became shorter while it was read"};
  return SystemFailure("read");
}

Status CheckBytes(int file, const WrittenTable& written) {
  constexpr std::uint64_t kBlock = 1 << 20;
  std::uint32_t checksum = 0;
  std::string block;
  for (std::uint64_t at = 0; at < written.bytes; at += kBlock) {
    if (!ReadAt(file, at, std::min(kBlock, written.bytes - at), block)) return CannotRead();
    checksum = Crc32c(block, checksum);
  }
  if (checksum == written.checksum) return Ok{};
  return Error{ErrorCode::kCorruption,
               fmt::format("its CRC-32C is {:08x}, and its manifest states {:08x}", checksum,
                           written.checksum)};
}

Result<ParquetOutline> ReadOutline(int file, std::uint64_t bytes) {
  std::string text;
  const std::uint64_t tail = std::min<std::uint64_t>(bytes, kParquetTailBytes);
  if (!ReadAt(file, bytes - tail, tail, text)) return CannotRead();
  const Result<std::uint64_t> footer = FooterBytes(text, bytes);
  if (!footer) return footer.error();
  const std::uint64_t begin = bytes - kParquetTailBytes - footer.value();
  if (!ReadAt(file, begin, footer.value(), text)) return CannotRead();
  return ParseFooter(text, bytes);
}

}  // namespace

Result<ParquetTable> ParquetTable::Open(int folder, const WrittenTable& written) {
  OwnedDescriptor file(::openat(folder, written.name.c_str(),
                                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return SystemFailure("open " + written.name);
  }
  if (!S_ISREG(about.st_mode) || static_cast<std::uint64_t>(about.st_size) != written.bytes) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}: it has {} bytes, and its manifest states {}", written.name,
                             about.st_size, written.bytes)};
  }
  if (Status same = CheckBytes(file.number(), written); !same) {
    return std::move(same).error().Within(written.name);
  }
  Result<ParquetOutline> outline = ReadOutline(file.number(), written.bytes);
  if (!outline) return std::move(outline).error().Within(written.name);
  if (outline.value().rows != written.rows) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}: it has {} rows, and its manifest states {}", written.name,
                             outline.value().rows, written.rows)};
  }
  return ParquetTable(std::move(file), std::move(outline).value());
}

std::optional<std::size_t> ParquetTable::Find(std::string_view name, ParquetType type) const {
  for (std::size_t i = 0; i < outline_.columns.size(); ++i) {
    if (outline_.columns[i].name == name && outline_.columns[i].type == type) return i;
  }
  return std::nullopt;
}

Result<ParquetTable::Columns> ParquetTable::ReadGroup(std::size_t group,
                                                      std::span<const std::size_t> columns) const {
  Columns cursors;
  for (const std::size_t column : columns) {
    const ChunkPlace& place = outline_.groups[group].chunks[column];
    std::string bytes;
    if (!ReadAt(file_.number(), place.begin, place.bytes, bytes)) return CannotRead();
    cursors.push_back(
        std::make_unique<ColumnCursor>(outline_.columns[column], place, std::move(bytes)));
  }
  return cursors;
}

}  // namespace sash
