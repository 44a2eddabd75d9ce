#include "connectors/sinks/result_checksum.h"

#include <fmt/format.h>

#include "windows/base/checksum.h"

namespace sash {
namespace {

constexpr std::string_view kChecksumHead = R"(,"crc32c":")";
constexpr std::size_t kChecksumBytes = kChecksumHead.size() + 10;  // digits, quote, brace

std::string MemberFor(std::string_view before) {
  return fmt::format("{}{:08x}\"}}", kChecksumHead, Crc32c(before));
}

}  // namespace

std::string WithChecksum(std::string result) {
  result.pop_back();
  result += MemberFor(result);
  return result;
}

ResultChecksum CheckResult(std::string_view line) {
  if (line.size() < kChecksumBytes) return ResultChecksum::kNone;
  const std::string_view before = line.substr(0, line.size() - kChecksumBytes);
  const std::string_view member = line.substr(before.size());
  if (!member.starts_with(kChecksumHead)) return ResultChecksum::kNone;
  return member == MemberFor(before) ? ResultChecksum::kRight : ResultChecksum::kWrong;
}

}  // namespace sash
