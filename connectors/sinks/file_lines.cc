#include "connectors/sinks/file_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sash {
namespace {

// Whether `tail`, a line without its end, can be the beginning of a line that begins with `head`.
// Zeros at its end are ignored: a file system may leave them in place of data lost in a power cut.
bool BeginsLike(std::string_view tail, std::string_view head) {
  tail = tail.substr(0, tail.find_last_not_of('\0') + 1);
  const std::size_t count = std::min(tail.size(), head.size());
  return tail.substr(0, count) == head.substr(0, count);
}

}  // namespace

Status CutTornLine(AppendFile& file, std::string_view head) {
  constexpr std::uint64_t kChunk = 1 << 16;
  std::vector<char> chunk(kChunk);
  const std::uint64_t end = file.size();
  std::uint64_t begin = end;  // of the last line
  for (bool found = false; begin > 0 && !found;) {
    const std::uint64_t from = begin - std::min(begin, kChunk);
    Result<std::size_t> count = file.Read(from, std::span(chunk).first(begin - from));
    if (!count) return std::move(count).error();
    const std::size_t newline = std::string_view(chunk.data(), count.value()).rfind('\n');
    found = newline != std::string_view::npos;
    begin = found ? from + newline + 1 : from;
  }
  if (begin == end) return Ok{};
  Result<std::size_t> count =
      file.Read(begin, std::span(chunk).first(std::min<std::uint64_t>(end - begin, head.size())));
  if (!count) return std::move(count).error();
  if (!BeginsLike({chunk.data(), count.value()}, head)) {
    return Error{
        ErrorCode::kCorruption,
        fmt::format("{}: its last line was not written by sash; move the file away or name "
                    "another",
                    file.path())};
  }
  return file.CutTo(begin);
}

Result<std::string> FirstLine(const AppendFile& file) {
  std::string line(64 << 10, '\0');
  Result<std::size_t> count = file.Read(0, line);
  if (!count) return std::move(count).error();
  line.resize(count.value());
  return line.substr(0, line.find('\n'));
}

Status ReadLines(const AppendFile& file, const std::function<Status(std::string_view)>& visit) {
  std::vector<char> chunk(1 << 20);
  std::string line;
  for (std::uint64_t offset = 0;;) {
    Result<std::size_t> count = file.Read(offset, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) return Ok{};
    offset += count.value();
    for (std::string_view rest(chunk.data(), count.value()); !rest.empty();) {
      const std::size_t newline = rest.find('\n');
      line += rest.substr(0, newline);
      if (newline == std::string_view::npos) break;
      if (Status visited = visit(line); !visited) return visited;
      line.clear();
      rest.remove_prefix(newline + 1);
    }
  }
}

Status EmptyIfOurs(AppendFile& file, std::string_view head,
                   const std::function<bool(std::string_view)>& is_ours) {
  if (file.size() == 0) return file.CutTo(0);
  Result<std::string> line = FirstLine(file);
  if (!line) return std::move(line).error();
  const bool torn = line.value().size() == file.size() && line.value()[0] != '\0';
  if (is_ours(line.value()) || (torn && BeginsLike(line.value(), head))) return file.CutTo(0);
  return Error{
      ErrorCode::kCorruption,
      fmt::format("{}:1: not written by sash, so it is not overwritten; move the file away "
                  "or name another",
                  file.path())};
}

}  // namespace sash
