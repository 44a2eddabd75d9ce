// JobRequests: answers requests of the API that add, change, remove, pause or trigger jobs.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <optional>
#include <string>

#include "daemon/changes/change_notices.h"
#include "daemon/changes/config_reload.h"
#include "daemon/changes/run_time_alerts.h"
#include "daemon/changes/run_time_jobs.h"
#include "daemon/changes/run_time_windows.h"
#include "daemon/config/parse_item.h"
#include "daemon/http/change_request.h"
#include "daemon/pipeline/pipeline.h"
#include "daemon/plugins/job_plugin.h"

namespace sash {

class JobRequests {
 public:
  // What the isolated plug-in of a job says of itself; nothing: it was not asked.
  using Described = std::optional<DescribedPlugin>;

  // All arguments outlive it.
  JobRequests(Pipeline& pipeline, const ConfigReload& reload, const RunTimeWindows& windows,
              RunTimeJobs& jobs, const RunTimeAlerts& alerts, const ChangeNotices& notices)
      : pipeline_(pipeline),
        reload_(reload),
        windows_(windows),
        jobs_(jobs),
        alerts_(alerts),
        notices_(notices) {}

  HttpResponse Add(const ChangeRequest& request, const Described& plugin);
  HttpResponse Put(const ChangeRequest& request, const Described& plugin);
  HttpResponse Remove(const ChangeRequest& request);
  HttpResponse Pause(const ChangeRequest& request, bool paused);
  HttpResponse Trigger(const ChangeRequest& request);

  // The file of the isolated plug-in that a request to add or change a job names.
  std::optional<std::string> PluginOf(const ChangeRequest& request) const;

 private:
  ParsedItem<JobSpec> Read(const ChangeRequest& request) const;
  ParsedItem<JobSpec> Parse(const ChangeRequest& request, const Described& plugin) const;
  HttpResponse JobNow(int status, const std::string& name) const;
  HttpResponse NoJob(const std::string& name) const;

  Pipeline& pipeline_;  // built after this object
  const ConfigReload& reload_;
  const RunTimeWindows& windows_;
  RunTimeJobs& jobs_;
  const RunTimeAlerts& alerts_;
  const ChangeNotices& notices_;
};

}  // namespace sash
