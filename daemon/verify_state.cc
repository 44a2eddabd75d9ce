#include "daemon/verify_state.h"

#include <fmt/format.h>

#include <memory>

#include "daemon/exit_code.h"
#include "windows/durable/posix_folder.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash {

Verdict VerifyState(const std::string& path) {
  const Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::OpenToRead(path);
  if (!folder)
    return {.summary = {}, .faults = folder.error().message + "\n", .code = kExitFailure};
  const Result<CheckpointFindings> read = VerifyCheckpoint(*folder.value());
  if (!read) return {.summary = {}, .faults = read.error().message + "\n", .code = kExitFailure};
  const CheckpointFindings& findings = read.value();
  Verdict verdict;
  for (const std::string& fault : findings.faults) verdict.faults += fault + "\n";
  if (!findings.faults.empty()) verdict.code = kExitFailure;
  verdict.summary =
      fmt::format("{}: {}: {} files, {} bytes, {} slices with {} events, {} rounds since then\n",
                  path, findings.faults.empty() ? "sound" : "damaged", findings.files,
                  findings.bytes, findings.slices, findings.events, findings.rounds);
  if (!findings.journal_remark.empty()) {
    verdict.summary +=
        fmt::format("{}: not all of the journal is read: {}\n", path, findings.journal_remark);
  }
  for (const std::string& stray : findings.strays) {
    verdict.summary += fmt::format("{}/{}: no part of the checkpoint\n", path, stray);
  }
  return verdict;
}

}  // namespace sash
