#include "connectors/sinks/outbox_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "windows/base/checksum.h"

namespace sash {
namespace {

constexpr std::string_view kSealHead = "\t#";

}  // namespace

std::string SealOf(std::string_view file, std::uint64_t offset, std::string_view messages) {
  std::string covered = fmt::format("{}@{}\n", file, offset);
  covered += messages;
  return fmt::format("{}{:08x}", kSealHead, Crc32c(covered));
}

LineSeal TakeSeal(std::string_view file, std::uint64_t offset, std::string_view& line) {
  if (line.size() < kSealBytes) return LineSeal::kNone;
  const std::string_view seal = line.substr(line.size() - kSealBytes);
  const bool is_seal =
      seal.starts_with(kSealHead) && std::ranges::all_of(seal.substr(kSealHead.size()), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      });
  if (!is_seal) return LineSeal::kNone;
  line.remove_suffix(kSealBytes);
  return SealOf(file, offset, line) == seal ? LineSeal::kRight : LineSeal::kWrong;
}

}  // namespace sash
