#include "daemon/probe/place_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <variant>

#include "daemon/memory/memory_limit.h"

namespace sash {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGrant = "make it writable for the user that sashd runs as";

// Why this process may not access the path; checked with its effective rights.
std::optional<std::string> WhyNot(const fs::path& path, int rights) {
  if (::faccessat(AT_FDCWD, path.c_str(), rights, AT_EACCESS) == 0) return std::nullopt;
  return std::system_category().message(errno);
}

fs::path FolderAround(const fs::path& path) {
  const fs::path folder =
      path.has_filename() ? path.parent_path() : path.parent_path().parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// Whether a file can be created in `folder`; reports why not.
bool CanHold(const std::string& where, const std::string& path, const fs::path& folder,
             Findings& findings) {
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown)) {
    findings.Fail(
        where, fmt::format("`{}` cannot be made: there is no folder `{}`", path, folder.string()),
        "create that folder; sashd creates only the last one");
    return false;
  }
  if (const auto why = WhyNot(folder, W_OK | X_OK)) {
    findings.Fail(where,
                  fmt::format("`{}` cannot be written: `{}`: {}", path, folder.string(), *why),
                  kGrant);
    return false;
  }
  return true;
}

// "; 12.3 GiB are free", or a warning when that is less than `need`.
void TellWritable(const std::string& where, const std::string& what, const fs::path& folder,
                  std::uint64_t need, Findings& findings) {
  std::error_code unknown;
  const fs::space_info space = fs::space(folder, unknown);
  if (unknown) {
    findings.Ok(where, what);
    return;
  }
  const std::string use = fmt::format("{}; {} are free there", what, SizeText(space.available));
  if (space.available < need) {
    findings.Warn(where, fmt::format("{}, and up to {} may be needed", use, SizeText(need)),
                  "make room, or lower its limit");
  } else {
    findings.Ok(where, use);
  }
}

}  // namespace

void ProbeFilePlace(const std::string& where, const std::string& path, Findings& findings) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (fs::is_directory(status)) {
    findings.Fail(where, fmt::format("`{}` is a folder", path), "name a file");
  } else if (!fs::exists(status)) {
    const fs::path folder = FolderAround(path);
    if (!CanHold(where, path, folder, findings)) return;
    TellWritable(where, fmt::format("`{}` is not there yet and can be made", path), folder, 0,
                 findings);
  } else if (const auto why = WhyNot(path, W_OK)) {
    findings.Fail(where, fmt::format("`{}` cannot be written: {}", path, *why), kGrant);
  } else if (fs::is_regular_file(status)) {
    TellWritable(where, fmt::format("`{}` can be written", path), FolderAround(path), 0, findings);
  } else {
    findings.Ok(where, fmt::format("`{}` can be written", path));
  }
}

void ProbeFolderPlace(const std::string& where, const std::string& path, std::uint64_t need,
                      Findings& findings) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  const bool is_there = fs::exists(status);
  if (is_there && !fs::is_directory(status)) {
    findings.Fail(where, fmt::format("`{}` is not a folder", path), "name a folder");
    return;
  }
  const fs::path folder = is_there ? fs::path(path) : FolderAround(path);
  if (!CanHold(where, path, folder, findings)) return;
  TellWritable(where,
               fmt::format("`{}` {}", path,
                           is_there ? "can be written" : "is not there yet and can be made"),
               folder, need, findings);
}

void ProbePlaces(const Config& config, Findings& findings) {
  if (!config.memory.spill.empty()) {
    ProbeFolderPlace("memory.spill", config.memory.spill, 0, findings);
  }
  if (config.recovery.kind == RecoveryConfig::Kind::kCheckpoint || config.recovery.is_placed ||
      !config.alerts.empty()) {
    ProbeFolderPlace("state.path", config.recovery.path, 0, findings);
  }
  const DeadLetterSpec& letters = config.source.dead_letters;
  ProbeFilePlace("source.dead_letters.path", letters.path, findings);
  if (letters.kafka) {
    ProbeFolderPlace("source.dead_letters.outbox.path", letters.kafka->outbox.path,
                     letters.kafka->outbox.limit_bytes, findings);
  }
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    const std::string where = fmt::format("sinks[{}]", i);
    if (const auto* file = std::get_if<FileSinkSpec>(&config.sinks[i])) {
      ProbeFilePlace(where + ".file.path", file->path, findings);
    } else if (const auto* kafka = std::get_if<KafkaSinkSpec>(&config.sinks[i])) {
      ProbeFolderPlace(where + ".kafka.outbox.path", kafka->outbox.path, kafka->outbox.limit_bytes,
                       findings);
    } else if (const auto* webhook = std::get_if<WebhookSinkSpec>(&config.sinks[i])) {
      ProbeFolderPlace(where + ".webhook.outbox.path", webhook->outbox.path,
                       webhook->outbox.limit_bytes, findings);
    }
  }
  for (std::size_t i = 0; i < config.exports.size(); ++i) {
    const ExportSpec& spec = config.exports[i];
    ProbeFolderPlace(ExportKey(config.exports[i], i, "path"), spec.path, spec.limit_bytes,
                     findings);
  }
}

}  // namespace sash
