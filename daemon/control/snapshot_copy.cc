#include "daemon/control/snapshot_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "connectors/export/snapshot_name.h"
#include "daemon/control/json_value.h"

namespace sash {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{100};

Error Failed(const std::string& what, const std::error_code& why) {
  return Error{ErrorCode::kUnavailable, fmt::format("{}: {}", what, why.message())};
}

std::error_code LastError() { return {errno, std::generic_category()}; }

// Holds a file open, and with it its lock.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  bool is_open() const { return number_ >= 0; }
  // False: the file was removed before.
  bool Lock() const {
    struct stat about = {};
    return ::flock(number_, LOCK_SH) == 0 && ::fstat(number_, &about) == 0 && about.st_nlink > 0;
  }
  Status Sync(const fs::path& path) const {
    if (number_ >= 0 && ::fsync(number_) == 0) return Ok();
    return Failed("make durable " + path.string(), LastError());
  }

 private:
  int number_;
};

struct Found {
  fs::path folder;
  OpenFile lock;
  JsonValue about;
};

std::optional<Found> Find(const ExportedSnapshot& wanted, std::error_code& why) {
  for (const fs::directory_entry& each : fs::directory_iterator(wanted.folder, why)) {
    std::ifstream text(each.path() / kSnapshotText);
    if (!text) continue;
    Result<JsonValue> about = ReadJson(
        std::string(std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()));
    if (!about || about.value()["snapshot"].text != wanted.number ||
        about.value()["window_end"].text != wanted.window_end) {
      continue;
    }
    OpenFile lock(each.path() / kSnapshotText);
    if (lock.is_open() && lock.Lock()) {
      return Found{each.path(), std::move(lock), std::move(about).value()};
    }
  }
  return std::nullopt;
}

Status CopyOne(const fs::path& from, const fs::path& to) {
  std::error_code why;
  fs::copy_file(from, to, why);
  if (why) return Failed(fmt::format("copy {} to {}", from.string(), to.string()), why);
  return OpenFile(to).Sync(to);
}

Status CopyFiles(const Found& found, const fs::path& to) {
  for (const JsonMember& file : found.about["files"].members) {
    // Names of files alone: the manifest is of another process.
    if (fs::path(file.name).filename() != file.name) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} names the file `{}`", kSnapshotText, file.name)};
    }
    if (Status copied = CopyOne(found.folder / file.name, to / file.name); !copied.ok()) {
      return copied;
    }
  }
  const fs::path unfinished = to / kUnfinishedText;
  if (Status copied = CopyOne(found.folder / kSnapshotText, unfinished); !copied.ok())
    return copied;
  std::error_code why;
  fs::rename(unfinished, to / kSnapshotText, why);
  if (why) return Failed("rename " + unfinished.string(), why);
  return OpenFile(to).Sync(to);
}

}  // namespace

Status FitsCopy(const std::string& to) {
  std::error_code why;
  if (!fs::exists(to, why)) return Ok();
  if (fs::is_directory(to, why) && fs::is_empty(to, why) && !why) return Ok();
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("DIR: {} is not an empty folder; give a new one", to)};
}

Status CopySnapshot(const ExportedSnapshot& wanted, const std::string& to,
                    std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  std::error_code why;
  std::optional<Found> found = Find(wanted, why);
  while (!found && !why && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kBetweenLooks);
    found = Find(wanted, why);
  }
  if (why) {
    return Failed(fmt::format("{} cannot be read here; DIR works on the host of sashd, for its "
                              "user and group",
                              wanted.folder),
                  why);
  }
  if (!found) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("snapshot {} is not in {} after {} s; the log of sashd and "
                             "sash_export_failing say why",
                             wanted.number, wanted.folder, patience.count())};
  }
  fs::create_directories(to, why);
  if (why) return Failed("create " + to, why);
  return CopyFiles(*found, to);
}

}  // namespace sash
