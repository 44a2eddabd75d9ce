// FrozenFormat: snapshots as arrays that other processes map. connectors/export/README.md describes
// the files.
//
// Thread safety: stateless.
#pragma once

#include <string>

#include "connectors/export/snapshot_format.h"

namespace sash {

class FrozenFormat final : public SnapshotFormat {
 public:
  // kInvalidArgument: the window has more vertices than an int32 can number.
  Result<std::string> Write(const SnapshotTask& task) const override;
};

}  // namespace sash
