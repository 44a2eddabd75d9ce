#include "daemon/alerts/alert_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "connectors/sinks/result_checksum.h"

namespace sash {

Result<std::unique_ptr<AlertStore>> AlertStore::Open(const std::string& state_path) {
  std::error_code failed;
  std::filesystem::create_directory(state_path, failed);  // a missing folder is reported below
  Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::Open(state_path + "/alerts");
  if (!folder) return std::move(folder).error().Within("state.path");
  return std::unique_ptr<AlertStore>(new AlertStore(std::move(folder).value()));
}

Result<std::string> AlertStore::Read() const {
  Result<std::string> state = folder_->Read(kName);
  if (!state) {
    if (state.error().code == ErrorCode::kNotFound) return std::string();
    return state;
  }
  if (CheckResult(state.value()) != ResultChecksum::kRight) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}: is damaged: its checksum is wrong; move it away, then alerts "
                             "begin without their earlier state",
                             place())};
  }
  return state;
}

Status AlertStore::Save(std::string_view state) {
  Result<std::unique_ptr<FileWriter>> file = folder_->Create(kNextName);
  if (!file) return std::move(file).error();
  if (Status added = file.value()->Append(WithChecksum(std::string(state))); !added) return added;
  if (Status synced = file.value()->Sync(); !synced) return synced;
  if (Status renamed = folder_->Rename(kNextName, kName); !renamed) return renamed;
  return folder_->Sync();
}

}  // namespace sash
