#include "connectors/sinks/outbox_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

std::optional<std::vector<std::uint32_t>> MessageLengths(std::string_view line,
                                                         std::string_view head, LineSeal seal) {
  if (seal == LineSeal::kWrong || line.size() >= kLongestOutboxLine) return std::nullopt;
  std::vector<std::uint32_t> lengths;
  for (bool more = true; more;) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with(head) || tab == std::string_view::npos) return std::nullopt;
    const std::size_t end = line.find('\t', tab + 1);
    more = end != std::string_view::npos;
    const std::string_view message = line.substr(0, end);
    if (seal == LineSeal::kNone && (!nlohmann::json::accept(message.substr(0, tab)) ||
                                    !nlohmann::json::accept(message.substr(tab + 1)))) {
      return std::nullopt;
    }
    lengths.push_back(static_cast<std::uint32_t>(message.size() + 1));
    if (more) line.remove_prefix(end + 1);
  }
  return lengths;
}

}  // namespace sash
