#include "connectors/export/export_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "windows/base/checksum.h"

namespace sash {
namespace {

constexpr mode_t kExportFileMode = 0640;

}  // namespace

Result<ExportFile> ExportFile::Create(int folder, std::string_view name) {
  std::string text(name);
  OwnedDescriptor file(::openat(
      folder, text.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kExportFileMode));
  if (!file.is_open()) return SystemFailure("create " + text);
  if (::fchmod(file.number(), kExportFileMode) != 0) return SystemFailure("create " + text);
  return ExportFile(std::move(file), std::move(text));
}

void ExportFile::Append(std::string_view bytes) {
  if (failure_) return;
  checksum_ = Crc32c(bytes, checksum_);
  while (!bytes.empty()) {
    const ssize_t some = ::write(file_.number(), bytes.data(), bytes.size());
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) {
      failure_ = SystemFailure("write " + name_);
      return;
    }
    written_ += static_cast<std::uint64_t>(some);
    bytes.remove_prefix(static_cast<std::size_t>(some));
  }
}

Status ExportFile::Finish() {
  if (failure_) return *failure_;
  if (::fsync(file_.number()) != 0) return SystemFailure("fsync " + name_);
  return Ok{};
}

Status WriteWhole(int folder, const std::string& name, std::string_view text) {
  const std::string unfinished = name + std::string(kUnfinishedEnding);
  if (::unlinkat(folder, unfinished.c_str(), 0) != 0 && errno != ENOENT) {
    return SystemFailure("remove " + unfinished);
  }
  Result<ExportFile> file = ExportFile::Create(folder, unfinished);
  if (!file) return file.error();
  file.value().Append(text);
  if (Status written = file.value().Finish(); !written) return written;
  if (::renameat(folder, unfinished.c_str(), folder, name.c_str()) != 0) {
    return SystemFailure("rename " + name);
  }
  if (::fsync(folder) != 0) return SystemFailure("fsync the folder");
  return Ok{};
}

}  // namespace sash
