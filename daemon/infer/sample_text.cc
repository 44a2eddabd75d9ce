#include "daemon/infer/sample_text.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connectors/codec/foreign_format.h"
#include "connectors/replay/expanded_file.h"
#include "connectors/replay/replay_files.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

constexpr std::size_t kBlockBytes = 256 << 10;

Error Unreadable(const std::string& path, std::string_view why) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", NameOf({path}), why)};
}

}  // namespace

Result<SampleText> ReadSample(const std::string& path) {
  using Outcome = InputFile::Outcome;
  Result<std::unique_ptr<ExpandedFile>> opened = ExpandedFile::Open(path);
  if (!opened.ok()) return Unreadable(path, opened.error().message);
  ExpandedFile& input = *opened.value();
  SampleText sample{.is_whole = false};
  std::vector<char> block(kBlockBytes);
  auto heard = std::chrono::steady_clock::now();
  while (sample.text.size() < kMostSampleBytes) {
    const InputFile::Reading reading = input.Read(block, kSamplePatience);
    if (reading.outcome == Outcome::kFailed) return Unreadable(path, reading.why);
    if (reading.outcome == Outcome::kEnd) {
      sample.is_whole = true;
      break;
    }
    if (reading.outcome == Outcome::kBytes) {
      sample.text.append(block.data(), reading.bytes);
      heard = std::chrono::steady_clock::now();
    } else if (std::chrono::steady_clock::now() - heard >= kSamplePatience) {
      break;
    }
  }
  sample.compression = input.compression();
  if (const auto why = WhyForeignFile(std::string_view(sample.text).substr(0, kForeignHeadBytes))) {
    return Unreadable(path, *why);
  }
  if (const auto why = WhyForeignLines(sample.text)) return Unreadable(path, *why);
  if (sample.text.starts_with(kByteOrderMark)) sample.text.erase(0, kByteOrderMark.size());
  if (!sample.is_whole) sample.text.resize(sample.text.rfind('\n') + 1);  // npos + 1 is 0
  return sample;
}

}  // namespace sash
