#include "daemon/probe/slices_probe.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/slice_folder.h"
#include "connectors/sinks/time_text.h"

namespace sash {

void ProbeSlices(const SliceSourceSpec& spec, Findings& findings) {
  constexpr const char* kAt = "source.export.path";
  constexpr const char* kRemedy = "give the folder of an export with `slices: true`";
  const OwnedDescriptor folder(
      ::open(spec.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) {
    return findings.Fail(kAt, SystemFailure("open " + spec.path).message, kRemedy);
  }
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
