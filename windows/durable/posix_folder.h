// PosixFolder: a folder of the file system.
//
// Thread safety: as documented in Folder. The object does not change while it is open.
//
// Invariants
//   (1) A folder that was opened for writing is locked: no other process writes in it.
//   (2) After another process has moved, deleted or replaced the folder, changes in it fail. They
//       work again when the folder is back at its path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "windows/durable/folder.h"

namespace sash {

class PosixFolder final : public Folder {
 public:
  // Creates the folder if it is missing (but not its parent), and locks it. kOverloaded: another
  // process has the lock.
  static Result<std::unique_ptr<PosixFolder>> Open(const std::string& path);
  // Neither creates nor locks the folder.
  static Result<std::unique_ptr<PosixFolder>> OpenToRead(const std::string& path);
  ~PosixFolder() override;

  const std::string& path() const override { return path_; }
  Result<std::unique_ptr<FileWriter>> Create(const std::string& name) override;
  // Create() and reads accept regular files only: a pipe in place of a file would block the
  // process.
  Result<std::string> Read(const std::string& name) const override;
  Result<std::string> ReadWanted(const std::string& name, const Wanted& wanted) const override;
  Result<std::uint64_t> Size(const std::string& name) const override;
  Result<std::vector<std::string>> List() const override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& name) override;
  Status Sync() override;

 private:
  PosixFolder(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  Status CheckPlace(const std::string& what) const;  // (2)

  const std::string path_;
  const int descriptor_;
};

}  // namespace sash
