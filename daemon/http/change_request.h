// What a client of the API wants to be changed, and what it is told then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    kAddWindow,
    kPutWindow,
    kRemoveWindow,
    kReload,
  };
  Kind kind = Kind::kReload;
  std::string name{};  // of the job or window, where the path has one
  std::string body{};  // JSON, where there is one
  std::string client{};
};

// Takes a request to the thread that changes things. May be called from any thread.
using Changer = std::function<std::shared_ptr<PendingAnswer>(ChangeRequest)>;

// A key that is wrong.
struct KeyTrouble {
  std::string key;
  std::string message;
};

// A key that a reload found changed.
struct KeyChange {
  std::string key;
  std::optional<std::string> before;  // none: the key was not there
  std::optional<std::string> after;
};

// 200 or 201; the latter with the place of the new thing.
HttpResponse JobAnswer(int status, const JobStatus& job);
HttpResponse WindowAnswer(int status, const std::string& name, const Advance* advance);
// 202: where the result will be.
HttpResponse TriggerAnswer(const JobStatus& job, SnapshotId snapshot);
HttpResponse ReloadAnswer(const std::vector<KeyChange>& changed,
                          const std::vector<KeyChange>& needs_restart);
HttpResponse NothingToSay();  // 204
HttpResponse Conflict(std::string_view message);
// 422: every key that is wrong.
HttpResponse Unprocessable(std::string_view message, const std::vector<KeyTrouble>& errors);
HttpResponse Busy(std::string_view message);  // 503, worth another try

}  // namespace sash
