// PosixFolder: a folder of the file system.
//
// Thread safety: that of Folder. Nothing of it changes while it is open.
//
// Invariants
//   (1) Who may write in it has locked it: no other process writes there meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "windows/durable/folder.h"

namespace sash {

class PosixFolder final : public Folder {
 public:
  // Creates the folder, but not the one around it, and locks it. kOverloaded: somebody else has.
  static Result<std::unique_ptr<PosixFolder>> Open(const std::string& path);
  // Neither creates nor locks.
  static Result<std::unique_ptr<PosixFolder>> OpenToRead(const std::string& path);
  ~PosixFolder() override;

  const std::string& path() const override { return path_; }
  Result<std::unique_ptr<FileWriter>> Create(const std::string& name) override;
  // Only regular files are read and written: a pipe in the place of one would hold the process.
  Result<std::string> Read(const std::string& name) const override;
  Result<std::string> ReadWanted(const std::string& name, const Wanted& wanted) const override;
  Result<std::vector<std::string>> List() const override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& name) override;
  Status Sync() override;

 private:
  PosixFolder(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  const std::string path_;
  const int descriptor_;
};

}  // namespace sash
