#include "daemon/probe/slices_probe.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/slice_folder.h"
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
  const Result<std::vector<SliceFacts>> slices = FindSlices(folder.number(), spec.path);
  if (!slices) return findings.Fail(kAt, slices.error().message, kRemedy);
  if (slices.value().empty()) {
    return findings.Fail(kAt, fmt::format("`{}` has no slices", spec.path), kRemedy);
  }
  findings.Ok(kAt, fmt::format("`{}`: {} slices from {} to {}", spec.path, slices.value().size(),
                               TimeText(slices.value().front().begin),
                               TimeText(slices.value().back().end)));
}

}  // namespace sash
