#include "connectors/export/slices/slice_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "connectors/export/export_file.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/stored_file.h"

namespace sash {
namespace {

constexpr std::string_view kTableEnding = ".parquet";
constexpr std::string_view kTextEnding = ".json";
constexpr std::string_view kUnfinishedTableEnding = ".parquet.new";
constexpr std::string_view kUnfinishedTextEnding = ".json.new";
constexpr std::size_t kMostManifestBytes = 64 << 20;

}  // namespace

Result<std::unique_ptr<SliceFolder>> SliceFolder::Open(const std::string& path) {
  Result<OwnedDescriptor> folder = OpenOwnFolder(path);
  if (!folder) return folder.error();
  return std::unique_ptr<SliceFolder>(new SliceFolder(path, std::move(folder).value()));
}

Result<std::vector<SliceFacts>> SliceFolder::Find() const {
  return FindSlices(folder_.number(), path_);
}

Result<std::vector<SliceFacts>> FindSlices(int folder, const std::string& path) {
  std::vector<SliceFacts> slices;
  for (const std::string& name : EntriesOf(folder, S_IFREG)) {
    const std::optional<std::uint64_t> number = SliceNumberIn(name, kTextEnding);
    if (!number) continue;
    const Result<std::string> text = ReadSmallFile(folder, name, kMostManifestBytes);
    if (!text) return text.error();
    Result<SliceFacts> facts = ParseSliceText(text.value());
    if (!facts) return std::move(facts).error().Within(path + "/" + name);
    if (facts.value().number != *number) {
      return Error{ErrorCode::kCorruption, path + "/" + name + ": it is the manifest of slice " +
                                               std::to_string(facts.value().number)};
    }
    slices.push_back(std::move(facts).value());
  }
  std::ranges::sort(slices, {}, &SliceFacts::number);
  return slices;
}

Status SliceFolder::Unlink(const std::string& name) const {
  if (::unlinkat(folder_.number(), name.c_str(), 0) == 0 || errno == ENOENT) return Ok{};
  return SystemFailure("remove " + path_ + "/" + name);
}

Status SliceFolder::RemoveTorn() const {
  const std::vector<std::string> names = EntriesOf(folder_.number(), S_IFREG);
  const std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> table = SliceNumberIn(name, kTableEnding);
    const bool is_torn = SliceNumberIn(name, kUnfinishedTableEnding) ||
                         SliceNumberIn(name, kUnfinishedTextEnding) ||
                         (table && !known.contains(SliceTextName(*table)));
    if (!is_torn) continue;
    if (Status removed = Unlink(name); !removed) return removed;
  }
  return Ok{};
}

std::string SliceFolder::UnfinishedTable(std::uint64_t number) {
  return SliceTableName(number) + std::string(kUnfinishedEnding);
}

void SliceFolder::GiveUp(std::uint64_t number) const {
  // What cannot be removed is removed at the next start.
  (void)Unlink(SliceTextName(number)).ok();
  (void)Unlink(SliceTextName(number) + std::string(kUnfinishedEnding)).ok();
  (void)Unlink(SliceTableName(number)).ok();
  (void)Unlink(UnfinishedTable(number)).ok();
}

Status SliceFolder::Complete(std::uint64_t number, std::string_view text) const {
  const int folder = folder_.number();
  const std::string table = SliceTableName(number);
  if (::renameat(folder, UnfinishedTable(number).c_str(), folder, table.c_str()) != 0) {
    return SystemFailure("rename " + table);
  }
  // The table's name is durable before the manifest's.
  if (::fsync(folder) != 0) return SystemFailure("fsync the folder");
  return WriteWhole(folder, SliceTextName(number), text);
}

Result<Removal> SliceFolder::Remove(std::uint64_t number) const {
  const std::string name = SliceTextName(number);
  // Held until the files are gone: a reader that gets its lock later sees that its file has no name
  // any more.
  const OwnedDescriptor text(
      ::openat(folder_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (text.is_open() && ::flock(text.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Removal::kLocked;
    return SystemFailure("lock " + path_ + "/" + name);
  }
  if (Status removed = Unlink(name); !removed) return removed.error();
  if (Status removed = Unlink(SliceTableName(number)); !removed) return removed.error();
  return Removal::kRemoved;
}

}  // namespace sash
