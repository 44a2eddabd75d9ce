// RunTimeChanges: adds, changes and removes jobs, windows and alerts while the process runs, and
// reloads.
//
// A caller gets a pending answer. The main thread carries out the requests one after the other,
// between reloads. What the isolated plug-in of a job is, another thread asks beforehand, so that
// other requests do not wait for it.
//
// Thread safety: Ask() may be called from any thread, the rest belongs to the main thread.
//
// Invariants
//   (1) Every request is answered once. At most kMostWaiting wait; further ones are refused.
//   (2) Changes made through the API are not written anywhere: a reload or a restart restores the
//       file.
//   (3) A job's window exists as long as the job.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/changes/change_notices.h"
#include "daemon/changes/config_reload.h"
#include "daemon/changes/job_requests.h"
#include "daemon/changes/plugin_inquiries.h"
#include "daemon/changes/run_time_alerts.h"
#include "daemon/changes/run_time_jobs.h"
#include "daemon/changes/run_time_windows.h"
#include "daemon/changes/window_requests.h"
#include "daemon/config/config.h"
#include "daemon/http/change_request.h"
#include "daemon/pipeline/pipeline.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"

namespace sash {

// The parts that are changed or notified; all of them outlive the changes.
struct ChangedParts {
  Pipeline& pipeline;
  ConfigReload& reload;
  EventLog& log;
  std::function<void(const LogConfig&)> follow_log;
  std::function<void()> wake;      // lets the main thread call Execute(); called by any thread
  std::function<void()> answered;  // called when an answer is complete
  std::function<void(std::string_view kind, std::string json)> tell;  // notifies subscribers
  std::function<void(const std::string& job)> job_left;
};

class RunTimeChanges {
 public:
  static constexpr std::size_t kMostWaiting = 64;

  explicit RunTimeChanges(ChangedParts parts)
      : parts_(std::move(parts)),
        notices_(parts_.log, parts_.tell),
        windows_(parts_.pipeline),
        jobs_(parts_.pipeline, parts_.job_left),
        alerts_(parts_.pipeline, parts_.reload, notices_),
        window_requests_(parts_.pipeline, parts_.reload, windows_, notices_),
        job_requests_(parts_.pipeline, parts_.reload, windows_, jobs_, alerts_, notices_) {}

  std::shared_ptr<PendingAnswer> Ask(ChangeRequest request);

  // Carries out the oldest request. If more requests wait, wakes the main thread again, so that it
  // can do its other work in between: each request may take as long as the patience with the
  // engine.
  void Execute();

  // Refuses the waiting requests and all later ones.
  void Close();

  ConfigReload::Outcome Reload();

 private:
  struct Asked {
    ChangeRequest request;
    std::shared_ptr<PendingAnswer> answer;
    std::optional<DescribedPlugin> described{};  // the isolated plug-in of the job
  };

  // The file of the isolated plug-in that the request names, unless it was described already.
  std::optional<std::string> PluginToAsk(const Asked& asked) const;
  // Describes it in another thread, which gives the request back.
  void Describe(const std::string& file, Asked asked);
  void TakeDescribed(Asked asked);
  HttpResponse Do(const Asked& asked);
  HttpResponse AnswerReload();
  Status Apply(const Config& wanted);

  const ChangedParts parts_;
  const ChangeNotices notices_;
  RunTimeWindows windows_;
  RunTimeJobs jobs_;
  RunTimeAlerts alerts_;
  WindowRequests window_requests_;
  JobRequests job_requests_;
  Mutex mutex_;
  std::deque<Asked> asked_ SASH_GUARDED_BY(mutex_);
  std::size_t described_ SASH_GUARDED_BY(mutex_) = 0;  // requests that wait for a description
  bool closed_ SASH_GUARDED_BY(mutex_) = false;
  PluginInquiries inquiries_;  // last: their threads use the rest
};

}  // namespace sash
