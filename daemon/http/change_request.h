// A change that a client of the API asks for, and the answers it gets.
//
// Thread safety: values and pure functions, but for Changer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/asked_export.h"
#include "connectors/sinks/alerts/alert_status.h"
#include "daemon/http/http_message.h"
#include "windows/base/ids.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/job_scheduler.h"

namespace sash {

struct ChangeRequest {
  enum class Kind : std::uint8_t {
    kAddJob,
    kPutJob,
    kRemoveJob,
    kPauseJob,
    kResumeJob,
    kTriggerJob,
    kAddAlert,
    kPutAlert,
    kRemoveAlert,
    kPauseAlert,
    kResumeAlert,
    kTestAlert,
    kAddWindow,
    kPutWindow,
    kRemoveWindow,
    kExportWindow,
    kReload,
  };
  Kind kind = Kind::kReload;
  std::string name{};  // of the job, window or alert, if the path names one
  std::string body{};  // JSON; empty if the request has none
  std::string client{};
};

// Hands a request to the thread that makes changes. May be called from any thread.
using Changer = std::function<std::shared_ptr<PendingAnswer>(ChangeRequest)>;

// A key with an error.
struct KeyTrouble {
  std::string key;
  std::string message;
};

// A key whose value a reload found changed.
struct KeyChange {
  std::string key;
  std::optional<std::string> before;  // none: the key was not set
  std::optional<std::string> after;
};

// 200 or 201. A 201 has the location of the new job, window or alert.
HttpResponse JobAnswer(int status, const JobStatus& job);
HttpResponse WindowAnswer(int status, const std::string& name, const Advance* advance);
HttpResponse AlertAnswer(int status, const AlertStatus& alert);
// `alert`: the alert that was sent, as JSON.
HttpResponse TestAnswer(const std::string& alert);
// 202, with the location of the future result.
HttpResponse TriggerAnswer(const JobStatus& job, SnapshotId snapshot);
// 202: where the snapshot of the window is written.
HttpResponse ExportAnswer(const Provenance& advance, const std::vector<AskedExport>& exports);
HttpResponse ReloadAnswer(const std::vector<KeyChange>& changed,
                          const std::vector<KeyChange>& needs_restart);
HttpResponse NothingToSay();  // 204
HttpResponse Conflict(std::string_view message);
// 422, with every key that has an error.
HttpResponse Unprocessable(std::string_view message, const std::vector<KeyTrouble>& errors);
HttpResponse Busy(std::string_view message);  // 503 with Retry-After

}  // namespace sash
