#include "connectors/export/leases/chosen_snapshot.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/leases/lease_reader.h"
#include "connectors/export/leases/snapshot_facts.h"
#include "connectors/export/snapshot_name.h"

namespace sash {
namespace {

// The snapshot.json that is locked.
Result<std::string> ReadWhole(int text) {
  struct stat about {};
  if (::fstat(text, &about) != 0) return SystemFailure(std::string("read ") + kSnapshotText);
  return ReadBytes(text, 0, static_cast<std::size_t>(about.st_size), kSnapshotText);
}

}  // namespace

Result<ChosenSnapshot> ChooseSnapshot(const LeaseRequest& request, const SnapshotFolder& folder) {
  std::optional<ChosenSnapshot> newest;
  std::pair<std::string, std::int64_t> newest_end;
  std::optional<Error> broken;
  for (const FoundSnapshot& found : folder.SnapshotsOf(request.window)) {
    if (!found.is_whole) continue;
    OwnedDescriptor lock = folder.Lock(found.place);
    if (!lock.is_open()) continue;  // it was removed meanwhile
    const Result<std::string> text = ReadWhole(lock.number());
    Result<SnapshotFacts> facts = text ? ReadSnapshotFacts(text.value()) : text.error();
    if (!facts) {
      broken = std::move(facts).error();
      continue;
    }
    if (request.snapshot && facts.value().snapshot != *request.snapshot) continue;
    std::pair end(facts.value().window_end, found.written);
    if (newest && end < newest_end) continue;
    std::vector<LeasedFile> files = std::move(facts.value().files);
    std::erase_if(
        files, [&](const LeasedFile& file) { return !BelongsTo(file.name, request.directions); });
    newest.emplace(ChosenSnapshot{{.window = request.window,
                                   .client = request.client,
                                   .folder = found.place.name,
                                   .snapshot = facts.value().snapshot,
                                   .directions = request.directions,
                                   .files = std::move(files),
                                   .bytes = found.bytes},
                                  std::move(lock)});
    newest_end = std::move(end);
  }
  if (newest) return *std::move(newest);
  if (broken) return *std::move(broken);
  return Error{
      ErrorCode::kNotFound,
      request.snapshot
          ? fmt::format("window '{}' has no frozen snapshot {}; without `snapshot` the newest "
                        "one is leased",
                        request.window, *request.snapshot)
          : fmt::format("window '{}' has no frozen snapshot yet; ask for one with POST "
                        "/api/v1/windows/{}/exports",
                        request.window, request.window)};
}

}  // namespace sash
