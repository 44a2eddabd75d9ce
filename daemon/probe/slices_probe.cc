#include "daemon/probe/slices_probe.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/stored_stream.h"
#include "connectors/export/snapshots/snapshot_source.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr const char* kAt = "source.export.path";
constexpr const char* kRemedy =
    "give the folder of an export with `slices: true`, or that of a window or snapshot";

void ProbeSnapshot(const std::string& path, Findings& findings) {
  const OwnedDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) {
    return findings.Fail(kAt, SystemFailure("open " + path).message, kRemedy);
  }
  const Result<StoredSnapshot> snapshot = StoredSnapshot::Open(folder.number());
  if (!snapshot) return findings.Fail(kAt, snapshot.error().message, kRemedy);
  const SnapshotManifest& manifest = snapshot.value().manifest();
  findings.Ok(kAt,
              fmt::format("`{}`: snapshot {} of window `{}`, which ends at {}: {} edges, {} "
                          "vertices",
                          path, manifest.snapshot, manifest.window, TimeText(manifest.window_end),
                          manifest.edge_count, snapshot.value().keys().size()));
}

}  // namespace

void ProbeSlices(const SliceSourceSpec& spec, Findings& findings) {
  const OwnedDescriptor folder(::open(spec.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) {
    return findings.Fail(kAt, SystemFailure("open " + spec.path).message, kRemedy);
  }
  if (const auto snapshot = FindSnapshot(spec.path)) return ProbeSnapshot(*snapshot, findings);
  const Result<StoredStream> found = StoredStream::Find(spec.path);
  if (!found) return findings.Fail(kAt, found.error().message, kRemedy);
  const StoredStream& stream = found.value();
  if (stream.slices.empty()) {
    return findings.Fail(kAt, fmt::format("`{}` has no slices", spec.path), kRemedy);
  }
  const std::size_t folders = stream.folders.size();
  findings.Ok(
      kAt, fmt::format("`{}`: {} slices{} from {} to {}", spec.path, stream.slices.size(),
                       folders > 1 ? fmt::format(" of {} shards", folders) : "",
                       TimeText(stream.slices.front().begin), TimeText(stream.slices.back().end)));
  if (!stream.unfinished) return;
  findings.Warn(kAt,
                fmt::format("`{}`: {} slices that end after {} are not read", spec.path,
                            stream.unfinished->count, TimeText(stream.unfinished->closed_until)),
                fmt::format("wait until {} has closed them too", stream.unfinished->behind));
}

}  // namespace sash
