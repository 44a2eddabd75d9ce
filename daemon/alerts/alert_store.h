// AlertStore: the state of the alerts on disk: a folder `alerts` in state.path, with one file.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The file is replaced as a whole: after a crash it holds the state before or after Save().
//   (2) The folder is locked while the store is open, so no other process writes the state.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "windows/base/result.h"
#include "windows/durable/posix_folder.h"

namespace sash {

class AlertStore {
 public:
  // Creates the folders if they are missing. An error names the folder.
  static Result<std::unique_ptr<AlertStore>> Open(const std::string& state_path);

  // The state as it was saved last; empty: there is none. kCorruption: its checksum is wrong.
  Result<std::string> Read() const;
  // Makes the state durable.
  Status Save(std::string_view state);

  std::string place() const { return folder_->path() + "/" + kName; }

 private:
  static constexpr const char* kName = "state.json";
  static constexpr const char* kNextName = "state.json.next";

  explicit AlertStore(std::unique_ptr<PosixFolder> folder) : folder_(std::move(folder)) {}

  const std::unique_ptr<PosixFolder> folder_;
};

}  // namespace sash
