#include "connectors/sinks/outbox_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>

#include "connectors/sinks/append_file.h"

namespace sash {
namespace {

constexpr std::string_view kReplayHead = "replay-";
constexpr std::string_view kEnding = ".jsonl";
constexpr std::size_t kNameDigits = 12;

Error FolderFailure(const std::string& folder, const std::error_code& why) {
  return {ErrorCode::kUnavailable, fmt::format("outbox {}: {}", folder, why.message())};
}

// The number in the name of an outbox file; no value for other names.
std::optional<std::uint64_t> OutboxNumberOf(std::string_view name, bool replay) {
  if (replay) {
    if (!name.starts_with(kReplayHead)) return std::nullopt;
    name.remove_prefix(kReplayHead.size());
  }
  if (name.size() != kNameDigits + kEnding.size() || !name.ends_with(kEnding)) return std::nullopt;
  std::uint64_t number = 0;
  const auto end = std::from_chars(name.data(), name.data() + kNameDigits, number);
  if (end.ec != std::errc() || end.ptr != name.data() + kNameDigits) return std::nullopt;
  return number;
}

}  // namespace

Result<std::vector<std::uint64_t>> OutboxFolder::Numbers() const {
  std::error_code failure;
  std::filesystem::create_directory(path_, failure);
  if (failure) return FolderFailure(path_, failure);
  std::vector<std::uint64_t> numbers;
  for (auto at = std::filesystem::directory_iterator(path_, failure);
       !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
    const auto number = OutboxNumberOf(at->path().filename().string(), replay_);
    if (number) numbers.push_back(*number);
  }
  if (failure) return FolderFailure(path_, failure);
  std::ranges::sort(numbers);
  return numbers;
}

std::string OutboxFolder::PathOf(std::uint64_t number) const {
  return fmt::format("{}/{}{:0{}}{}", path_, replay_ ? kReplayHead : "", number, kNameDigits,
                     kEnding);
}

void OutboxFolder::KeepDamaged(std::string_view line) const {
  Result<AppendFile> kept = AppendFile::Open(path_ + "/damaged");
  if (kept.ok()) static_cast<void>(kept.value().Append(std::string(line) + "\n"));
}

}  // namespace sash
