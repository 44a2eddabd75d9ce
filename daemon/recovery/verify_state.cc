#include "daemon/recovery/verify_state.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "connectors/sinks/line_identity.h"
#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_checksum.h"
#include "daemon/log/exit_code.h"
#include "daemon/recovery/rewind_recovery.h"
#include "windows/durable/posix_folder.h"
#include "windows/durable/rewind_journal.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash {

namespace {

Verdict Unreadable(const Error& error) {
  return {.summary = {}, .faults = error.message + "\n", .code = kExitFailure};
}

void TellRemark(const std::string& path, const std::string& remark, Verdict& verdict) {
  if (remark.empty()) return;
  verdict.summary += fmt::format("{}: part of the journal was not read: {}\n", path, remark);
}

// Verifies the state of `recovery: replay`.
Verdict VerifyRewind(const std::string& path) {
  const Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::OpenToRead(path);
  if (!folder) return Unreadable(folder.error());
  const Result<RewindFindings> read = VerifyRewindJournal(*folder.value());
  if (!read) return Unreadable(read.error());
  const RewindFindings& findings = read.value();
  Verdict verdict;
  for (const std::string& fault : findings.faults) verdict.faults += fault + "\n";
  if (!findings.faults.empty()) verdict.code = kExitFailure;
  verdict.summary = fmt::format("{}: {}: {} states, {} bytes, {} rounds since the oldest\n", path,
                                findings.faults.empty() ? "sound" : "damaged", findings.states,
                                findings.bytes, findings.rounds);
  TellRemark(path, findings.journal_remark, verdict);
  return verdict;
}

// Verifies a file of results.
Verdict VerifyResults(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unreadable({ErrorCode::kUnavailable, path + ": cannot be read"});
  Verdict verdict;
  std::uint64_t lines = 0;
  std::uint64_t sealed = 0;
  bool are_rows = false;
  for (std::string line; std::getline(file, line);) {
    if (lines++ == 0 && IsNamedHeader(line)) {
      return Unreadable({ErrorCode::kInvalidArgument, path + ": rows in CSV have no checksums"});
    }
    const ResultChecksum checksum = CheckResult(line);
    if (checksum != ResultChecksum::kNone) ++sealed;
    const LineIdentity identity = IdentityOfLine(line);
    are_rows = are_rows || identity.row;
    const bool is_result = !file.eof() && identity.result;
    if (is_result && checksum != ResultChecksum::kWrong) continue;
    verdict.code = kExitFailure;
    verdict.faults +=
        fmt::format("{}:{}: {}\n", path, lines,
                    checksum == ResultChecksum::kWrong ? "its checksum is wrong" : "not a result");
  }
  verdict.summary = fmt::format("{}: {}: {} {}, {} of them with a checksum\n", path,
                                verdict.code == 0 ? "sound" : "damaged", lines,
                                are_rows ? "rows" : "results", sealed);
  return verdict;
}

}  // namespace

Verdict VerifyState(const std::string& path) {
  std::error_code no_file;
  if (std::filesystem::is_regular_file(path, no_file)) return VerifyResults(path);
  const Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::OpenToRead(path);
  if (!folder) return Unreadable(folder.error());
  std::error_code unknown;
  if (std::filesystem::is_directory(RewindFolder(path), unknown) &&
      !std::filesystem::exists(path + "/" + kManifestName, unknown)) {
    return VerifyRewind(RewindFolder(path));
  }
  const Result<CheckpointFindings> read = VerifyCheckpoint(*folder.value());
  if (!read) return Unreadable(read.error());
  const CheckpointFindings& findings = read.value();
  Verdict verdict;
  for (const std::string& fault : findings.faults) verdict.faults += fault + "\n";
  if (!findings.faults.empty()) verdict.code = kExitFailure;
  verdict.summary =
      fmt::format("{}: {}: {} files, {} bytes, {} slices with {} events, {} rounds since then\n",
                  path, findings.faults.empty() ? "sound" : "damaged", findings.files,
                  findings.bytes, findings.slices, findings.events, findings.rounds);
  TellRemark(path, findings.journal_remark, verdict);
  for (const std::string& stray : findings.strays) {
    verdict.summary += fmt::format("{}/{}: not part of the checkpoint\n", path, stray);
  }
  return verdict;
}

}  // namespace sash
