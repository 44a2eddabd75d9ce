// SliceFolder: the folder of exported slices. It has a table and a manifest for each slice.
//
// Thread safety: belongs to one thread at a time, except path().
//
// Invariants
//   (1) A slice exists when its manifest does. That file comes last when a slice is written, and
//       goes first when it is removed. A table never has its final name before it is whole.
//   (2) A slice is removed only while no process holds a lock (flock) on its manifest.
//   (3) Only files that Sash writes are removed, and links are never followed.
//   (4) Only one process uses the folder, and it belongs to the user of that process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/slice_facts.h"
#include "connectors/export/snapshot_folder.h"
#include "windows/base/result.h"

namespace sash {

class SliceFolder {
 public:
  // As OpenOwnFolder().
  static Result<std::unique_ptr<SliceFolder>> Open(const std::string& path);

  const std::string& path() const { return path_; }
  int descriptor() const { return folder_.number(); }

  // The slices that exist, ascending. kCorruption: a manifest is damaged, with its name.
  Result<std::vector<SliceFacts>> Find() const;
  // Removes the files of slices that do not exist: what an interrupted process left.
  Status RemoveTorn() const;

  // The name of the table while it is written.
  static std::string UnfinishedTable(std::uint64_t number);
  // Removes what there is of a slice that could not be completed.
  void GiveUp(std::uint64_t number) const;
  // The table is whole and durable under that name, and `text` is the manifest: the slice exists
  // from now on.
  Status Complete(std::uint64_t number, std::string_view text) const;

  Result<Removal> Remove(std::uint64_t number) const;

 private:
  SliceFolder(std::string path, OwnedDescriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  Status Unlink(const std::string& name) const;

  const std::string path_;
  const OwnedDescriptor folder_;
};

// The slices in a folder with this path and descriptor, which may belong to another process:
// SliceFolder::Find().
Result<std::vector<SliceFacts>> FindSlices(int folder, const std::string& path);

}  // namespace sash
