// RunTimeAlerts: adds, changes, removes, pauses and tests alerts while the process runs, for the
// API or a reload.
//
// Thread safety: belongs to the main thread, the only one that changes alerts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "daemon/changes/change_notices.h"
#include "daemon/changes/config_reload.h"
#include "daemon/config/config.h"
#include "daemon/config/parse_item.h"
#include "daemon/http/change_request.h"
#include "daemon/pipeline/pipeline.h"
#include "windows/base/result.h"

namespace sash {

class RunTimeAlerts {
 public:
  static constexpr std::size_t kMost = 1000;  // each has metric series

  // All arguments outlive it.
  RunTimeAlerts(Pipeline& pipeline, const ConfigReload& reload, const ChangeNotices& notices)
      : pipeline_(pipeline), reload_(reload), notices_(notices) {}

  HttpResponse Add(const ChangeRequest& request);
  HttpResponse Put(const ChangeRequest& request);
  HttpResponse Remove(const ChangeRequest& request);
  HttpResponse Pause(const ChangeRequest& request, bool paused);
  HttpResponse Test(const ChangeRequest& request);

  // Why an alert on the job of this name would not fit its new settings, such as a condition on a
  // member that its rows would not have; nothing: all fit.
  std::optional<std::string> WhyNotOn(const JobSpec& job) const;

  // See AlertDesk::Fit(). The jobs are those that run now.
  Status Fit(const std::vector<AlertSpec>& wanted);

 private:
  ParsedItem<AlertSpec> Parse(const ChangeRequest& request, bool named) const;
  HttpResponse Enter(const ChangeRequest& request, const AlertSpec& spec, bool is_new);
  HttpResponse NoSuchAlert(const std::string& name) const;

  Pipeline& pipeline_;  // built after this object
  const ConfigReload& reload_;
  const ChangeNotices& notices_;
};

}  // namespace sash
