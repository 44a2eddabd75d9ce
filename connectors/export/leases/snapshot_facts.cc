#include "connectors/export/leases/snapshot_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "connectors/export/snapshot_name.h"
#include "windows/base/checksum.h"
#include "windows/base/json_nesting.h"

namespace sash {
namespace {

constexpr int kHexadecimal = 16;

std::uint32_t ChecksumOf(const std::string& digits) {
  std::uint32_t checksum = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), checksum, kHexadecimal);
  return checksum;
}

// Without "Z", a text with more decimals comes after its beginning.
std::string OrderedEnd(const nlohmann::json& end) {
  if (!end.is_string()) return {};
  std::string text = end.get<std::string>();
  if (text.ends_with('Z')) text.pop_back();
  return text;
}

}  // namespace

Result<SnapshotFacts> ReadSnapshotFacts(std::string_view text) try {
  if (IsNestedTooDeeply(text)) throw std::invalid_argument(std::string(kNestedTooDeeply));
  const nlohmann::json json = nlohmann::json::parse(text);
  SnapshotFacts facts{.snapshot = json.at("snapshot").get<std::uint64_t>(),
                      .window_end = OrderedEnd(json.at("window_end"))};
  for (const auto& [name, about] : json.at("files").items()) {
    facts.files.push_back({name, about.at("bytes").get<std::uint64_t>(),
                           ChecksumOf(about.at("crc32c").get<std::string>())});
  }
  facts.files.push_back({kSnapshotText, text.size(), Crc32c(text)});
  return facts;
} catch (const std::exception& wrong) {
  return Error{ErrorCode::kCorruption, fmt::format("read {}: {}", kSnapshotText, wrong.what())};
}

bool BelongsTo(std::string_view file, LeasedDirections directions) {
  if (file.starts_with("out.")) return directions != LeasedDirections::kIn;
  if (file.starts_with("in.")) return directions != LeasedDirections::kOut;
  return true;
}

}  // namespace sash
