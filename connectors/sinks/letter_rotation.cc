#include "connectors/sinks/letter_rotation.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/held_letters.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kChunk = 1 << 18;

std::string RotatingPath(const std::string& path) { return path + std::string(kRotatingEnding); }

// A rotation writes its file at once and does not sync it. So after a power cut any part of the
// file, even its first line, can be missing or zeros.
bool IsCutLetterLine(std::string_view line) {
  const std::string_view written = line.substr(0, line.find('\0'));
  return IsLetterLine(line) ||
         written.substr(0, kDeadLetterHead.size()) == kDeadLetterHead.substr(0, written.size());
}

Result<std::uint64_t> CountLines(const AppendFile& file, std::uint64_t until) {
  std::vector<char> chunk(kChunk);
  std::uint64_t lines = 0;
  for (std::uint64_t at = 0; at < until;) {
    Result<std::size_t> count =
        file.Read(at, std::span(chunk).first(std::min<std::uint64_t>(kChunk, until - at)));
    if (!count) return std::move(count).error();
    if (count.value() == 0) break;
    lines += static_cast<std::uint64_t>(std::count(
        chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count.value()), '\n'));
    at += count.value();
  }
  return lines;
}

// The offset of the first line that begins at `from` (> 0) or later.
Result<std::uint64_t> LineBeginAfter(const AppendFile& file, std::uint64_t from) {
  std::vector<char> chunk(kChunk);
  for (std::uint64_t at = from - 1;;) {
    Result<std::size_t> count = file.Read(at, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) return at;
    const std::size_t newline = std::string_view(chunk.data(), count.value()).find('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
    at += count.value();
  }
}

}  // namespace

Status RemoveRotating(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(RotatingPath(path), unknown)) return Ok{};
  Result<AppendFile> file = AppendFile::Open(RotatingPath(path));
  if (!file) return std::move(file).error();
  if (Status empty = EmptyIfOurs(file.value(), kDeadLetterHead, IsCutLetterLine); !empty)
    return empty;
  std::filesystem::remove(RotatingPath(path), unknown);
  return Ok{};
}

Result<std::uint64_t> DropOlderLines(AppendFile& file, const std::string& path,
                                     std::uint64_t keep) {
  SASH_CHECK(file.size() > keep);
  Result<std::uint64_t> from = LineBeginAfter(file, file.size() - keep);
  if (!from) return from;
  Result<std::uint64_t> leaving = CountLines(file, from.value());
  if (!leaving) return leaving;
  if (Status removed = RemoveRotating(path); !removed) return std::move(removed).error();
  Result<AppendFile> newer = AppendFile::Open(RotatingPath(path));
  if (!newer) return std::move(newer).error();
  file.CopyModeTo(newer.value());
  Status copied = newer.value().AppendFrom(file, from.value());
  if (copied.ok()) copied = newer.value().RenameTo(path);
  if (!copied) {
    std::error_code ignored;
    std::filesystem::remove(RotatingPath(path), ignored);
    return std::move(copied).error();
  }
  file = std::move(newer).value();
  return leaving;
}

}  // namespace sash
