#include "daemon/pipeline/dry_run.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sash {
namespace {

// No receiver has this name, so alerts reach Tell() alone.
constexpr const char* kNoReceiver = "standard output";

Result<std::string> MakeTemporaryFolder() {
  std::error_code unknown;
  std::filesystem::path folder = std::filesystem::temp_directory_path(unknown);
  if (unknown) folder = "/tmp";
  std::string name = (folder / "sashd-dry-run-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("--dry-run: {}: {}", name,
                             std::error_code(errno, std::generic_category()).message())};
  }
  return name;
}

}  // namespace

Result<std::unique_ptr<DryRun>> DryRun::Prepare(Config& config) {
  if (config.alerts.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "alerts: there are none, and --replay --dry-run says which alerts would be sent"};
  }
  Result<std::string> folder = MakeTemporaryFolder();
  if (!folder) return folder.error();
  std::unique_ptr<DryRun> run(new DryRun());
  run->folder_ = std::move(folder).value();
  config.sinks.clear();
  config.exports.clear();
  config.source.dead_letters.path = run->folder_ + "/dead-letters.jsonl";
  const MutexLock lock(run->mutex_);
  for (AlertSpec& alert : config.alerts) {
    alert.to = {kNoReceiver};
    run->fired_[alert.name] = 0;
  }
  return run;
}

DryRun::~DryRun() {
  std::error_code unknown;  // a folder that stays does no harm
  std::filesystem::remove_all(folder_, unknown);
}

void DryRun::Tell(const std::string& alert, const std::string& json) {
  const MutexLock lock(mutex_);
  ++fired_[alert];
  if (error_ != 0) return;
  if (std::fputs((json + "\n").c_str(), stdout) == EOF) error_ = errno;
}

std::string DryRun::Failure() {
  const MutexLock lock(mutex_);
  if (std::fflush(stdout) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0) return {};
  return "standard output: " + std::error_code(error_, std::generic_category()).message();
}

std::string DryRun::Summary() const {
  const MutexLock lock(mutex_);
  std::uint64_t all = 0;
  std::string parts;
  for (const auto& [alert, count] : fired_) {
    all += count;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", alert, count);
  }
  return fmt::format("{} alerts would have been sent: {}", all, parts);
}

}  // namespace sash
